import { expect, test } from 'vitest'
import { layOut, rowsBetween } from './layout'
import { ratioByte } from './ratio'
import { boxesBetween, dayAt, daysBetween } from './seen'
import { groupByDay, NO_DAY } from './shape'

const options = { width: 1200, rowHeight: 220, gap: 4, headHeight: 46, dayGap: 22, dayWidthMin: 96 }
// Three days of thirty photos, each with rows of its own.
const ratios = new Uint8Array(90).fill(ratioByte(4000, 3000))
const days = Int32Array.from({ length: 90 }, (_, index) => 20_000 - Math.floor(index / 30))
const shape = groupByDay(days, ratios)
const layout = layOut(shape, options)
const middle = layout.groupRow[1] as number
const middleTop = layout.rowTop[middle] as number

test('the photos of some rows stand in order and are all of them', () => {
  const [from, before] = rowsBetween(layout, 0, layout.height)
  expect(boxesBetween(shape, layout, from, before).map((box) => box.index)).toEqual(Array.from({ length: 90 }, (_, index) => index))
  expect(boxesBetween(shape, layout, 2, 2)).toEqual([])
})

test('a day has its name above its first row, and only there', () => {
  const all = daysBetween(shape, layout, 0, 0, 90)
  expect(all.map(({ day }) => day)).toEqual([20_000, 19_999, 19_998])
  expect(all[1]).toEqual({ group: 1, day: 19_999, left: 0, top: middleTop - 46, width: 1200 })
  // One row further the name of the day is out of the document.
  const later = boxesBetween(shape, layout, middle + 1, middle + 2)
  expect(daysBetween(shape, layout, middle + 1, later[0]?.index ?? 0, (later.at(-1)?.index ?? 0) + 1)).toEqual([])
  expect(daysBetween(shape, layout, 0, 0, 0)).toEqual([])
})

test('the day at the top edge is named while its own name is out of sight', () => {
  expect(dayAt(shape, layout, 0)).toBeUndefined()
  expect(dayAt(shape, layout, middleTop - 46)).toBeUndefined()
  expect(dayAt(shape, layout, middleTop + 10)).toBe(19_999)
  expect(dayAt(shape, layout, layout.height + 1000)).toBe(19_998)
})

test('a list without days has no names', () => {
  const plain = groupByDay(new Int32Array(90).fill(NO_DAY), ratios)
  const laid = layOut(plain, options)
  expect(daysBetween(plain, laid, 0, 0, 90)).toEqual([])
  expect(dayAt(plain, laid, 500)).toBeUndefined()
})
