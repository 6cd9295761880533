// What went wrong with a passkey, in words. Browsers tell reasons by the names of their exceptions, and
// say on purpose no more than “not allowed” when somebody has changed their mind.
import { ApiError, isAborted } from '../api/errors'
import type { Key } from '../i18n'

export interface Problem {
  text: Key
  /** Whoever has cancelled knows it; that is nothing to be alarmed about. */
  kind: 'info' | 'error'
}

/** The problem, unless there is none to tell of here: given up by ourselves, or of the API, which has words of its own. */
export function problemOf(error: unknown, doing: 'make' | 'use'): Problem | undefined {
  if (isAborted(error) || error instanceof ApiError) return undefined
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return { text: doing === 'make' ? 'passkey.notMade' : 'passkey.notUsed', kind: 'info' }
    case 'InvalidStateError':
      return { text: doing === 'make' ? 'passkey.here' : 'passkey.failed', kind: doing === 'make' ? 'info' : 'error' }
    case 'NotSupportedError':
    case 'ConstraintError':
      return { text: 'passkey.unable', kind: 'error' }
    case 'SecurityError':
      return { text: 'passkey.elsewhere', kind: 'error' }
    default:
      return { text: 'passkey.failed', kind: 'error' }
  }
}
