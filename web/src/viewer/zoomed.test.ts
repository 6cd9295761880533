import { expect, test } from 'vitest'
import type { Tile } from '../timeline/source'
import { sizeOf, Zoomed } from './zoomed.svelte'

const tile = (width?: number, height?: number): Tile => ({ id: 'a', status: 'completed', visibility: 'private', version: 1, urls: {}, width, height })

function zoomed(): Zoomed {
  const made = new Zoomed(() => tile(6000, 3000), () => 1)
  made.width = 1200
  made.height = 800
  return made
}

test('a photo whose size is not known is taken for a landscape', () => {
  expect(sizeOf(tile())).toEqual({ width: 3, height: 2 })
  expect(sizeOf(tile(0, 0))).toEqual({ width: 3, height: 2 })
})

test('a click zooms in where it was, and the next one out again', () => {
  const at = zoomed()
  at.toggle({ x: 100, y: 0 })
  expect(at.view.scale).toBe(2.5)
  expect(at.view.x).toBeCloseTo(-150)
  at.toggle({ x: 0, y: 0 })
  expect(at.view).toEqual({ scale: 1, x: 0, y: 0 })
})

test('keys go closer and farther, and stop at both ends', () => {
  const at = zoomed()
  for (let time = 0; time < 20; time += 1) at.closer()
  expect(at.view.scale).toBe(10)
  for (let time = 0; time < 20; time += 1) at.farther()
  expect(at.view.scale).toBe(1)
})

test('arrows move a zoomed photo, and leave a whole one alone', () => {
  const at = zoomed()
  at.nudge(1, 0)
  expect(at.view).toEqual({ scale: 1, x: 0, y: 0 })
  at.to(4)
  at.nudge(1, -1)
  expect(at.view).toEqual({ scale: 4, x: -120, y: 120 })
})

test('fingers cannot zoom beyond either end', () => {
  const at = zoomed()
  at.set({ scale: 40, x: 0, y: 0 }, false)
  expect(at.view.scale).toBe(10)
  at.set({ scale: 0.5, x: 0, y: 0 }, false)
  expect(at.view.scale).toBe(1)
  expect(at.moving).toBe(false)
  at.set(at.view, true)
  expect(at.moving).toBe(true)
})

test('a photo follows a finger at once, and glides back', () => {
  const at = zoomed()
  at.follow({ x: 30, y: 0 })
  expect([at.moving, at.slide]).toEqual([false, { x: 30, y: 0 }])
  at.follow(undefined)
  expect([at.moving, at.slide]).toEqual([true, undefined])
  at.follow({ x: 30, y: 0 })
  at.to(3)
  at.reset()
  expect([at.view.scale, at.slide]).toEqual([1, undefined])
})
