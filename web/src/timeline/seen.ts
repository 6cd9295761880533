// What of a grid is in the document: the photos of some rows, and the names of their days.
import { boxesOfRow, rowsBetween, type Box, type Layout } from './layout'
import { groupOf, NO_DAY, type Shape } from './shape'

export interface DayHead {
  group: number
  day: number
  left: number
  top: number
  width: number
}

/** So far above its photos the name of a day must be gone before it stands at the top edge instead. */
const LEAVES = 12

export function boxesBetween(shape: Shape, layout: Layout, fromRow: number, beforeRow: number): Box[] {
  const found: Box[] = []
  for (let row = fromRow; row < beforeRow; row += 1) boxesOfRow(shape, layout, row, found)
  return found
}

/** The names of the days of photos, as far as their first rows are not above `fromRow`. */
export function daysBetween(shape: Shape, layout: Layout, fromRow: number, first: number, before: number): DayHead[] {
  const found: DayHead[] = []
  if (before === 0) return found
  for (let group = groupOf(shape, first); group <= groupOf(shape, before - 1); group += 1) {
    const row = layout.groupRow[group] as number
    const day = shape.days[group] as number
    if (day === NO_DAY || row < fromRow) continue
    found.push({ group, day, left: layout.rowLeft[row] as number, top: headTop(layout, group), width: layout.groupWidth[group] as number })
  }
  return found
}

/** The day at `top`, while its own name is above that. */
export function dayAt(shape: Shape, layout: Layout, top: number): number | undefined {
  if (top <= 0 || shape.count === 0) return undefined
  const row = rowsBetween(layout, top, top + 1)[0]
  const group = groupOf(shape, layout.rowStart[Math.min(row, layout.rowCount - 1)] as number)
  const day = shape.days[group] as number
  return day === NO_DAY || headTop(layout, group) > top - LEAVES ? undefined : day
}

const headTop = (layout: Layout, group: number): number => (layout.rowTop[layout.groupRow[group] as number] as number) - layout.options.headHeight
