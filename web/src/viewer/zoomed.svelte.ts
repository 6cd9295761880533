// How the photo lies on the stage: how far it is zoomed, where it was dragged to, and whether it
// follows a finger.
import type { Tile } from '../timeline/source'
import { bounded, fitted, isWhole, scaleMax, WHOLE, zoomAt, type Size, type View } from './zoom'

/** What a click or a double tap zooms to, as far as the photo allows. */
const CLOSE = 2.5
/** What a key zooms by, and moves by. */
const STEP = 1.5
const NUDGE = 120

interface Point {
  x: number
  y: number
}

/** Photos whose size is not known yet are taken for landscapes. */
export const sizeOf = (tile: Tile): Size => ({ width: tile.width || 3, height: tile.height || 2 })

export class Zoomed {
  view = $state.raw<View>(WHOLE)
  /** Whether it glides to where it shall be, or is there at once. */
  moving = $state(false)
  /** How far it has followed a finger that may be about to swipe. */
  slide = $state.raw<Point | undefined>()
  width = $state(0)
  height = $state(0)

  constructor(
    readonly tile: () => Tile | undefined,
    readonly density: () => number = () => devicePixelRatio,
  ) {}

  readonly stage: Size = $derived({ width: Math.max(1, this.width), height: Math.max(1, this.height) })
  readonly whole = $derived(isWhole(this.view))
  readonly #size = $derived.by(() => {
    const tile = this.tile()
    return tile ? sizeOf(tile) : undefined
  })
  readonly #fit = $derived(this.#size ? fitted(this.#size, this.stage) : this.stage)
  readonly #max = $derived.by(() => (this.#size ? scaleMax(this.#size, this.stage, this.density()) : 3))

  /** As near to this as the photo allows; a finger is followed at once, everything else is glided to. */
  set(to: View, settle: boolean): void {
    this.moving = settle
    this.view = bounded(to, this.#fit, this.stage, this.#max)
  }

  to(scale: number, at: Point = { x: 0, y: 0 }): void {
    this.set(zoomAt(this.view, Math.min(this.#max, Math.max(1, scale)), at), true)
  }

  toggle(at: Point): void {
    this.to(this.whole ? Math.min(this.#max, CLOSE) : 1, at)
  }

  closer(): void {
    this.to(this.view.scale * STEP)
  }

  farther(): void {
    this.to(this.view.scale / STEP)
  }

  /** Moves what is seen of a zoomed photo, by steps to the right and down. */
  nudge(right: number, down: number): void {
    if (!this.whole) this.set({ ...this.view, x: this.view.x - right * NUDGE, y: this.view.y - down * NUDGE }, true)
  }

  follow(by: Point | undefined): void {
    this.moving = by === undefined
    this.slide = by
  }

  /** As a photo is that has just come. */
  reset(): void {
    this.view = WHOLE
    this.slide = undefined
  }
}
