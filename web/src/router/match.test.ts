import { expect, test } from 'vitest'
import { matchPath } from './match'

test('names in a pattern become parameters', () => {
  expect(matchPath('/albums/:id', '/albums/01K9')).toEqual({ id: '01K9' })
  expect(matchPath('/tags/:tag', '/tags/red%20car')).toEqual({ tag: 'red car' })
  expect(matchPath('/albums', '/albums/')).toEqual({})
  expect(matchPath('/', '/')).toEqual({})
})

test('other paths do not match', () => {
  expect(matchPath('/albums/:id', '/albums')).toBeUndefined()
  expect(matchPath('/albums/:id', '/people/7')).toBeUndefined()
})

test('what cannot be decoded is taken as it is', () => {
  expect(matchPath('/tags/:tag', '/tags/%E0%A4')).toEqual({ tag: '%E0%A4' })
})
