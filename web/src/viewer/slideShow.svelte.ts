// A slide show that goes on by itself and shows new photos as soon as they are there.
import { onChange } from '../api'
import type { PhotoSource } from '../timeline/source'

export const SECONDS = [3, 5, 10, 20] as const

/** Which photo comes next: one that has just arrived and is ready, else the one after the current. */
export function nextOf(source: Pick<PhotoSource, 'shape' | 'tile' | 'indexOf'>, current: string, arrived: Iterable<string>): { index: number; arrival?: string } {
  for (const id of arrived) {
    const index = source.indexOf(id)
    if (index !== undefined && source.tile(index)?.status === 'completed') return { index, arrival: id }
  }
  const at = source.indexOf(current) ?? -1
  return { index: source.shape.count === 0 ? -1 : (at + 1) % source.shape.count }
}

/** So many that have arrived wait to be shown; of more, the oldest are left out. */
const WAITING_MAX = 100

export class SlideShow {
  running = $state(false)
  seconds = $state<number>(5)
  /** Photos that came while it runs and were not shown yet. */
  readonly arrived = new Set<string>()
  #stop: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly advance: () => Promise<void>) {}

  start(): void {
    this.running = true
    this.arrived.clear()
    this.#stop = onChange(({ entity, kind, id }) => {
      if (entity !== 'image' || kind !== 'created') return
      this.arrived.add(id)
      if (this.arrived.size > WAITING_MAX) this.arrived.delete(this.arrived.values().next().value as string)
    })
    this.wait()
  }

  /** The time of a photo begins when it is seen. */
  wait(): void {
    clearTimeout(this.#timer)
    if (this.running) this.#timer = setTimeout(() => void this.advance().finally(() => this.wait()), this.seconds * 1000)
  }

  stop(): void {
    this.running = false
    this.#stop?.()
    this.#stop = undefined
    clearTimeout(this.#timer)
  }
}
