// What goes wrong between the browser and the server, as one class with the API's stable codes.
import type { ErrorBody } from './schema'

/** Codes of the API, and two of our own: no answer at all, and one that is not ours. */
export type ErrorCode = ErrorBody['code'] | 'offline' | 'unexpected'

export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly status: number,
    readonly details: Record<string, unknown> = {},
    readonly requestId?: string,
    /** What the server asked to wait, in seconds. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
    this.name = 'ApiError'
  }

  /** Whether somebody else has changed it meanwhile. */
  get isConflict(): boolean {
    return this.code === 'conflict' || this.code === 'precondition_failed'
  }

  /** Whether the same may work a little later: nobody answered, it was too much at once, or the server is in trouble. A full disk stays full. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || (this.status >= 500 && this.status !== 507)
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const wait = secondsOf(response.headers.get('retry-after'))
  try {
    const { error } = JSON.parse(text) as { error: ErrorBody }
    return new ApiError(error.code, error.message, response.status, (error.details ?? {}) as Record<string, unknown>, error.requestId, wait)
  } catch {
    // A proxy in front of the server says such things in its own words.
    const code = [502, 503, 504].includes(response.status) ? 'unavailable' : response.status === 429 ? 'rate_limited' : 'unexpected'
    return new ApiError(code, `${response.status} ${response.statusText}`.trim(), response.status, {}, undefined, wait)
  }
}

/** `Retry-After` is a number of seconds, or from some proxies a date. */
export function secondsOf(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
