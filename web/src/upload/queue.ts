// The queue of uploads: which file is sent when, and what becomes of it.
//
// It knows neither the page nor the protocol: files go through a `Transport`, what a reload must not
// lose goes into a `Memory`, and whoever shows it listens.

import { PIECE_BYTES } from './passage'
import { isForgotten, remedyFor } from './problems'
import { restMs } from './rest'
import { newUpload, recall } from './upload'
import type { Memory } from './memory'
import type { Candidate, Clock, Failure, IntoAlbum, Problem, Sending, Transport, Upload, UploadState } from './types'

/** How many files are sent at once: enough to fill a line, few enough to see each move. */
export const PARALLEL_MAX = 3
/** How many if they are small: browsers open six connections to a server, and the page needs some. */
export const SMALL_PARALLEL_MAX = 4
/** How often the server may fail on one file before we let it be. */
export const FAULTS_MAX = 5

/** Why nothing is sent now. */
export type Held = 'paused' | 'signIn' | undefined

export class UploadQueue {
  #uploads: Upload[] = []
  #sending = new Map<string, Sending>()
  #listeners = new Set<() => void>()
  #held: Held
  /** Failures in a row for which the queue rests, and until when. */
  #rests = 0
  #restUntil = 0
  #restFor: Problem | undefined
  #wake: (() => void) | undefined

  constructor(
    private readonly transport: Transport,
    private readonly memory: Memory,
    private readonly clock: Clock,
    private readonly parallelOf: (upload: Readonly<Upload>) => number = () => PARALLEL_MAX,
  ) {
    this.#uploads = memory.all().map(recall)
  }

  /** All uploads, in the order in which they were added. */
  get uploads(): readonly Readonly<Upload>[] {
    return this.#uploads
  }

  get held(): Held {
    return this.#held
  }

  /** When sending is tried again, if the server could not be reached; else 0. */
  get restUntil(): number {
    return this.#restUntil
  }

  /** Why nothing is sent until then. */
  get restFor(): Problem | undefined {
    return this.#restUntil > 0 ? this.#restFor : undefined
  }

