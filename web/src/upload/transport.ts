// Takes files to the server by tus 1.0, in pieces that survive a broken connection.

import { Upload as TusUpload, type DetailedError } from 'tus-js-client'
import { base } from '../base'
import { offsetHere, writeDate } from '../timeline/dates'
import { PIECE_BYTES } from './queue'
import type { Failure, SendEvents, Sending, Transport, Upload } from './types'

const ENDPOINT = `${base}/api/v1/uploads`

/** Sends by tus-js-client, which resumes; when to try again is for the queue to decide. */
export const tusTransport: Transport = {
  send: (upload, events) => send(upload, events),
  discard: (url) => TusUpload.terminate(url, { retryDelays: [1_000, 5_000] }),
}

function send(upload: Readonly<Upload>, events: SendEvents): Sending {
  let stopped = false
  let image: string | undefined
  // The queue never sends what it has no file of.
  const tus = new TusUpload(upload.file ?? new Blob(), {
    endpoint: ENDPOINT,
    uploadUrl: upload.url ?? null,
    chunkSize: PIECE_BYTES,
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata: metadataOf(upload),
    onBeforeRequest: (request) => {
      // A repeated request for the same file takes the place of the first.
      if (request.getMethod() === 'POST') request.setHeader('Idempotency-Key', upload.key)
    },
    onAfterResponse: (_request, response) => {
      image = response.getHeader('upload-image') ?? image
    },
    onUploadUrlAvailable: () => {
      if (!stopped && tus.url) events.created(tus.url)
    },
    onProgress: (sent) => {
      if (!stopped) events.progress(sent)
    },
    onSuccess: () => {
      if (stopped) return
      // An answer without the image's name is none of ours; asking again will tell.
      if (image === undefined) events.failed({ status: 0, code: 'network', message: 'no image was named' })
      else events.sent(image)
    },
    onError: (error) => {
      if (!stopped) events.failed(failureOf(error))
    },
  })
  tus.start()
  return {
    stop: () => {
      stopped = true
      void tus.abort().catch(() => {})
    },
  }
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
  return failureFrom(response.getStatus(), response.getBody(), response.getHeader('retry-after'), error.message)
}

/** What an answer says that is not a success. */
export function failureFrom(status: number, text: string | undefined, retryAfter: string | null | undefined, otherwise: string): Failure {
  const body = errorIn(text)
  const seconds = Number(retryAfter)
  return {
    status,
    code: body.code ?? 'unknown',
    message: body.message ?? otherwise,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    ...(body.image === undefined ? {} : { image: body.image }),
  }
}

/** The parts of the API's error body; see docs/api.md. */
function errorIn(text: string | undefined): { code?: string; message?: string; image?: string } {
  try {
    const { error } = JSON.parse(text ?? '') as { error?: Record<string, unknown> }
    const details = error?.['details'] as Record<string, unknown> | undefined
    const texts = { code: error?.['code'], message: error?.['message'], image: details?.['image'] }
    return Object.fromEntries(Object.entries(texts).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}
