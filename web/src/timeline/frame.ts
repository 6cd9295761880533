// What a grid leaves free and how large its rows are, by how wide it is.
import type { LayoutOptions } from './layout'
import { rowHeightFor, type Size } from './settings.svelte'

const PHONE = 640
/** What the bar of time needs beside the photos. */
const SCRUBBER = 56
const MARGIN = 24

export interface GridFrame {
  left: number
  right: number
  options: LayoutOptions
}

/** On a phone photos reach from edge to edge, under the bar of time. */
export function frameFor(width: number, size: Size, scrubbed: boolean): GridFrame {
  const phone = width < PHONE
  const left = phone ? 0 : MARGIN
  const right = phone ? 0 : scrubbed ? SCRUBBER : MARGIN
  const options = {
    width: Math.max(80, width - left - right),
    rowHeight: rowHeightFor(width, size),
    gap: phone ? 2 : 4,
    headHeight: 46,
    dayGap: phone ? 14 : 22,
    dayWidthMin: phone ? 110 : 150,
  }
  return { left, right, options }
}
