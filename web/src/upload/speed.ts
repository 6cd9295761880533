// How fast bytes go, and how long the rest takes.

/** Old enough to smooth out pieces, young enough to follow a network that changes. */
const WINDOW_MS = 15_000
/** Before that, a figure would only be noise. */
const SPAN_MS_MIN = 2_000

/** Looks at the sum of sent bytes now and then. */
export class Speed {
  #samples: { at: number; bytes: number }[] = []

  observe(at: number, bytes: number): void {
    const last = this.#samples.at(-1)
    // Less than before: something was taken out of the queue. What was seen no longer counts.
    if (last && bytes < last.bytes) this.#samples = []
    this.#samples.push({ at, bytes })
    this.#samples = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS)
  }

  reset(): void {
    this.#samples = []
  }

  /** Bytes per second, once there is enough to tell. */
  get bytesPerSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.at - first.at < SPAN_MS_MIN) return undefined
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1_000
  }

  /** Seconds until so many bytes have gone. */
  secondsFor(bytes: number): number | undefined {
    const speed = this.bytesPerSecond
    return speed === undefined || speed <= 0 ? undefined : bytes / speed
  }
}
