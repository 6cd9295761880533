import { beforeAll, expect, it } from 'vitest'
import { i18n } from '../i18n'
import { texts } from '../i18n/en/texts'
import { failureText } from './failure'

beforeAll(() => void (i18n.texts = texts))

// As in crates/model/src/failure.rs.
const CODES = [
  'unsupported_image',
  'truncated_image',
  'damaged_image',
  'file_too_large',
  'too_many_pixels',
  'side_too_long',
  'too_many_frames',
  'too_much_memory',
  'original_missing',
  'processing_failed',
]

it('has words for every code, which say what to do', () => {
  const all = CODES.map((code) => failureText({ code, message: 'technical' }))
  expect(new Set(all).size).toBe(CODES.length)
  for (const text of all) expect(text.split('. ').length).toBeGreaterThan(1)
})

it('tells what it does not know in the words of the server', () => {
  expect(failureText({ code: 'cosmic_ray', message: 'A ray has hit it.' })).toBe('A ray has hit it.')
  expect(failureText({ code: 'cosmic_ray', message: '' })).toBe(texts['failure.processing_failed'])
})
