// The shape of a library: how many photos on which day, and how wide each of them is.

/** Stands for “no day”: a list that is not grouped has one such group. */
export const NO_DAY = -0x8000_0000

export interface Shape {
  count: number
  /** One byte per photo; see ratio.ts. */
  ratios: Uint8Array
  /** Days since 1970, one per group. */
  days: Int32Array
  /** The first photo of each group, and the number of all photos at the end. */
  starts: Uint32Array
}

export const EMPTY: Shape = { count: 0, ratios: new Uint8Array(), days: new Int32Array(), starts: new Uint32Array([0]) }

/** Makes groups of photos whose days are given one by one. */
export function groupByDay(dayOf: ArrayLike<number>, ratios: Uint8Array): Shape {
  const days: number[] = []
  const starts: number[] = []
  for (let index = 0; index < dayOf.length; index += 1) {
    const day = dayOf[index] as number
    if (days.length === 0 || days[days.length - 1] !== day) {
      days.push(day)
      starts.push(index)
    }
  }
  starts.push(dayOf.length)
  return { count: dayOf.length, ratios, days: Int32Array.from(days), starts: Uint32Array.from(starts) }
}

/** The last entry of `sorted` that is not above `value`; the first if all are. */
export function lastNotAbove(sorted: ArrayLike<number>, value: number, length = sorted.length): number {
  let low = 0
  let high = length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sorted[middle] as number) <= value) low = middle
    else high = middle - 1
  }
  return low
}

export const groupOf = (shape: Shape, index: number): number => lastNotAbove(shape.starts, index, shape.days.length)
