import { expect, test } from 'vitest'
import { byteLimitOf, bytesOf, countOf, gigabytesOf, imageLimitOf, partInUse } from './limits'

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

test('an empty field is no limit, and no limit is never nearly reached', () => {
  expect([imageLimitOf(' '), imageLimitOf('7'), imageLimitOf('x')]).toEqual([null, 7, undefined])
  expect([byteLimitOf(''), byteLimitOf('1'), byteLimitOf('x')]).toEqual([null, 1_000_000_000, undefined])
  const used = { imagesUsed: 450, bytesUsed: 10 }
  expect(partInUse({ ...used, imagesMax: 500, bytesMax: null })).toBe(0.9)
  expect(partInUse({ ...used, imagesMax: null, bytesMax: null })).toBe(0)
})
