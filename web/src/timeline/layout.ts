// Where every photo stands. Rows are justified: as many photos as fit, scaled until they fill the
// width. Days that do not fill a row share one with their neighbours. Only rows are stored, a
// few bytes each; where a photo stands in its row is computed when the row is drawn.
import { lastNotAbove, NO_DAY, type Shape } from './shape'
import { RATIOS } from './ratio'

export interface LayoutOptions {
  width: number
  /** The height that rows should have about. */
  rowHeight: number
  gap: number
  /** Room for the day above its first row. */
  headHeight: number
  /** Between days, beside and below each other. */
  dayGap: number
  /** A day is at least so wide that its name can be read. */
  dayWidthMin: number
}

export interface Layout {
  options: LayoutOptions
  height: number
  rowCount: number
  /** By row: the first photo, top, left and height. One more first photo at the end. */
  rowStart: Uint32Array
  rowTop: Float64Array
  rowLeft: Float32Array
  rowHeight: Float32Array
  /** By group: the first row, and how much room the day has. */
  groupRow: Uint32Array
  groupWidth: Float32Array
}

const STRETCH_MAX = 1.4
const SQUEEZE_MIN = 0.72

class Builder {
  readonly layout: Layout
  #top = 0
  #row = 0
  // The days that stand beside each other in the line that is not finished.
  #lineGroup = 0
  #lineRatio = 0
  #linePhotos = 0
  #lineWidth = 0

  constructor(
    readonly shape: Shape,
    readonly o: LayoutOptions,
  ) {
    const groups = shape.days.length
    // No row is shorter than one photo, and few are: this is room enough, and cut at the end.
    const rows = shape.count + 1
    this.layout = {
      options: o,
      height: 0,
      rowCount: 0,
      rowStart: new Uint32Array(rows),
      rowTop: new Float64Array(rows),
      rowLeft: new Float32Array(rows),
      rowHeight: new Float32Array(rows),
      groupRow: new Uint32Array(groups),
      groupWidth: new Float32Array(groups),
    }
  }

  build(): Layout {
    const { days, starts } = this.shape
    for (let group = 0; group < days.length; group += 1) {
      this.#addGroup(group, starts[group] as number, starts[group + 1] as number)
    }
    this.#endLine(days.length)
    return this.#finish()
  }

