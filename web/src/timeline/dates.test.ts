import { expect, test } from 'vitest'
import { changed, clockOf, fieldOf, OFFSETS, partsOf, readDate, saidOf, shiftOf, wallOf, writeDate, type Dated } from './dates'

const clock = (text: string) => readDate(text) ?? { wall: NaN }
const after = (...args: Parameters<typeof changed>): string => {
  const now = changed(...args)
  return now ? writeDate(now) : String(now)
}

test('dates are written as they were read', () => {
  for (const text of ['2024-05-01T10:00:00.000', '2024-05-01T10:00:00.123+02:00', '2024-05-01T10:00:00.000-09:30', '2024-05-01T10:00:00.000+00:00']) {
    expect(writeDate(clock(text))).toBe(text)
  }
  for (const wrong of ['', 'yesterday', '2024-05-01', '2024-13-01T10:00:00']) expect(readDate(wrong)).toBeUndefined()
})

test('a date is set, shifted, moved to another zone, or given back to the file', () => {
  const photo = clock('2038-01-01T00:00:00+01:00')
  expect(after({ way: 'set', clock: clock('2024-05-01T10:00:00') }, photo)).toBe('2024-05-01T10:00:00.000')
  expect(after({ way: 'shift', ms: -60_000 }, photo)).toBe('2037-12-31T23:59:00.000+01:00')
  expect(after({ way: 'zone', offset: 540, clockOffset: 60 }, photo)).toBe('2038-01-01T08:00:00.000+09:00')
  expect(after({ way: 'zone', offset: 540, clockOffset: 540 }, clock('2024-05-01T10:00:00'))).toBe('2024-05-01T10:00:00.000+09:00')
  expect(changed({ way: 'file' }, photo)).toBeNull()
})

test('what has no date cannot be shifted, but gets one', () => {
  expect(changed({ way: 'shift', ms: 1 }, undefined)).toBeUndefined()
  expect(changed({ way: 'zone', offset: 0, clockOffset: 0 }, undefined)).toBeUndefined()
  expect(after({ way: 'set', clock: clock('2024-05-01T10:00:00') }, undefined)).toBe('2024-05-01T10:00:00.000')
})

test('a clock that was ahead tells by how much, until its owner has said more', () => {
  const wrong: Dated = { id: 'a', clockWrong: true, exif: { takenAt: '2038-01-01T09:00:00.000Z', offsetMinutes: 60 }, taken: { at: '2026-05-01T10:00:00.000+00:00', source: 'file' } }
  expect(clockOf(wrong)).toEqual(clock('2038-01-01T10:00:00+01:00'))
  expect(saidOf(wrong)).toBeNull()
  const said: Dated = { ...wrong, taken: { at: '2024-05-01T10:00:00.000', source: 'owner' } }
  expect(clockOf(said)).toEqual(clock('2024-05-01T10:00:00'))
  expect(saidOf(said)).toBe('2024-05-01T10:00:00.000')
  expect(clockOf({ id: 'a' })).toBeUndefined()
})

test('a shift has parts of one sign', () => {
  for (const ms of [0, 61_000, -61_000, 4_383 * 86_400_000 + 3_600_000, -90_061_000]) {
    const { days, hours, minutes, seconds } = partsOf(ms)
    expect(shiftOf(days, hours, minutes, seconds)).toBe(ms)
  }
  expect(partsOf(-90_061_000)).toEqual({ days: -1, hours: -1, minutes: -1, seconds: -1 })
})

test('fields show clocks, and zones are all those of the earth', () => {
  expect(fieldOf(clock('2024-05-01T10:00:05+09:00'))).toBe('2024-05-01T10:00:05')
  expect(wallOf('2024-05-01T10:00')).toBe(Date.UTC(2024, 4, 1, 10))
  expect(wallOf('')).toBeUndefined()
  expect(OFFSETS).toContain(345)
  expect([OFFSETS[0], OFFSETS.at(-1)]).toEqual([-720, 840])
})
