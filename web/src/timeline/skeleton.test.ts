import { expect, test } from 'vitest'
import { hourPlace, indexOfHourPlace, noZone } from './hours'
import { readSkeleton, shapeOf, monthStarts, type Month } from './skeleton'

interface Given {
  year: number
  month: number
  hours: [hour: number, ratios: number[]][]
}

/** The form that the server sends (docs/api.md). */
function written(months: Given[]): ArrayBuffer {
  const hours = months.reduce((sum, month) => sum + month.hours.length, 0)
  const photos = months.flatMap((month) => month.hours.flatMap(([, ratios]) => ratios))
  const view = new DataView(new ArrayBuffer(16 + months.length * 24 + hours * 8 + photos.length))
  ;[...'FTTL'].forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)))
  view.setUint8(4, 1)
  view.setUint32(8, months.length, true)
  view.setUint32(12, photos.length, true)
  let hourAt = 16 + months.length * 24
  months.forEach((month, index) => {
    const at = 16 + index * 24
    view.setUint16(at, month.year, true)
    view.setUint8(at + 2, month.month)
    view.setUint32(at + 4, month.hours.reduce((sum, [, ratios]) => sum + ratios.length, 0), true)
    view.setUint32(at + 8, month.hours.length, true)
    view.setUint32(at + 16, 0xdeadbeef, true)
    view.setUint32(at + 20, 0x0000_0f00 + index, true)
    for (const [hour, ratios] of month.hours) {
      view.setInt32(hourAt, hour, true)
      view.setUint32(hourAt + 4, ratios.length, true)
      hourAt += 8
    }
  })
  new Uint8Array(view.buffer).set(photos, hourAt)
  return view.buffer
}

const HOUR = 493_000
const some: Given[] = [
  { year: 2026, month: 5, hours: [[HOUR, [150, 151, 152]], [HOUR - 30, [128]]] },
  { year: 2026, month: 4, hours: [[HOUR - 800, [100, 101]]] },
]

test('months, tags, hours and ratios are read', () => {
  const months = readSkeleton(written(some))
  expect(months.map(({ name, tag }) => [name, tag])).toEqual([
    ['2026-05', '00000f00deadbeef'],
    ['2026-04', '00000f01deadbeef'],
  ])
  expect([...(months[0] as Month).ratios, ...(months[1] as Month).ratios]).toEqual([150, 151, 152, 128, 100, 101])
  expect([...monthStarts(months)]).toEqual([0, 4, 6])
})

test('hours become days, in the zone that is asked for', () => {
  const months = readSkeleton(written(some))
  const shape = shapeOf(months, noZone)
  expect([...shape.starts]).toEqual([0, 3, 4, 6])
  expect([...shape.days]).toEqual([HOUR, HOUR - 30, HOUR - 800].map((hour) => Math.floor(hour / 24)))
  const east = shapeOf(months, () => 24 * 60)
  expect(east.days[0]).toBe((shape.days[0] as number) + 1)
})

test('something else is refused', () => {
  expect(() => readSkeleton(new TextEncoder().encode('<!doctype html><title>').buffer as ArrayBuffer)).toThrow()
  expect(() => readSkeleton(new ArrayBuffer(3))).toThrow()
})

test('a library without photos has none', () => {
  expect(shapeOf(readSkeleton(written([])), noZone).count).toBe(0)
})

test('a place stays when photos come in front of it', () => {
  const before = readSkeleton(written(some))
  const [may, april] = some as [Given, Given]
  const after = readSkeleton(written([{ ...may, hours: [[HOUR + 2, [1, 1]], [HOUR, [9, 150, 151, 152]], [HOUR - 30, [128]]] }, april]))
  // The first three are in the hour that got one more in front.
  for (const [index, moved] of [[0, 3], [2, 5], [3, 6], [5, 8]] as const) {
    const place = hourPlace(before, index)
    expect(place && indexOfHourPlace(after, place)).toBe(moved)
  }
})

test('a place whose photos are gone becomes the next older one', () => {
  const before = readSkeleton(written(some))
  const place = hourPlace(before, 3)
  const after = readSkeleton(written([{ ...(some[0] as Given), hours: [[HOUR, [150, 151, 152]]] }, some[1] as Given]))
  expect(place && indexOfHourPlace(after, place)).toBe(3)
})