  /** Calls back after every change; returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Adds files; those that are in the queue already, or wait for their file, are recognised. */
  add(candidates: readonly Candidate[], album?: IntoAlbum): void {
    const missing = this.#uploads.filter((upload) => upload.state === 'fileMissing')
    const byFile = new Map(missing.map((upload) => [fileOf(upload), upload]))
    const known = new Set(this.#uploads.filter(isUnderWay).map(placeOf))
    for (const { file, path, sidecar } of candidates) {
      const upload = newUpload(file, path, album, sidecar)
      const waitsForIt = byFile.get(fileOf(upload))
      if (waitsForIt) {
        byFile.delete(fileOf(upload))
        waitsForIt.file = file
        waitsForIt.sidecar = sidecar
        waitsForIt.state = 'waiting'
      } else if (!known.has(placeOf(upload))) {
        known.add(placeOf(upload))
        this.#uploads.push(upload)
        this.memory.put(upload)
      }
    }
    this.#changed()
  }

  pause(key: string): void {
    const upload = this.#byKey(key)
    if (upload?.state !== 'sending' && upload?.state !== 'waiting') return
    this.#stop(upload, 'paused')
    this.#changed()
  }

  resume(key: string): void {
    const upload = this.#byKey(key)
    if (upload?.state !== 'paused') return
    upload.state = 'waiting'
    this.#goOn()
  }

  /** Tries again what has failed. */
  retry(key: string): void {
    const upload = this.#byKey(key)
    if (upload?.state !== 'failed' || !upload.file) return
    this.#reset(upload)
    this.#goOn()
  }

  /** Takes a file out, and what the server has of it. What has become an image stays. */
  cancel(key: string): void {
    const upload = this.#byKey(key)
    if (!upload) return
    this.#remove(upload)
    this.#changed()
  }

  pauseAll(): void {
    this.#held = 'paused'
    for (const upload of this.#uploads) if (upload.state === 'sending') this.#stop(upload, 'waiting')
    this.#changed()
  }

  resumeAll(): void {
    for (const upload of this.#uploads) if (upload.state === 'paused') upload.state = 'waiting'
    this.#goOn()
  }

  retryAll(): void {
    for (const upload of this.#uploads) if (upload.state === 'failed' && upload.file) this.#reset(upload)
    this.#goOn()
  }

  cancelAll(): void {
    for (const upload of this.#uploads.filter(isUnderWay)) this.#remove(upload)
    this.#changed()
  }

  /** Takes out what needs nobody's attention any more. */
  clearDone(): void {
    this.#uploads = this.#uploads.filter((upload) => upload.state !== 'done' || upload.problem)
    this.#changed()
  }

  /** Somebody has signed in again, or the network is back: there is no reason to wait longer. */
  wakeUp(): void {
    if (this.#held === 'signIn') this.#held = undefined
    this.#endRest()
    this.#changed()
  }

  /** What became of the image of an upload, as told by the server. */
  processed(image: string, outcome: { thumbnail?: string; error?: string }): void {
    for (const upload of this.#uploads) {
      if (upload.image !== image || upload.state !== 'processing') continue
      upload.state = outcome.error === undefined ? 'done' : 'failed'
      upload.thumbnail = outcome.thumbnail
      if (outcome.error !== undefined) upload.problem = { code: 'processing_failed', message: outcome.error }
    }
    this.#changed()
  }

  /** An image is in the album, or cannot be put there; `problem` is left out in the first case. */
  filed(key: string, problem?: { code: string; message: string }): void {
    const upload = this.#byKey(key)
    if (!upload) return
    upload.inAlbum = problem === undefined
    if (problem) upload.problem = problem
    this.memory.forget(key)
    this.#changed()
  }

  /** Stops everything, without losing what the server and the memory have. */
  close(): void {
    for (const sending of this.#sending.values()) sending.stop()
    this.#sending.clear()
    this.#wake?.()
    this.#listeners.clear()
  }

  #changed(): void {
    this.#fill()
    for (const listener of this.#listeners) listener()
  }

  #goOn(): void {
    this.#held = undefined
    this.#endRest()
    this.#changed()
  }

  #fill(): void {
    if (this.#held || this.clock.now() < this.#restUntil) return
    for (const upload of this.#uploads) {
      if (upload.state !== 'waiting' || !upload.file) continue
      if (this.#sending.size >= this.parallelOf(upload)) return
      this.#send(upload)
    }
  }

  #send(upload: Upload): void {
    upload.state = 'sending'
    upload.problem = undefined
    const sending = this.transport.send(upload, {
      created: (url) => {
        upload.url = url
        this.memory.put(upload)
      },
      progress: (sentBytes) => {
        const isNextPiece = pieceOf(sentBytes) !== pieceOf(upload.sentBytes)
        upload.sentBytes = sentBytes
        this.#rests = 0
        if (isNextPiece) this.memory.put(upload)
        this.#changed()
      },
      sent: (image, duplicate, problem) => this.#sent(upload, image, duplicate, problem),
      failed: (failure) => this.#failed(upload, failure),
    })
    this.#sending.set(upload.key, sending)
  }

  #sent(upload: Upload, image: string, duplicate?: boolean, problem?: Problem): void {
    this.#sending.delete(upload.key)
    this.#rests = 0
    upload.sentBytes = upload.sizeBytes
    upload.image = image
    // The upload has the id that its image was to have; bytes that are there already keep theirs.
    upload.duplicate = duplicate ?? (upload.url !== undefined && !upload.url.endsWith(image))
    upload.state = 'processing'
    upload.file = undefined
    upload.sidecar = undefined
    upload.problem = problem
    // What is to go into an album is remembered until it is there.
    if (upload.album) this.memory.put(upload)
    else this.memory.forget(upload.key)
    this.#changed()
  }

  #failed(upload: Upload, failure: Failure): void {
    this.#sending.delete(upload.key)
    if (failure.image !== undefined) return this.#sent(upload, failure.image)
    const remedy = remedyFor(failure)
    const problem = { code: failure.status === 0 ? 'network' : failure.code, message: failure.message }
    if (isForgotten(failure)) this.#beginAnew(upload)
    if (remedy === 'wait') {
      upload.state = 'waiting'
      this.#rest(failure)
    } else if (remedy === 'signIn') {
      upload.state = 'waiting'
      this.#held = 'signIn'
    } else if (remedy === 'again' && upload.faults + 1 < FAULTS_MAX) {
      upload.faults += 1
      upload.state = 'waiting'
      this.#rest(failure)
    } else {
      this.#refuse(upload, problem)
      if (remedy === 'full') {
        for (const other of this.#uploads) if (other.state === 'waiting') this.#refuse(other, problem)
      }
    }
    this.#changed()
  }

  #refuse(upload: Upload, problem: { code: string; message: string }): void {
    upload.state = 'failed'
    upload.problem = problem
    // What was refused is not asked for again after a reload.
    this.memory.forget(upload.key)
  }

  #beginAnew(upload: Upload): void {
    upload.url = undefined
    upload.sentBytes = 0
    this.memory.put(upload)
  }

  #reset(upload: Upload): void {
    upload.state = 'waiting'
    upload.problem = undefined
    upload.faults = 0
    this.memory.put(upload)
  }

  /** Lets the whole queue rest: what one file has met, the others would meet too. */
  #rest(failure: Failure): void {
    const now = this.clock.now()
    if (now < this.#restUntil) return
    const ms = restMs(this.#rests, failure.retryAfterSeconds)
    this.#rests += 1
    this.#restUntil = now + ms
    this.#restFor = { code: failure.status === 0 ? 'network' : failure.code, message: failure.message }
    this.#wake = this.clock.after(ms, () => {
      this.#endRest()
      this.#changed()
    })
  }

  #endRest(): void {
    this.#wake?.()
    this.#wake = undefined
    this.#restUntil = 0
  }

  #stop(upload: Upload, state: UploadState): void {
    this.#sending.get(upload.key)?.stop()
    this.#sending.delete(upload.key)
    upload.state = state
    this.memory.put(upload)
  }

  #remove(upload: Upload): void {
    if (isUnderWay(upload)) {
      this.#stop(upload, 'failed')
      // Should it not be reached, the server gives the upload up by itself after some time.
      if (upload.url !== undefined) void this.transport.discard(upload.url).catch(() => {})
    }
    this.memory.forget(upload.key)
    this.#uploads = this.#uploads.filter((other) => other !== upload)
  }

  #byKey(key: string): Upload | undefined {
    return this.#uploads.find((upload) => upload.key === key)
  }
}

/** Whether bytes of it are still to be sent. */
export function isUnderWay(upload: Readonly<Upload>): boolean {
  return ['waiting', 'sending', 'paused', 'fileMissing'].includes(upload.state)
}

function pieceOf(bytes: number): number {
  return Math.floor(bytes / PIECE_BYTES)
}

/** What tells files apart without reading them. A file may be chosen again without its folder. */
function fileOf(upload: Readonly<Upload>): string {
  return JSON.stringify([upload.name, upload.sizeBytes, upload.modifiedMs])
}

function placeOf(upload: Readonly<Upload>): string {
  return JSON.stringify([upload.path, upload.sizeBytes, upload.modifiedMs])
}
