// The same for many things, with the patience that takes: a server that says “too much at once” is
// asked again when it said, and whoever waits is told so. What fails in the end is named, never lost.
import { ApiError } from './errors'

export interface Patience {
  /** Told when everything rests for so many seconds, because of this error. */
  waiting?: (seconds: number, error: ApiError) => void
  /** For tests. */
  sleep?: (ms: number) => Promise<void>
}

export interface Failed<T> {
  item: T
  error: unknown
}

/** Rests in a row, with nothing done in between, before it is let be. */
const RESTS_MAX = 5
const FIRST_MS = 1000
const LONGEST_MS = 30_000
/** No longer, whatever a server asks for. */
const ASKED_MS = 600_000

/** How long to wait before the n-th time in a row, from 0, that something is tried again: at least what the server has asked for. */
export function pauseMs(times: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(Math.min(FIRST_MS * 2 ** Math.min(times, 10), LONGEST_MS), Math.min(asked, ASKED_MS))
}

/** When to go on; the same for all who do parts of one thing. */
class Rest {
  #rests = 0
  #until: Promise<void> | undefined

  constructor(readonly patience: Patience) {}

  get over(): Promise<void> | undefined {
    return this.#until
  }

  /** Something worked. */
  ended(): void {
    this.#rests = 0
  }

  /** Rests as long as the server asked for; tells whether it is worth going on. */
  async after(error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError) || !error.mayPass) return false
    this.#until ??= this.#begin(error)
    if (!this.#until) return false
    await this.#until
    return true
  }

  #begin(error: ApiError): Promise<void> | undefined {
    if (this.#rests >= RESTS_MAX) return undefined
    const ms = pauseMs(this.#rests, error)
    this.#rests += 1
    this.patience.waiting?.(Math.ceil(ms / 1000), error)
    return (this.patience.sleep ?? sleep)(ms).then(() => (this.#until = undefined))
  }
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

async function patiently<T>(rest: Rest, act: () => Promise<T>): Promise<T> {
  for (;;) {
    await rest.over
    try {
      const done = await act()
      rest.ended()
      return done
    } catch (error) {
      if (!(await rest.after(error))) throw error
    }
  }
}

/** Does something for many things, a hundred with each request. It must be harmless to repeat. */
export async function inHundreds<I, T>(items: readonly I[], act: (some: I[]) => Promise<T>, patience: Patience = {}): Promise<T[]> {
  const rest = new Rest(patience)
  const answers: T[] = []
  for (const some of hundreds(items)) answers.push(await patiently(rest, () => act(some)))
  return answers
}

export function hundreds<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / 100) }, (_, index) => items.slice(index * 100, index * 100 + 100))
}

/** Runs `act` for each, a few at a time; answers with those that failed. It must be harmless to repeat. */
export async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>, width = 6, patience: Patience = {}): Promise<Failed<T>[]> {
  const rest = new Rest(patience)
  const failed: Failed<T>[] = []
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) await patiently(rest, () => act(item)).catch((error: unknown) => failed.push({ item, error }))
  }
  await Promise.all(Array.from({ length: Math.min(width, Math.max(items.length, 1)) }, worker))
  return failed
}
