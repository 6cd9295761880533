// Fingers, pens, mouse and wheel on the stage: zoom, pan, swipe to the next photo, swipe down to
// close, double tap. Knows nothing of pictures.
import { isWhole, zoomAt, type View } from './zoom'

const TAP_SLACK = 8
const DOUBLE = 300
const SWIPE = 0.18
const FLICK = 0.45 // pixels per millisecond

interface Point {
  x: number
  y: number
}

export interface GestureHost {
  view: () => View
  /** From the middle of the stage. */
  point: (event: { clientX: number; clientY: number }) => Point
  stage: () => { width: number; height: number }
  setView: (view: View, settle: boolean) => void
  /** The photo follows the finger sideways, or down. */
  slide: (by: Point | undefined) => void
  swiped: (step: 1 | -1) => void
  dismissed: () => void
  tapped: (at: Point, kind: 'mouse' | 'touch') => void
  doubleTapped: (at: Point) => void
}

type Mode = 'idle' | 'press' | 'pan' | 'swipe' | 'pull' | 'pinch'

export class Gestures {
  #mode: Mode = 'idle'
  #pointers = new Map<number, Point>()
  #start: Point = { x: 0, y: 0 }
  #startTime = 0
  #startView: View | undefined
  #spread = 0
  #lastTap = -Infinity
  #tapTimer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly host: GestureHost) {}

  down(event: PointerEvent): void {
    if (event.button !== 0) return
    const point = this.host.point(event)
    this.#pointers.set(event.pointerId, point)
    this.#startView = this.host.view()
    if (this.#pointers.size === 2) {
      this.host.slide(undefined)
      this.#mode = 'pinch'
      this.#spread = this.#distance()
      return
    }
    this.#mode = 'press'
    this.#start = point
    this.#startTime = event.timeStamp
  }

  move(event: PointerEvent): void {
    if (!this.#pointers.has(event.pointerId)) return
    const point = this.host.point(event)
    this.#pointers.set(event.pointerId, point)
    if (this.#mode === 'pinch') return this.#pinch()
    const by = { x: point.x - this.#start.x, y: point.y - this.#start.y }
    if (this.#mode === 'press') this.#decide(by)
    if (this.#mode === 'pan') this.#pan(by)
    else if (this.#mode === 'swipe') this.host.slide({ x: by.x, y: 0 })
    else if (this.#mode === 'pull') this.host.slide({ x: by.x, y: Math.max(0, by.y) })
  }

  #decide(by: Point): void {
    if (Math.hypot(by.x, by.y) < TAP_SLACK) return
    if (!isWhole(this.host.view())) this.#mode = 'pan'
    else this.#mode = by.y > Math.abs(by.x) * 1.3 ? 'pull' : 'swipe'
  }

  #pan(by: Point): void {
    const view = this.#startView
    if (view) this.host.setView({ ...view, x: view.x + by.x, y: view.y + by.y }, false)
  }

  #pinch(): void {
    const view = this.#startView
    if (!view || this.#spread === 0) return
    this.host.setView(zoomAt(view, view.scale * (this.#distance() / this.#spread), this.#middle()), false)
  }

  up(event: PointerEvent): void {
    const point = this.#pointers.get(event.pointerId)
    if (!point) return
    this.#pointers.delete(event.pointerId)
    const by = { x: point.x - this.#start.x, y: point.y - this.#start.y }
    const time = Math.max(1, event.timeStamp - this.#startTime)
    if (this.#mode === 'pinch') {
      this.host.setView(this.host.view(), true)
      // The finger that stays pans on.
      const [rest] = this.#pointers.values()
      this.#mode = rest ? 'pan' : 'idle'
      if (rest) this.#start = rest
      this.#startView = this.host.view()
      return
    }
    this.#finish(by, time, point, event.pointerType === 'mouse' ? 'mouse' : 'touch')
    this.#mode = 'idle'
  }

  #finish(by: Point, time: number, point: Point, kind: 'mouse' | 'touch'): void {
    const { width, height } = this.host.stage()
    if (this.#mode === 'press') return this.#tap(point, kind)
    if (this.#mode === 'pan') return this.host.setView(this.host.view(), true)
    if (this.#mode === 'swipe' && (Math.abs(by.x) > width * SWIPE || Math.abs(by.x) / time > FLICK)) this.host.swiped(by.x < 0 ? 1 : -1)
    else if (this.#mode === 'pull' && (by.y > height * SWIPE || by.y / time > FLICK)) this.host.dismissed()
    else this.host.slide(undefined)
  }

  #tap(point: Point, kind: 'mouse' | 'touch'): void {
    // A finger may tap again; a click is a click.
    if (kind === 'mouse') return this.host.tapped(point, kind)
    const now = performance.now()
    clearTimeout(this.#tapTimer)
    if (now - this.#lastTap < DOUBLE) {
      this.#lastTap = -Infinity
      return this.host.doubleTapped(point)
    }
    this.#lastTap = now
    this.#tapTimer = setTimeout(() => this.host.tapped(point, kind), DOUBLE)
  }

  cancel(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId)
    this.host.slide(undefined)
    this.#mode = 'idle'
  }

  wheel(event: WheelEvent): void {
    event.preventDefault()
    const view = this.host.view()
    const zooms = event.ctrlKey || event.deltaMode !== 0 || Math.abs(event.deltaY) >= 50 || isWhole(view)
    if (!zooms) return this.host.setView({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY }, false)
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0025))
    this.host.setView(zoomAt(view, view.scale * factor, this.host.point(event)), false)
  }

  #distance(): number {
    const [one, other] = this.#pointers.values()
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0
  }

  #middle(): Point {
    const [one, other] = this.#pointers.values()
    return one && other ? { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } : { x: 0, y: 0 }
  }
}