  #addGroup(group: number, from: number, to: number): void {
    const { width, rowHeight, gap, dayGap, dayWidthMin } = this.o
    let ratio = 0
    // Only a day that fits into one row can share it; no need to look further than that.
    const room = width + rowHeight
    let index = from
    while (index < to && ratio * rowHeight <= room) ratio += this.#ratio(index++)
    const natural = Math.max(dayWidthMin, ratio * rowHeight + (to - from - 1) * gap)
    if (index < to || natural > width) {
      this.#endLine(group)
      this.#addRows(group, from, to)
      this.#lineGroup = group + 1
      return
    }
    const beside = this.#lineWidth === 0 ? 0 : this.#lineWidth + dayGap
    if (beside + natural > width) this.#endLine(group)
    const left = this.#lineWidth === 0 ? 0 : this.#lineWidth + dayGap
    this.layout.groupRow[group] = this.#row
    this.#putRow(from, left, rowHeight)
    this.#lineRatio += ratio
    this.#linePhotos += to - from
    this.#lineWidth = left + natural
  }

  /** A day with rows of its own. */
  #addRows(group: number, from: number, to: number): void {
    const { width, rowHeight, gap, headHeight, dayGap } = this.o
    this.layout.groupRow[group] = this.#row
    this.layout.groupWidth[group] = width
    this.#top += this.#headOf(group, headHeight)
    let start = from
    let ratio = 0
    for (let index = from; index < to; index += 1) {
      const next = this.#ratio(index)
      const photos = index - start
      const heightWith = (width - photos * gap) / (ratio + next)
      if (heightWith <= rowHeight) {
        const heightWithout = photos === 0 ? Infinity : (width - (photos - 1) * gap) / ratio
        if (heightWithout - rowHeight < rowHeight - heightWith) {
          this.#fullRow(start, heightWithout)
          start = index
          ratio = next
          continue
        }
        this.#fullRow(start, heightWith)
        start = index + 1
        ratio = 0
      } else ratio += next
    }
    if (start < to) this.#lastRow(group, start, to)
    this.#top += dayGap - gap
  }

  /** What is left at the end of a day fills its row, shares with the row before, or stands as it is. */
  #lastRow(group: number, start: number, to: number): void {
    const { rowHeight } = this.o
    const height = this.#filling(start, to)
    if (height <= rowHeight * STRETCH_MAX) return this.#fullRow(start, height)
    const previous = this.#row - 1
    if (previous < (this.layout.groupRow[group] as number)) return this.#fullRow(start, rowHeight)
    const from = this.layout.rowStart[previous] as number
    const split = this.#split(from, to)
    if (split === undefined) return this.#fullRow(start, rowHeight)
    this.#row = previous
    this.#top = this.layout.rowTop[previous] as number
    this.#fullRow(from, this.#filling(from, split))
    if (split < to) this.#fullRow(split, this.#filling(split, to))
  }

  /** Where to part photos into two rows of much the same height, or not at all (`to`); if it can be done. */
  #split(from: number, to: number): number | undefined {
    const { rowHeight } = this.o
    if (this.#filling(from, to) >= rowHeight * SQUEEZE_MIN) return to
    let best: number | undefined
    let least = Infinity
    for (let split = from + 1; split < to; split += 1) {
      const [one, other] = [this.#filling(from, split), this.#filling(split, to)]
      if (Math.max(one, other) > rowHeight * STRETCH_MAX || Math.abs(one - other) >= least) continue
      best = split
      least = Math.abs(one - other)
    }
    return best
  }

  /** The height at which photos fill a row. */
  #filling(from: number, to: number): number {
    let ratio = 0
    for (let index = from; index < to; index += 1) ratio += this.#ratio(index)
    return (this.o.width - (to - from - 1) * this.o.gap) / ratio
  }

  #fullRow(start: number, height: number): void {
    this.#putRow(start, 0, height)
    this.#top += height + this.o.gap
  }

  #putRow(start: number, left: number, height: number): void {
    const { rowStart, rowTop, rowLeft, rowHeight } = this.layout
    rowStart[this.#row] = start
    rowTop[this.#row] = this.#top
    rowLeft[this.#row] = left
    rowHeight[this.#row] = height
    this.#row += 1
  }

  /** Scales the days of a line until they fill it, if that does not make them too large. */
  #endLine(before: number): void {
    const from = this.#lineGroup
    const { width, rowHeight, gap, headHeight, dayGap } = this.o
    if (from < before) {
      const gaps = (before - from - 1) * dayGap + (this.#linePhotos - (before - from)) * gap
      const filling = (width - gaps) / this.#lineRatio
      const height = filling <= rowHeight * STRETCH_MAX && filling >= rowHeight ? filling : rowHeight
      const head = this.#headOf(from, headHeight)
      this.#placeLine(from, before, height, this.#top + head)
      this.#top += head + height + dayGap
    }
    this.#lineGroup = before
    this.#lineRatio = 0
    this.#linePhotos = 0
    this.#lineWidth = 0
  }

  #placeLine(from: number, before: number, height: number, top: number): void {
    const { rowTop, rowLeft, rowHeight, rowStart, groupRow, groupWidth } = this.layout
    let left = 0
    for (let group = from; group < before; group += 1) {
      const row = groupRow[group] as number
      const end = this.shape.starts[group + 1] as number
      let width = -this.o.gap
      for (let index = rowStart[row] as number; index < end; index += 1) width += this.#ratio(index) * height + this.o.gap
      rowTop[row] = top
      rowLeft[row] = left
      rowHeight[row] = height
      // The name of the last day in a line has all the room that is left.
      const room = group === before - 1 ? this.o.width - left : Math.max(width, this.o.dayWidthMin)
      groupWidth[group] = Math.min(this.o.width - left, room)
      left += Math.max(width, this.o.dayWidthMin) + this.o.dayGap
    }
  }

  #finish(): Layout {
    const { layout } = this
    layout.rowCount = this.#row
    layout.rowStart[this.#row] = this.shape.count
    layout.rowStart = layout.rowStart.slice(0, this.#row + 1)
    layout.rowTop = layout.rowTop.slice(0, this.#row)
    layout.rowLeft = layout.rowLeft.slice(0, this.#row)
    layout.rowHeight = layout.rowHeight.slice(0, this.#row)
    layout.height = Math.max(0, this.#top)
    return layout
  }

  #ratio(index: number): number {
    return RATIOS[this.shape.ratios[index] as number] as number
  }

  #headOf(group: number, height: number): number {
    return this.shape.days[group] === NO_DAY ? 0 : height
  }
}

export function layOut(shape: Shape, options: LayoutOptions): Layout {
  return new Builder(shape, options).build()
}

export interface Box {
  index: number
  left: number
  top: number
  width: number
  height: number
}

/** The photos of a row, from left to right. */
export function boxesOfRow(shape: Shape, layout: Layout, row: number, into: Box[] = []): Box[] {
  const height = layout.rowHeight[row] as number
  const top = layout.rowTop[row] as number
  let left = layout.rowLeft[row] as number
  const end = layout.rowStart[row + 1] as number
  for (let index = layout.rowStart[row] as number; index < end; index += 1) {
    const width = (RATIOS[shape.ratios[index] as number] as number) * height
    into.push({ index, left, top, width: Math.min(width, layout.options.width - left), height })
    left += width + layout.options.gap
  }
  return into
}

/** The rows that touch the stretch from `top` to `bottom`. */
export function rowsBetween(layout: Layout, top: number, bottom: number): [from: number, before: number] {
  if (layout.rowCount === 0) return [0, 0]
  let from = lastNotAbove(layout.rowTop, top)
  // Rows beside each other have the same top; begin with the first of them.
  while (from > 0 && layout.rowTop[from - 1] === layout.rowTop[from]) from -= 1
  if ((layout.rowTop[from] as number) + (layout.rowHeight[from] as number) < top) {
    const here = layout.rowTop[from] as number
    while (from < layout.rowCount && layout.rowTop[from] === here) from += 1
  }
  let before = from
  while (before < layout.rowCount && (layout.rowTop[before] as number) < bottom) before += 1
  return [from, before]
}

export const rowOf = (layout: Layout, index: number): number => lastNotAbove(layout.rowStart, index, layout.rowCount)

export function boxOf(shape: Shape, layout: Layout, index: number): Box | undefined {
  if (index < 0 || index >= shape.count) return undefined
  return boxesOfRow(shape, layout, rowOf(layout, index)).find((box) => box.index === index)
}
