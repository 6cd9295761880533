import { expect, test } from 'vitest'
import { markedAt } from './position'

test('what is wrong is marked', () => {
  expect(markedAt('sea colour:red', 4, 'colour')).toEqual({ before: 'sea ', wrong: 'colour', after: ':red' })
})

test('the end can be what is wrong', () => {
  expect(markedAt('tag:', 4, undefined)).toEqual({ before: 'tag:', wrong: '', after: '' })
  expect(markedAt('tag:', 99, undefined).before).toBe('tag:')
})

test('characters are counted as the server counts them', () => {
  expect(markedAt('🌊🌊 x:1', 3, 'x')).toEqual({ before: '🌊🌊 ', wrong: 'x', after: ':1' })
})
