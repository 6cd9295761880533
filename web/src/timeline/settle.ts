// Changes come in crowds: what follows them waits until they pause, but not for as long as they come.

/** The longest that somebody looks at what is old while changes never pause. */
const LONGEST_MS = 2_000

export class Settle {
  #timer: ReturnType<typeof setTimeout> | undefined
  #since: number | undefined

  constructor(
    readonly act: () => void,
    readonly pauseMs: number,
  ) {}

  /** Something has changed. */
  soon(): void {
    const now = Date.now()
    this.#since ??= now
    clearTimeout(this.#timer)
    const wait = Math.min(this.pauseMs, Math.max(0, this.#since + LONGEST_MS - now))
    this.#timer = setTimeout(() => {
      this.#since = undefined
      this.act()
    }, wait)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#since = undefined
  }
}
