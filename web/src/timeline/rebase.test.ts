import { expect, test } from 'vitest'
import { elementHeight, HEIGHT_MAX, placeAt, rebased, type Scroll } from './rebase'

const HEIGHT = 48_000_000
const VIEWPORT = 900

test('what fits is never moved', () => {
  expect(rebased({ origin: 0, top: 10 }, 5_000_000, VIEWPORT, true)).toBeUndefined()
  expect(placeAt(4_000_000, 5_000_000, VIEWPORT)).toEqual({ origin: 0, top: 4_000_000 })
})

test('every place of the whole can be reached and lies within the element', () => {
  for (const y of [0, 1, 3_000_000, 24_000_000, HEIGHT - VIEWPORT]) {
    const { origin, top } = placeAt(y, HEIGHT, VIEWPORT)
    expect(origin + top).toBe(y)
    expect(origin).toBeGreaterThanOrEqual(0)
    expect(origin + elementHeight(HEIGHT)).toBeLessThanOrEqual(HEIGHT)
    expect(top).toBeLessThanOrEqual(HEIGHT_MAX - VIEWPORT)
  }
  expect(placeAt(HEIGHT * 2, HEIGHT, VIEWPORT)).toEqual(placeAt(HEIGHT - VIEWPORT, HEIGHT, VIEWPORT))
})

test('scrolling from end to end never meets an edge and never jumps', () => {
  let scroll: Scroll = { origin: 0, top: 0 }
  let moves = 0
  let y = 0
  while (y < HEIGHT - VIEWPORT - 2000) {
    scroll = { ...scroll, top: scroll.top + 2000 }
    y += 2000
    expect(scroll.top).toBeLessThan(HEIGHT_MAX - VIEWPORT)
    const moved = rebased(scroll, HEIGHT, VIEWPORT, moves % 7 === 0)
    if (moved) {
      scroll = moved
      moves += 1
    }
    expect(scroll.origin + scroll.top).toBe(y)
  }
  expect(moves).toBeGreaterThan(5)
  expect(moves).toBeLessThan(40)
})

test('a whole that has become small begins at its top again', () => {
  expect(rebased({ origin: 20_000_000, top: 3_000_000 }, 1_000_000, VIEWPORT, false)).toEqual({ origin: 0, top: 1_000_000 - VIEWPORT })
})
