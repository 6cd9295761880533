// The scrolling of a grid: where in the whole one is, how fast it moves, and moving the scrolled
// element under what is seen (see rebase.ts).
import { elementHeight, placeAt, rebased, type Scroll } from './rebase'

/** Pixels per millisecond above which nobody can make out pictures. */
const FAST = 4
const REST = 110

export class Scroller {
  origin = $state(0)
  top = $state(0)
  height = $state(0)
  viewport = $state(0)
  fast = $state(false)

  element: HTMLElement | undefined
  onrest: () => void = () => {}
  #seen = 0
  #time = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Where what is seen begins, in the whole. */
  readonly at = $derived(this.origin + this.top)
  readonly elementHeight = $derived(elementHeight(this.height))

  scrolled(): void {
    if (!this.element) return
    this.top = this.element.scrollTop
    this.#measure()
    this.#move(rebased(this, this.height, this.viewport, false))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#rested(), REST)
  }

  #measure(): void {
    const now = performance.now()
    const speed = Math.abs(this.at - this.#seen) / Math.max(1, now - this.#time)
    // A jump after a rest is no scrolling.
    if (now - this.#time < 100) this.fast = speed > FAST
    this.#seen = this.at
    this.#time = now
  }

  #rested(): void {
    this.fast = false
    this.#move(rebased(this, this.height, this.viewport, true))
    this.onrest()
  }

  #move(scroll: Scroll | undefined): void {
    if (!scroll) return
    this.origin = scroll.origin
    this.top = scroll.top
    this.#seen = this.at
    this.apply()
  }

  /** Goes to a place of the whole. */
  to(y: number): void {
    this.#move(placeAt(y, this.height, this.viewport))
  }

  /** Lets the element be where we say; its height must be up to date. */
  apply(): void {
    if (this.element && Math.abs(this.element.scrollTop - this.top) > 0.5) this.element.scrollTop = this.top
  }

  /** So far that a stretch is seen, and no farther. */
  reveal(top: number, height: number, margin = 60): void {
    if (top - margin < this.at) this.to(top - margin)
    else if (top + height + margin > this.at + this.viewport) this.to(top + height + margin - this.viewport)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
