// Which photo is above, below, under the pointer or within a frame.
import { boxesOfRow, boxOf, rowOf, rowsBetween, type Box, type Layout } from './layout'
import type { Shape } from './shape'

const middle = (box: Box): number => box.left + box.width / 2

/** The photo in the line above (-1) or below (+1) that stands nearest. */
export function verticalNeighbour(shape: Shape, layout: Layout, index: number, step: 1 | -1): number {
  const box = boxOf(shape, layout, index)
  if (!box) return index
  let row = rowOf(layout, index)
  while (row >= 0 && row < layout.rowCount && layout.rowTop[row] === box.top) row += step
  if (row < 0 || row >= layout.rowCount) return index
  const line = boxesOfLine(shape, layout, row)
  let best = line[0]
  for (const candidate of line) {
    if (best && Math.abs(middle(candidate) - middle(box)) < Math.abs(middle(best) - middle(box))) best = candidate
  }
  return best?.index ?? index
}

/** All photos whose tops are those of the row: days can stand beside each other. */
function boxesOfLine(shape: Shape, layout: Layout, row: number): Box[] {
  const top = layout.rowTop[row]
  let from = row
  while (from > 0 && layout.rowTop[from - 1] === top) from -= 1
  const boxes: Box[] = []
  for (let at = from; at < layout.rowCount && layout.rowTop[at] === top; at += 1) boxesOfRow(shape, layout, at, boxes)
  return boxes
}

export interface Frame {
  left: number
  top: number
  right: number
  bottom: number
}

/** The photos that a frame touches. */
export function within(shape: Shape, layout: Layout, frame: Frame): number[] {
  const [from, before] = rowsBetween(layout, frame.top, frame.bottom)
  const found: number[] = []
  for (let row = from; row < before; row += 1) {
    for (const box of boxesOfRow(shape, layout, row)) {
      const beside = box.left > frame.right || box.left + box.width < frame.left
      const apart = box.top > frame.bottom || box.top + box.height < frame.top
      if (!beside && !apart) found.push(box.index)
    }
  }
  return found
}

/** The photo at a point, or the nearest in its line. */
export function at(shape: Shape, layout: Layout, x: number, y: number): number | undefined {
  const [from, before] = rowsBetween(layout, y, y + 1)
  if (from === before) return undefined
  let best: Box | undefined
  const away = (box: Box): number => Math.max(box.left - x, x - box.left - box.width, 0)
  for (const box of boxesOfLine(shape, layout, from)) if (!best || away(box) < away(best)) best = box
  return best?.index
}
