// Selecting by dragging: a frame drawn with the mouse, or a finger that rests on a photo and then
// moves on. Near an edge the grid scrolls along.

const SLACK = 8
const HOLD = 420
const EDGE = 70

export interface DragHost {
  /** A point of the grid, in the coordinates of the whole. */
  point: (event: PointerEvent) => { x: number; y: number }
  indexAt: (event: PointerEvent) => number | undefined
  /** The edges of what is seen, on screen. */
  edges: () => { top: number; bottom: number }
  scrollBy: (pixels: number) => void
  onframe: (from: { x: number; y: number }, to: { x: number; y: number }) => void
  onhold: (index: number) => void
  onstretch: (from: number, to: number) => void
  onend: () => void
}

type Kind = 'none' | 'maybe' | 'frame' | 'hold'

export class Drag {
  #kind: Kind = 'none'
  #start = { x: 0, y: 0 }
  #screen = { x: 0, y: 0 }
  #from: number | undefined
  #last: PointerEvent | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0
  /** A drag is not a click: the click that the browser sends after it is to be dropped. */
  justEnded = false

  constructor(readonly host: DragHost) {}

  get active(): boolean {
    return this.#kind === 'frame' || this.#kind === 'hold'
  }

  down(event: PointerEvent): void {
    if (event.button !== 0 || this.#kind !== 'none') return
    this.justEnded = false
    this.#kind = 'maybe'
    this.#start = this.host.point(event)
    this.#screen = { x: event.clientX, y: event.clientY }
    this.#from = this.host.indexAt(event)
    if (event.pointerType !== 'mouse') this.#timer = setTimeout(() => this.#hold(), HOLD)
  }

  #hold(): void {
    if (this.#kind !== 'maybe' || this.#from === undefined) return
    this.#kind = 'hold'
    navigator.vibrate?.(10)
    this.host.onhold(this.#from)
  }

  move(event: PointerEvent): void {
    if (this.#kind === 'none') return
    if (this.#kind === 'maybe') this.#begin(event)
    if (!this.active) return
    this.#last = event
    this.#draw()
    this.#frame ||= requestAnimationFrame(() => this.#creep())
  }

  #begin(event: PointerEvent): void {
    if (Math.hypot(event.clientX - this.#screen.x, event.clientY - this.#screen.y) < SLACK) return
    if (event.pointerType === 'mouse') this.#kind = 'frame'
    else this.cancel()
  }

  #draw(): void {
    if (!this.#last) return
    if (this.#kind === 'frame') return this.host.onframe(this.#start, this.host.point(this.#last))
    const to = this.host.indexAt(this.#last)
    if (to !== undefined && this.#from !== undefined) this.host.onstretch(this.#from, to)
  }

  #creep(): void {
    this.#frame = 0
    if (!this.active || !this.#last) return
    const { top, bottom } = this.host.edges()
    const y = this.#last.clientY
    const past = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0
    if (past === 0) return
    this.host.scrollBy(past / 4)
    this.#draw()
    this.#frame = requestAnimationFrame(() => this.#creep())
  }

  up(): void {
    if (this.active) {
      this.justEnded = true
      setTimeout(() => (this.justEnded = false), 50)
      this.host.onend()
    }
    this.cancel()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#kind = 'none'
    this.#last = undefined
  }
}
