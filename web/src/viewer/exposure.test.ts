import { expect, test } from 'vitest'
import { exposure, megapixels } from './exposure'

const number = (value: number, options?: Intl.NumberFormatOptions): string => new Intl.NumberFormat('en', options).format(value)

test('only what the camera said is shown', () => {
  expect(exposure({ aperture: 1.8, shutterSpeed: '1/250', focalLength: 35, iso: 1600 }, number)).toEqual(['f/1.8', '1/250 s', '35 mm', 'ISO 1600'])
  expect(exposure({ iso: 100 }, number)).toEqual(['ISO 100'])
  expect(exposure({}, number)).toEqual([])
})

test('pixels are counted in millions', () => {
  expect(megapixels(4000, 3000)).toBe(12)
})
