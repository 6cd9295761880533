// A slide show that goes on by itself and shows new photos as soon as they are there.
import type { PhotoSource } from '../timeline/source'

export const SECONDS = [3, 5, 10, 20] as const

/** Which photo comes next: one that has just arrived, else the one after the current. */
export function nextOf(source: Pick<PhotoSource, 'shape' | 'tile' | 'indexOf'>, current: string, newest: string | undefined): { index: number; arrived: boolean } {
  const count = source.shape.count
  const front = newest === undefined ? undefined : source.indexOf(newest)
  // Photos in front of what was the newest have come since; the oldest of them is next.
  if (front !== undefined && front > 0 && source.tile(front - 1)?.status === 'completed') return { index: front - 1, arrived: true }
  const at = source.indexOf(current) ?? -1
  return { index: count === 0 ? -1 : (at + 1) % count, arrived: false }
}

export class SlideShow {
  running = $state(false)
  seconds = $state<number>(5)
  newest: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly advance: () => Promise<void>) {}

  start(newest: string | undefined): void {
    this.newest = newest
    this.running = true
    this.wait()
  }

  /** The time of a photo begins when it is seen. */
  wait(): void {
    clearTimeout(this.#timer)
    if (this.running) this.#timer = setTimeout(() => void this.advance().finally(() => this.wait()), this.seconds * 1000)
  }

  stop(): void {
    this.running = false
    clearTimeout(this.#timer)
  }
}
