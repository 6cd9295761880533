import { expect, test } from 'vitest'
import { texts as de } from './de/texts'
import { texts as en } from './en/texts'
import { fill, pluralOf } from './format'

const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '').sort()

test('both languages have the same keys', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
})

test('both languages fill in the same values', () => {
  for (const [key, text] of Object.entries(en)) {
    // One of something may be said without the figure.
    if (key.endsWith('_one')) continue
    expect([key, places((de as Record<string, string>)[key] ?? '')]).toEqual([key, places(text)])
  }
})

test('no text is empty, and none was left in English', () => {
  for (const [key, text] of Object.entries(de)) expect([key, text.trim()]).not.toEqual([key, ''])
  const same = Object.entries(de).filter(([key, text]) => text.length > 24 && (en as Record<string, string>)[key] === text)
  expect(same).toEqual([])
})

test('every plural has both forms', () => {
  for (const texts of [en, de]) {
    const keys = new Set(Object.keys(texts))
    for (const key of keys) if (key.endsWith('_one')) expect(keys).toContain(key.replace(/_one$/, '_other'))
  }
})

test('texts are filled and counted', () => {
  expect(fill('of {name}, {gone}', { name: 'Ada' })).toBe('of Ada, {gone}')
  const texts = { p_one: 'one', p_other: 'many' }
  expect([0, 1, 2].map((count) => pluralOf(texts, new Intl.PluralRules('en'), 'p', count))).toEqual(['many', 'one', 'many'])
})
