import { expect, test } from 'vitest'
import { behindAt, moved, steppedBehind } from './order'

const order = ['a', 'b', 'c', 'd', 'e']

test('images are put behind another one, or first', () => {
  expect(moved(order, ['b'], 'd')).toEqual(['a', 'c', 'd', 'b', 'e'])
  expect(moved(order, ['d'], null)).toEqual(['d', 'a', 'b', 'c', 'e'])
})

test('several keep the order they had among themselves', () => {
  expect(moved(order, ['e', 'a'], 'c')).toEqual(['b', 'c', 'a', 'e', 'd'])
})

test('a drop is behind the nearest image before it that stays', () => {
  expect(behindAt(order, ['b'], 4)).toBe('d')
  expect(behindAt(order, ['a', 'b'], 2)).toBe(null)
  expect(behindAt(order, ['c'], 0)).toBe(null)
  expect(behindAt(order, ['c'], 5)).toBe('e')
})

test('a drop where it is changes nothing', () => {
  for (const [place, id] of order.entries()) {
    expect(moved(order, [id], behindAt(order, [id], place))).toEqual(order)
    expect(moved(order, [id], behindAt(order, [id], place + 1))).toEqual(order)
  }
})

test('keys move one step, and stop at the ends', () => {
  expect(moved(order, ['c'], steppedBehind(order, ['c'], -1) ?? null)).toEqual(['a', 'c', 'b', 'd', 'e'])
  expect(moved(order, ['c'], steppedBehind(order, ['c'], 1) ?? null)).toEqual(['a', 'b', 'd', 'c', 'e'])
  expect(steppedBehind(order, ['a'], -1)).toBeUndefined()
  expect(steppedBehind(order, ['e'], 1)).toBeUndefined()
  expect(steppedBehind(order, ['x'], 1)).toBeUndefined()
})
