// Dragging a tile to another place, with a mouse, a pen or a finger. A finger has to rest a moment first, since moving it
// at once means scrolling.

interface Options {
  /** The tiles in their order, as they are on screen. */
  tiles: () => HTMLElement[]
  /** The tile was dropped before the `index`-th. */
  drop: (id: string, index: number) => void
}

const SLIP = 6
const REST = 300
const EDGE = 70

export class Drag {
  /** Which tile is being dragged. */
  held = $state<string | undefined>()
  /** Before which tile it would be dropped now. */
  index = $state<number | undefined>()
  /** Whether a click is only the end of a drag. */
  justDropped = false

  #options: Options
  #scrolling = 0

  constructor(options: Options) {
    this.#options = options
  }

  press(event: PointerEvent, id: string): void {
    if (event.button !== 0) return
    const node = event.currentTarget as HTMLElement
    const from = { x: event.clientX, y: event.clientY }
    const touch = event.pointerType === 'touch'
    const begin = (): void => {
      this.held = id
      node.setPointerCapture(event.pointerId)
    }
    const timer = touch ? setTimeout(begin, REST) : undefined
    const stop = new AbortController()
    const listen = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void, options?: AddEventListenerOptions): void =>
      node.addEventListener(type, act as EventListener, { signal: stop.signal, ...options })
    const end = (drop: boolean): void => {
      clearTimeout(timer)
      stop.abort()
      this.#finish(id, drop)
    }
    listen('pointermove', (move) => {
      const slipped = Math.hypot(move.clientX - from.x, move.clientY - from.y) > SLIP
      if (this.held === undefined && slipped) {
        if (touch) return end(false)
        begin()
      }
      if (this.held !== undefined) this.#over(move.clientX, move.clientY)
    })
    listen('pointerup', () => end(true))
    listen('pointercancel', () => end(false))
    listen('keydown', (key) => key.key === 'Escape' && end(false))
    // Once it is held, a finger no longer scrolls.
    listen('touchmove', (move) => this.held !== undefined && move.cancelable && move.preventDefault(), { passive: false })
    listen('dragstart', (native) => native.preventDefault())
  }

  #over(x: number, y: number): void {
    this.index = nearest(this.#options.tiles(), x, y)
    this.#scroll(y)
  }

  /** Near the upper or lower edge, what is beyond comes nearer. */
  #scroll(y: number): void {
    cancelAnimationFrame(this.#scrolling)
    const frame = document.querySelector('main')
    const box = frame?.getBoundingClientRect()
    if (!frame || !box || this.held === undefined) return
    const by = y < box.top + EDGE ? -12 : y > box.bottom - EDGE ? 12 : 0
    if (by === 0) return
    frame.scrollBy(0, by)
    this.#scrolling = requestAnimationFrame(() => this.#scroll(y))
  }

  #finish(id: string, drop: boolean): void {
    cancelAnimationFrame(this.#scrolling)
    const index = this.index
    const held = this.held !== undefined
    this.held = undefined
    this.index = undefined
    if (!held) return
    this.justDropped = true
    setTimeout(() => (this.justDropped = false))
    if (drop && index !== undefined) this.#options.drop(id, index)
  }
}

/** Before which tile something is dropped at a point: the nearest one, or the next if the point is in its right half. */
function nearest(tiles: HTMLElement[], x: number, y: number): number | undefined {
  let best: { distance: number; index: number } | undefined
  for (const [place, tile] of tiles.entries()) {
    const box = tile.getBoundingClientRect()
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    // Rows count more than columns, so that the end of a row is not the beginning of the one below.
    const distance = Math.hypot(x - middle.x, (y - middle.y) * 2)
    if (!best || distance < best.distance) best = { distance, index: x > middle.x ? place + 1 : place }
  }
  return best?.index
}
