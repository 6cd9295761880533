// The words of uploads: what is known of a file on its way to the server.

/**
 * Where a file is on its way. `fileMissing` is what a reload leaves of a file that was not sent
 * whole: browsers do not let a page open it again, so somebody has to choose it once more.
 */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'processing' | 'done' | 'failed' | 'fileMissing'

/** Why a file was not taken, by the API's code; `network` when nobody answered. */
export interface Problem {
  readonly code: string
  /** What the API said, for codes that have no text of their own here. */
  readonly message: string
}

/** An album that a file is to be put into. */
export interface IntoAlbum {
  readonly id: string
  readonly title: string
}

/** One file in the queue. */
export interface Upload {
  /** Names it among the uploads, also after a reload, and to the server (`Idempotency-Key`). */
  readonly key: string
  readonly name: string
  /** The name with its folders, if a folder was chosen. */
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly album: IntoAlbum | undefined
  state: UploadState
  sentBytes: number
  file: File | undefined
  /** The file of XMP beside it. */
  sidecar?: File | undefined
  /** Where the server takes its bytes, once it has said so. */
  url: string | undefined
  /** The image it has become. */
  image: string | undefined
  /** Its owner had these very bytes before; `image` is the one that has them. */
  duplicate: boolean
  /** Its image is in the album it was meant for. */
  inAlbum: boolean
  problem: Problem | undefined
  /** The address of its thumbnail, once there is one. */
  thumbnail: string | undefined
  /** How often the server has failed on this very file. */
  faults: number
}

/** A file that somebody has chosen, dropped, pasted or taken. */
export interface Candidate {
  readonly file: File
  readonly path: string
  /** The file of XMP beside it. */
  readonly sidecar?: File
}

/** How sending a file went wrong. */
export interface Failure {
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  readonly code: string
  readonly message: string
  /** What the server asked to wait, in seconds. */
  readonly retryAfterSeconds?: number
  /** The image that a repeated request has made already. */
  readonly image?: string
}

/** What a transport tells while it sends a file. After `sent` and `failed` it says nothing. */
export interface SendEvents {
  created(url: string): void
  progress(sentBytes: number): void
  /**
   * It is this image; `duplicate` if that had the bytes before, where the transport can tell, and what
   * was wrong with what is beside it.
   */
  sent(image: string, duplicate?: boolean, problem?: Problem): void
  failed(failure: Failure): void
}

/** A file that is being sent. */
export interface Sending {
  /** Stops without losing what the server has; no event comes afterwards. */
  stop(): void
}

/** Takes files to the server. */
export interface Transport {
  send(upload: Readonly<Upload>, events: SendEvents): Sending
  /** Gives up what the server has of an upload. */
  discard(url: string): Promise<void>
}

/** Timers, so that tests need not wait. */
export interface Clock {
  now(): number
  /** Calls back later, once; returns what takes the call back. */
  after(ms: number, call: () => void): () => void
}

/** The clock of the browser. */
export const wallClock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}
