// What a date scrubber shows: the months with their places, and the years there is room for.
import { monthOf, yearOf } from './days'
import type { Layout } from './layout'
import { NO_DAY, type Shape } from './shape'

export interface MonthMark {
  day: number
  top: number
}

export interface YearMark {
  year: number
  /** From 0 at the top to 1 at the end. */
  part: number
}

export function monthMarks(shape: Shape, layout: Layout): MonthMark[] {
  const marks: MonthMark[] = []
  let last = Number.NaN
  for (let group = 0; group < shape.days.length; group += 1) {
    const day = shape.days[group] as number
    if (day === NO_DAY) continue
    const month = monthOf(day)
    if (month === last) continue
    last = month
    marks.push({ day, top: layout.rowTop[layout.groupRow[group] as number] as number })
  }
  return marks
}

/** Years whose names would stand closer than `space` (of 1) are left out. */
export function yearMarks(months: readonly MonthMark[], height: number, space: number): YearMark[] {
  const marks: YearMark[] = []
  for (const { day, top } of months) {
    const year = yearOf(day)
    const part = height > 0 ? top / height : 0
    const last = marks[marks.length - 1]
    if (last && (last.year === year || part - last.part < space)) continue
    marks.push({ year, part })
  }
  return marks
}

export function markAt(months: readonly MonthMark[], top: number): number {
  let found = 0
  while (found + 1 < months.length && (months[found + 1] as MonthMark).top <= top) found += 1
  return found
}
