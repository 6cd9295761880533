import { expect, test } from 'vitest'
import { layOut } from './layout'
import { moveTo } from './moves'
import { ratioByte } from './ratio'
import { groupByDay } from './shape'

// Ten squares to a row: 1000 wide, 100 high.
const shape = groupByDay(new Int32Array(200).fill(20_000), new Uint8Array(200).fill(ratioByte(1, 1)))
const layout = layOut(shape, { width: 1000, rowHeight: 100, gap: 0, headHeight: 40, dayGap: 20, dayWidthMin: 100 })
const move = (key: string, current: number): number | undefined => moveTo(key, current, shape, layout, 450)

test('sideways by one, and not beyond the ends', () => {
  expect([move('ArrowRight', 5), move('ArrowLeft', 5)]).toEqual([6, 4])
  expect([move('ArrowRight', 199), move('ArrowLeft', 0)]).toEqual([199, 0])
})

test('up and down to the photo in the same column', () => {
  expect([move('ArrowDown', 13), move('ArrowUp', 13)]).toEqual([23, 3])
  expect([move('ArrowDown', 193), move('ArrowUp', 3)]).toEqual([193, 3])
})

test('by pages one row less than is seen, so that one keeps track', () => {
  expect([move('PageDown', 13), move('PageUp', 93)]).toEqual([43, 63])
  expect(move('PageDown', 185)).toBe(195)
})

test('to both ends, and by other keys nowhere', () => {
  expect([move('Home', 77), move('End', 77)]).toEqual([0, 199])
  expect(move('Enter', 77)).toBeUndefined()
})
