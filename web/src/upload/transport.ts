// Takes files to the server by tus 1.0, in pieces that survive a broken connection.

import { Upload as TusUpload, type DetailedError } from 'tus-js-client'
import { base } from '../base'
import { offsetHere, writeDate } from '../timeline/dates'
import { passage } from './passage'
import type { Failure, SendEvents, Sending, Transport, Upload } from './types'

const ENDPOINT = `${base}/api/v1/uploads`

/** Sends by tus-js-client, which resumes; when to try again is for the queue to decide. */
export const tusTransport: Transport = {
  send: (upload, events) => send(upload, events),
  discard: (url) => TusUpload.terminate(url, { retryDelays: [1_000, 5_000] }),
}

/** Sends in pieces as long as pass; where one does not, goes on from there with shorter ones. */
function send(upload: Readonly<Upload>, events: SendEvents): Sending {
  let stopped = false
  let sending: TusUpload
  const begin = (url: string | null): void => {
    const pieceBytes = passage.pieceBytes
    sending = start(upload, url, pieceBytes, () => stopped, {
      ...events,
      refused: (offset, otherwise) => {
        if (!passage.refusedPiece(Math.min(pieceBytes, upload.sizeBytes - offset))) return events.failed(otherwise)
        events.progress(offset)
        if (!stopped) begin(sending.url)
      },
    })
  }
  begin(upload.url ?? null)
  return {
    stop: () => {
      stopped = true
      void sending.abort().catch(() => {})
    },
  }
}

interface PieceEvents extends SendEvents {
  /** Something on the way takes no piece as long as the one from this offset; `otherwise` is why it fails if none is shorter. */
  refused(offset: number, otherwise: Failure): void
}

function start(upload: Readonly<Upload>, url: string | null, pieceBytes: number, isStopped: () => boolean, events: PieceEvents): TusUpload {
  let image: string | undefined
  // The queue never sends what it has no file of.
  const tus = new TusUpload(upload.file ?? new Blob(), {
    endpoint: ENDPOINT,
    uploadUrl: url,
    chunkSize: pieceBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata: metadataOf(upload),
    onBeforeRequest: (request) => {
      // A repeated request for the same file takes the place of the first. One that was sent whole before was another.
      if (request.getMethod() === 'POST') request.setHeader('Idempotency-Key', `${upload.key}-pieces`)
    },
    onAfterResponse: (_request, response) => {
      image = response.getHeader('upload-image') ?? image
    },
    onUploadUrlAvailable: () => {
      if (!isStopped() && tus.url) events.created(tus.url)
    },
    onProgress: (sent) => {
      if (!isStopped()) events.progress(sent)
    },
    onSuccess: () => {
      if (isStopped()) return
      // An answer without the image's name is none of ours; asking again will tell.
      if (image === undefined) events.failed({ status: 0, code: 'network', message: 'no image was named' })
      else events.sent(image)
    },
    onError: (error) => {
      if (isStopped()) return
      const failure = failureOf(error)
      const offset = offsetOf(error)
      if (isTooMuchAtOnce(failure) && offset !== undefined) events.refused(offset, { ...failure, code: 'proxy_limit' })
      else events.failed(failure)
    },
  })
  tus.start()
  return tus
}

/** Where the piece began that an error is about, if it is about one. */
function offsetOf(error: Error | DetailedError): number | undefined {
  const request = 'originalRequest' in error ? error.originalRequest : undefined
  const offset = request?.getMethod() === 'PATCH' ? request.getHeader('Upload-Offset') : undefined
  return offset === undefined ? undefined : Number(offset)
}

function metadataOf(upload: Readonly<Upload>): Record<string, string> {
  const modified = modifiedAt(upload)
  return { filename: upload.name, ...(modified === undefined ? {} : { fileModifiedAt: modified }) }
}

/** When the file was last written, by the clock here, as the server wants it; browsers need not know. */
export function modifiedAt({ modifiedMs }: Readonly<Upload>): string | undefined {
  const at = new Date(modifiedMs)
  const year = at.getUTCFullYear()
  if (modifiedMs <= 0 || year < 1 || year > 9999) return undefined
  const offset = offsetHere(modifiedMs)
  return writeDate({ wall: modifiedMs + offset * 60_000, offset })
}

/** What an error of tus-js-client says about the server's answer. */
export function failureOf(error: Error | DetailedError): Failure {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response) return { status: 0, code: 'network', message: error.message }
  return failureFrom(response.getStatus(), response.getBody(), response.getHeader('retry-after'))
}

/**
 * What an answer says that is not a success. Of one that is not the API's only the status is told: its
 * text is a page that somebody else wrote for somebody else.
 */
export function failureFrom(status: number, text: string | undefined, retryAfter: string | null | undefined): Failure {
  const seconds = Number(retryAfter)
  return {
    status,
    ...(errorIn(text) ?? { code: 'unknown', message: String(status) }),
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  }
}

/** Whether something before the server has found a request too large; the server itself says so by a code. */
export function isTooMuchAtOnce({ status, code }: Failure): boolean {
  return status === 413 && code === 'unknown'
}

/** The parts of the API's error body, if it is one; see docs/api.md. */
function errorIn(text: string | undefined): { code: string; message: string; image?: string } | undefined {
  try {
    const { error } = JSON.parse(text ?? '') as { error?: Record<string, unknown> }
    const { code, message } = error ?? {}
    if (typeof code !== 'string' || typeof message !== 'string') return undefined
    const image = (error?.['details'] as Record<string, unknown> | null | undefined)?.['image']
    return { code, message, ...(typeof image === 'string' ? { image } : {}) }
  } catch {
    return undefined
  }
}
