import { expect, test } from 'vitest'
import { exposure, localTime, megapixels } from './exposure'

const number = (value: number, options?: Intl.NumberFormatOptions): string => new Intl.NumberFormat('en', options).format(value)

test('only what the camera said is shown', () => {
  expect(exposure({ aperture: 1.8, shutterSpeed: '1/250', focalLength: 35, iso: 1600 }, number)).toEqual(['f/1.8', '1/250 s', '35 mm', 'ISO 1600'])
  expect(exposure({ iso: 100 }, number)).toEqual(['ISO 100'])
  expect(exposure({}, number)).toEqual([])
})

test('the time is the one of the clock where it was taken', () => {
  expect(localTime({ takenAt: '2026-05-01T22:30:00Z', offsetMinutes: 120 })).toBe(Date.parse('2026-05-02T00:30:00Z'))
  expect(localTime({})).toBeUndefined()
})

test('pixels are counted in millions', () => {
  expect(megapixels(4000, 3000)).toBe(12)
})
