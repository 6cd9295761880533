import { expect, test } from 'vitest'
import { frameOf } from './dragSelect'

test('a frame is the same from whichever corner it is drawn', () => {
  const frame = { left: 10, top: 20, right: 200, bottom: 300 }
  const corners: [number, number, number, number][] = [
    [10, 20, 200, 300],
    [200, 300, 10, 20],
    [10, 300, 200, 20],
    [200, 20, 10, 300],
  ]
  for (const [fromX, fromY, x, y] of corners) expect(frameOf({ x: fromX, y: fromY }, { x, y })).toEqual(frame)
})
