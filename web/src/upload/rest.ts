// How long to wait before the server is asked again.

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** The n-th wait in a row, from 0; at least what the server has asked for. */
export function restMs(rests: number, retryAfterSeconds = 0): number {
  const doubled = FIRST_MS * 2 ** Math.min(rests, 10)
  return Math.max(Math.min(doubled, LONGEST_MS), retryAfterSeconds * 1_000)
}
