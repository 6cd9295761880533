// What to do about an answer that is not a success.

import type { Failure } from './types'

/**
 * - `wait`: nothing is wrong with the file; the whole queue rests and then goes on.
 * - `again`: the server made a mistake or has forgotten the upload; this file is tried again, a few times.
 * - `signIn`: nobody is signed in any more; the queue stops until somebody is.
 * - `full`: no more images fit; asking for the others would only get the same answer.
 * - `refused`: this file cannot be taken.
 */
export type Remedy = 'wait' | 'again' | 'signIn' | 'full' | 'refused'

const BY_CODE: Readonly<Record<string, Remedy>> = {
  rate_limited: 'wait',
  unavailable: 'wait',
  timeout: 'wait',
  storage_full: 'wait',
  request_timeout: 'wait',
  upload_interrupted: 'wait',
  unauthenticated: 'signIn',
  quota_images: 'full',
  internal: 'again',
  upload_gone: 'again',
  wrong_offset: 'again',
  checksum_mismatch: 'again',
  bytes_differ: 'again',
  not_found: 'again',
}

/** What to do about a failure. */
export function remedyFor(failure: Failure): Remedy {
  const known = BY_CODE[failure.code]
  if (known) return known
  // Nobody answered, or a proxy did in the place of a server that is being restarted.
  if (failure.status === 0 || (failure.status >= 502 && failure.status <= 504)) return 'wait'
  return failure.status >= 500 ? 'again' : 'refused'
}

/** Codes that mean that the server no longer expects the upload: it has to begin anew. */
export function isForgotten(failure: Failure): boolean {
  return failure.code === 'upload_gone' || failure.code === 'not_found'
}

/**
 * Codes that have a text of their own in the tables of words, as `upload.problem.<code>`. For all
 * others what the API says is shown. Two are none of the API's: `proxy_limit`, where something before
 * the server takes not even the shortest piece, and `unknown`, where the answer was not the server's.
 */
export const EXPLAINED = [
  'network',
  'quota_images',
  'quota_bytes',
  'storage_full',
  'file_too_large',
  'proxy_limit',
  'unsupported_image',
  'truncated_image',
  'damaged_image',
  'too_many_pixels',
  'side_too_long',
  'too_many_frames',
  'too_much_memory',
  'unauthenticated',
  'processing_failed',
  'not_in_album',
  'sidecar',
  'unknown',
] as const

export type ExplainedCode = (typeof EXPLAINED)[number]

/** Whether a code has a text of its own. */
export function isExplained(code: string): code is ExplainedCode {
  return (EXPLAINED as readonly string[]).includes(code)
}
