import { expect, test } from 'vitest'
import { bytesOf, countOf, gigabytesOf } from './limits'

test('gigabytes are read as people write them', () => {
  expect(bytesOf('2,5')).toBe(2_500_000_000)
  expect(bytesOf(' 10 ')).toBe(10_000_000_000)
  for (const text of ['', '-1', 'ten', 'NaN']) expect(bytesOf(text)).toBeUndefined()
})

test('a limit that was not touched stays as exact as it was', () => {
  const bytes = 10_737_418_240
  expect(gigabytesOf(bytes)).toBe('10.74')
  expect(bytesOf('10.74', bytes)).toBe(bytes)
})

test('photos are whole', () => {
  expect(countOf('500')).toBe(500)
  for (const text of ['', '1.5', '-2', 'x']) expect(countOf(text)).toBeUndefined()
})
