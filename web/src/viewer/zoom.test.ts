import { expect, test } from 'vitest'
import { bounded, fitted, isWhole, scaleMax, WHOLE, zoomAt } from './zoom'

const stage = { width: 1200, height: 800 }
const picture = { width: 6000, height: 3000 }
const fit = fitted(picture, stage)

test('a picture is seen whole', () => {
  expect(fit).toEqual({ width: 1200, height: 600 })
  expect(fitted({ width: 1000, height: 4000 }, stage)).toEqual({ width: 200, height: 800 })
  expect(fitted({ width: 0, height: 0 }, stage)).toEqual(stage)
})

test('the point under the pointer stays', () => {
  const at = { x: 200, y: -100 }
  const before = { scale: 1.5, x: 30, y: 10 }
  const after = zoomAt(before, 3, at)
  const seen = (view: typeof before): [number, number] => [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale]
  expect(seen(after)[0]).toBeCloseTo(seen(before)[0])
  expect(seen(after)[1]).toBeCloseTo(seen(before)[1])
})

test('no gap opens at an edge', () => {
  const far = bounded({ scale: 2, x: 5000, y: 5000 }, fit, stage, 8)
  expect(far).toEqual({ scale: 2, x: 600, y: 200 })
  expect(bounded({ scale: 0.4, x: 50, y: 50 }, fit, stage, 8)).toEqual(WHOLE)
  expect(bounded({ scale: 90, x: 0, y: 0 }, fit, stage, 8).scale).toBe(8)
})

test('one can always go in, and farther the more pixels there are', () => {
  expect(scaleMax({ width: 300, height: 200 }, stage, 2)).toBe(3)
  expect(scaleMax(picture, stage, 1)).toBe(10)
  expect(isWhole(WHOLE)).toBe(true)
})
