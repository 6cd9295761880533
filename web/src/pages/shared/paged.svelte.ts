// A list that is loaded page by page as somebody scrolls.
import { isAborted, type Pager } from '../../api'

export class Paged<T> {
  items = $state.raw<T[]>([])
  error = $state.raw<unknown>()
  busy = $state(false)
  done = $state(false)
  #cursor: string | undefined
  #turn = 0

  constructor(readonly pager: Pager<T>) {}

  get isEmpty(): boolean {
    return this.done && this.items.length === 0
  }

  async more(): Promise<void> {
    if (this.busy || this.done) return
    const turn = ++this.#turn
    this.busy = true
    try {
      const page = await this.pager(this.#cursor)
      if (turn !== this.#turn) return
      this.items = [...this.items, ...page.items]
      this.#cursor = page.nextCursor ?? undefined
      this.done = this.#cursor === undefined
      this.error = undefined
    } catch (error) {
      if (turn === this.#turn && !isAborted(error)) this.error = error
    } finally {
      if (turn === this.#turn) this.busy = false
    }
  }

  /** As much as there was, afresh, and without taking it away meanwhile. */
  async refresh(): Promise<void> {
    if (this.busy) return
    const turn = ++this.#turn
    const wanted = Math.max(1, this.items.length)
    const items: T[] = []
    let cursor: string | undefined
    try {
      do {
        const page = await this.pager(cursor)
        items.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor && items.length < wanted)
    } catch {
      // What is there stays; the next change tries again.
      return
    }
    if (turn !== this.#turn) return
    this.items = items
    this.#cursor = cursor
    this.done = cursor === undefined
    this.error = undefined
  }

  /** From the beginning. */
  again(): Promise<void> {
    this.#turn += 1
    this.items = []
    this.#cursor = undefined
    this.done = false
    this.busy = false
    return this.more()
  }
}

/** Calls `act` whenever an element comes near the screen, as the end of a list does. */
export function whenNear(act: () => void): (node: HTMLElement) => () => void {
  return (node) => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && act(), { rootMargin: '600px' })
    observer.observe(node)
    return () => observer.disconnect()
  }
}
