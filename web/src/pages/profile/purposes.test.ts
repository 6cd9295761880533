import { expect, test } from 'vitest'
import type { Scope } from '../../api/schema'
import { commandFor, purposeOf, scopesFor } from './purposes'

const available: Scope[] = ['read', 'write', 'delete', 'account']

test('a purpose takes no more than it needs', () => {
  expect(scopesFor('upload', available)).toEqual(['read', 'write'])
  expect(scopesFor('look', available)).toEqual(['read'])
  expect(scopesFor('everything', available)).toEqual(available)
  expect(scopesFor('own', available, ['delete'])).toEqual(['delete'])
})

test('what is chosen by hand is for what it is for', () => {
  expect(purposeOf(['write', 'read'], available)).toBe('upload')
  expect(purposeOf(['read'], available)).toBe('look')
  expect(purposeOf([...available].reverse(), available)).toBe('everything')
  expect(purposeOf(['delete'], available)).toBe('own')
})

test('the command can be typed as it stands', () => {
  expect(commandFor(['read', 'write'], 'https://example.org/photos', 'ftk_x')).toBe('FERROTYPE_SERVER=https://example.org/photos FERROTYPE_KEY=ftk_x ferrotype upload ~/Pictures')
  expect(commandFor(['read'], 'https://example.org', 'ftk_x')).toBe('curl -H "Authorization: Bearer ftk_x" https://example.org/api/v1/images')
})
