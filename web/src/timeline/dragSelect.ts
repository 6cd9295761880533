// Selecting photos by dragging over a grid.
import { Drag } from './drag'
import type { Layout } from './layout'
import { at, within, type Frame } from './neighbours'
import type { Picking } from './picking'
import type { Shape } from './shape'

export interface Dragged {
  shape: Shape
  layout: Layout
  /** Where photos begin from the left edge, and what of them is at the top edge. */
  left: number
  seen: number
}

export interface DragSelectHost {
  grid: () => Dragged
  root: () => HTMLElement
  scrollBy: (pixels: number) => void
  /** Shows the frame that is drawn, in the coordinates of the photos; none when it ends. */
  draw: (frame: Frame | undefined) => void
}

interface Point {
  x: number
  y: number
}

/** The frame between two corners, whichever they are. */
export const frameOf = (from: Point, to: Point): Frame => ({
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  right: Math.max(from.x, to.x),
  bottom: Math.max(from.y, to.y),
})

export function dragSelect(picking: Picking, host: DragSelectHost): Drag {
  const point = (event: PointerEvent): Point => {
    const box = host.root().getBoundingClientRect()
    const { left, seen } = host.grid()
    return { x: event.clientX - box.left - left, y: event.clientY - box.top + seen }
  }
  return new Drag({
    point,
    indexAt: (event) => {
      const { shape, layout } = host.grid()
      const { x, y } = point(event)
      return at(shape, layout, x, y)
    },
    edges: () => host.root().getBoundingClientRect(),
    scrollBy: host.scrollBy,
    onhold: (index) => void picking.dragOver(index, index + 1),
    onstretch: (from, to) => void picking.dragOver(Math.min(from, to), Math.max(from, to) + 1),
    onframe: (from, to) => {
      const { shape, layout } = host.grid()
      const frame = frameOf(from, to)
      host.draw(frame)
      void picking.dragOver(0, 0, within(shape, layout, frame))
    },
    onend: () => {
      host.draw(undefined)
      picking.dragEnd()
    },
  })
}
