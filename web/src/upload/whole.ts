// Takes a small file to the server in one request.

import { API } from '../api/client'
import { failureFrom, isTooMuchAtOnce, modifiedAt } from './transport'
import type { Known } from './ahead'
import type { Failure, SendEvents, Sending, Upload } from './types'

/** What is told of a request that never reached the API, such as one that a proxy found too large. */
export interface WholeEvents extends SendEvents {
  tooLarge(): void
}

/** Sends a file with what is known of it. */
export function sendWhole(upload: Readonly<Upload>, known: Known, events: WholeEvents): Sending {
  const request = new XMLHttpRequest()
  let stopped = false
  request.open('POST', `${API}/images`)
  request.setRequestHeader('accept', 'application/json')
  // A repeated request for the same file takes the place of the first.
  request.setRequestHeader('idempotency-key', upload.key)
  request.upload.onprogress = ({ loaded }) => {
    if (!stopped) events.progress(Math.min(loaded, upload.sizeBytes))
  }
  request.onload = () => {
    if (stopped) return
    const outcome = request.getResponseHeader('upload-outcome')
    const image = request.status < 300 && outcome !== null ? idIn(request.responseText) : undefined
    if (image !== undefined) return events.sent(image, outcome === 'duplicate')
    const failure = failureIn(request)
    if (isTooMuchAtOnce(failure)) events.tooLarge()
    else events.failed(failure)
  }
  request.onerror = () => {
    if (!stopped) events.failed({ status: 0, code: 'network', message: 'no answer' })
  }
  request.send(formOf(upload, known))
  return {
    stop: () => {
      stopped = true
      request.abort()
    },
  }
}

/** The fields first, so that the server knows what comes before it comes. */
function formOf(upload: Readonly<Upload>, { sha256 }: Known): FormData {
  const form = new FormData()
  form.set('filename', upload.name)
  form.set('sizeBytes', String(upload.sizeBytes))
  const modified = modifiedAt(upload)
  if (modified !== undefined) form.set('fileModifiedAt', modified)
  if (sha256 !== undefined) form.set('sha256', sha256)
  if (upload.sidecar) form.set('sidecar', upload.sidecar, 'sidecar')
  form.set('file', upload.file ?? new Blob(), 'file')
  return form
}

function idIn(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function failureIn(request: XMLHttpRequest): Failure {
  return failureFrom(request.status, request.responseText, request.getResponseHeader('retry-after'))
}
