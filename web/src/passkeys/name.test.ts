import { expect, test } from 'vitest'
import { freeName } from './name'

test('a name is told apart from those that are taken', () => {
  expect(freeName('Chrome · Linux', ['Laptop'])).toBe('Chrome · Linux')
  expect(freeName('Chrome · Linux', ['Chrome · Linux'])).toBe('Chrome · Linux 2')
  expect(freeName('Chrome · Linux', ['Chrome · Linux 2', 'Chrome · Linux'])).toBe('Chrome · Linux 3')
})
