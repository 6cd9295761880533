import { expect, test } from 'vitest'
import { disputes, settled } from './conflict'

const before = { title: 'Lake', description: null, altText: null, tags: ['sea', 'blue'] }

test('what only one of both has changed is no dispute', () => {
  expect(disputes(before, { title: 'The lake' }, { ...before, description: 'in May' })).toEqual([])
  expect(disputes(before, { title: 'Same' }, { ...before, title: 'Same' })).toEqual([])
})

test('what both have changed is', () => {
  expect(disputes(before, { title: 'Mine', description: 'x' }, { ...before, title: 'Theirs' })).toEqual([{ field: 'title', mine: 'Mine', theirs: 'Theirs' }])
})

test('tags are compared whatever their order', () => {
  expect(disputes(before, { tags: ['blue', 'sea', 'boat'] }, { ...before, tags: ['sea', 'blue'] })).toEqual([])
  expect(disputes(before, { tags: ['boat'] }, { ...before, tags: ['car'] })).toHaveLength(1)
})

test('clearing is a change like any other', () => {
  expect(disputes(before, { title: null }, { ...before, title: 'New' })).toEqual([{ field: 'title', mine: '', theirs: 'New' }])
})

test('the choice leaves out what the other side keeps', () => {
  expect(settled({ title: 'Mine', altText: 'a' }, ['title'])).toEqual({ altText: 'a' })
})
