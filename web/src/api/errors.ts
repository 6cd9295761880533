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
  ) {
    super(message)
    this.name = 'ApiError'
  }

  /** Whether somebody else has changed it meanwhile. */
  get isConflict(): boolean {
    return this.code === 'conflict' || this.code === 'precondition_failed'
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  try {
    const { error } = JSON.parse(text) as { error: ErrorBody }
    return new ApiError(error.code, error.message, response.status, (error.details ?? {}) as Record<string, unknown>, error.requestId)
  } catch {
    return new ApiError('unexpected', `${response.status} ${response.statusText}`.trim(), response.status)
  }
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
