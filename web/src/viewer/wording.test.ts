import { beforeAll, expect, test, vi } from 'vitest'
import type { Tile } from '../timeline/source'
import { i18n } from '../i18n'
import { texts } from '../i18n/en/texts'
import { altOf, dateOf, headingOf, originalOf, shownText } from './wording'

beforeAll(() => void vi.stubGlobal('navigator', { languages: ['en-GB'] }))

const tile = (more: Partial<Tile> = {}): Tile => ({ id: 'a', status: 'completed', visibility: 'private', version: 1, urls: {}, ...more })
const image = (more = {}) => ({ title: '', altText: '', originalUrl: '/i/a/original', mimeType: 'image/jpeg', ...more })

i18n.texts = texts

test('the time is the one on the clock where the photo was taken', () => {
  const there = tile({ takenAt: '2026-05-01T22:30:00Z', offsetMinutes: 540, uploadedAt: '2026-06-01T00:00:00Z' })
  expect(dateOf(there)).toMatch(/^2 May 2026, 0?7:30/)
  expect(dateOf(tile({ uploadedAt: '2026-06-01T12:00:00Z' }))).toMatch(/2026/)
  expect(dateOf(undefined)).toBe('')
})

test('a photo is called by its title, as new as it is known', () => {
  expect(headingOf(image({ title: 'Sea' }), tile({ title: 'Old' }))).toBe('Sea')
  expect(headingOf(undefined, tile({ title: 'Old' }))).toBe('Old')
  expect(headingOf(image(), tile({ uploadedAt: '2026-06-01T12:00:00Z' }))).toMatch(/2026/)
})

test('it is described by its text for those who do not see it, then by its title', () => {
  expect(altOf(image({ altText: 'Two boats', title: 'Sea' }), undefined)).toBe('Two boats')
  expect(altOf(image({ title: 'Sea' }), tile({ altText: 'Old' }))).toBe('Sea')
  expect(altOf(undefined, tile()).length).toBeGreaterThan(0)
})

test('an original is shown to its owner, if browsers can show it', () => {
  expect(originalOf(image(), tile(), true)).toBe('/i/a/original')
  expect(originalOf(image(), tile(), false)).toBeUndefined()
  expect(originalOf(image(), tile({ mimeType: 'image/heic' }), true)).toBeUndefined()
  expect(originalOf(image({ originalUrl: null }), tile({ mimeType: 'image/png' }), true)).toBeUndefined()
  expect(originalOf(undefined, tile({ mimeType: 'image/png' }), true)).toBeUndefined()
})

test('what is not shown as a whole says so', () => {
  expect(shownText('incomplete')).toMatch(/^Incomplete:/)
  expect(shownText('preview')).toMatch(/^Preview only:/)
  expect([shownText(undefined), shownText(null), shownText('whole')]).toEqual([undefined, undefined, undefined])
})
