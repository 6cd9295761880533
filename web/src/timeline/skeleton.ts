// Reads the compact form in which the server describes a whole library (docs/api.md, “Timeline”),
// keeps it by month, and makes the shape of it.
import { groupByHours, type HourCounts } from './hours'
import type { Shape } from './shape'

const MAGIC = 0x4c545446 // “FTTL”
const VERSION = 1
const HEAD_BYTES = 16
const MONTH_BYTES = 24

export interface Month {
  /** Such as `2026-05`. */
  name: string
  /** Changes with every photo of the month. */
  tag: string
  hours: Int32Array
  counts: Uint32Array
  ratios: Uint8Array
}

export function readSkeleton(buffer: ArrayBuffer): Month[] {
  const view = new DataView(buffer)
  if (buffer.byteLength < HEAD_BYTES || view.getUint32(0, true) !== MAGIC || view.getUint8(4) !== VERSION) {
    throw new Error('the timeline is not of the kind that this gallery reads')
  }
  const months = view.getUint32(8, true)
  let hourAt = HEAD_BYTES + months * MONTH_BYTES
  let photoAt = buffer.byteLength - view.getUint32(12, true)
  return Array.from({ length: months }, (_, index) => {
    const at = HEAD_BYTES + index * MONTH_BYTES
    const photos = view.getUint32(at + 4, true)
    const hours = view.getUint32(at + 8, true)
    const month = {
      name: `${String(view.getUint16(at, true)).padStart(4, '0')}-${String(view.getUint8(at + 2)).padStart(2, '0')}`,
      tag: hex(view.getUint32(at + 20, true)) + hex(view.getUint32(at + 16, true)),
      ...readHours(view, hourAt, hours),
      ratios: new Uint8Array(buffer, photoAt, photos),
    }
    hourAt += hours * 8
    photoAt += photos
    return month
  })
}

const hex = (number: number): string => number.toString(16).padStart(8, '0')

function readHours(view: DataView, at: number, length: number): HourCounts {
  const hours = new Int32Array(length)
  const counts = new Uint32Array(length)
  for (let index = 0; index < length; index += 1) {
    hours[index] = view.getInt32(at + index * 8, true)
    counts[index] = view.getUint32(at + index * 8 + 4, true)
  }
  return { hours, counts }
}

/** The shape of all months together; `zone` says how many minutes an hour is shifted to be local. */
export function shapeOf(months: readonly Month[], zone: (hour: number) => number): Shape {
  const count = months.reduce((sum, month) => sum + month.ratios.length, 0)
  const ratios = new Uint8Array(count)
  let at = 0
  for (const month of months) {
    ratios.set(month.ratios, at)
    at += month.ratios.length
  }
  return groupByHours(months, ratios, zone)
}

/** Where each month begins. */
export function monthStarts(months: readonly Month[]): Uint32Array {
  const starts = new Uint32Array(months.length + 1)
  months.forEach((month, index) => (starts[index + 1] = (starts[index] as number) + month.ratios.length))
  return starts
}
