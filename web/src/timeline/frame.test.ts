import { expect, test } from 'vitest'
import { frameFor } from './frame'

test('a wide grid leaves room at its edges, and for the bar of time', () => {
  const plain = frameFor(1400, 'medium', false)
  expect([plain.left, plain.right, plain.options.width]).toEqual([24, 24, 1352])
  const scrubbed = frameFor(1400, 'medium', true)
  expect([scrubbed.left, scrubbed.right, scrubbed.options.width]).toEqual([24, 56, 1320])
})

test('on a phone photos reach from edge to edge', () => {
  for (const scrubbed of [true, false]) {
    const { left, right, options } = frameFor(390, 'medium', scrubbed)
    expect([left, right, options.width, options.gap]).toEqual([0, 0, 390, 2])
  }
})

test('rows are as tall as one likes, and there is always some width', () => {
  const height = (size: 'small' | 'medium' | 'large'): number => frameFor(1400, size, true).options.rowHeight
  expect(height('small')).toBeLessThan(height('medium'))
  expect(height('medium')).toBeLessThan(height('large'))
  expect(frameFor(0, 'medium', true).options.width).toBe(80)
})
