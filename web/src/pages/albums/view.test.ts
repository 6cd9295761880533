import { expect, test } from 'vitest'
import type { Album } from '../../api/schema'
import { pathTo, possibleParents, shownAlbums, topAlbums } from './view'

const album = (id: string, title: string, parent?: string, updatedAt = '2026-01-01T00:00:00Z'): Album => ({
  id, title, parent, updatedAt, createdAt: updatedAt, albumCount: 0, imageCount: 0, memberCount: 0, owner: 'u', role: 'owner', sort: 'hand', version: 1,
})
const trip = album('1', 'Trip 10', undefined, '2026-01-03T00:00:00Z')
const day = album('2', 'Trip 9', '1', '2026-01-09T00:00:00Z')
const hour = album('3', 'émile', '2')
const all = [trip, day, hour]
const ids = (list: Album[]): string => list.map(({ id }) => id).join('')

test('albums are sorted by title as people sort, by change and by making', () => {
  expect(ids(shownAlbums(all, '', 'title', 'en'))).toBe('321')
  expect(ids(shownAlbums(all, '', 'change', 'en'))).toBe('213')
  expect(ids(shownAlbums(all, '', 'making', 'en'))).toBe('321')
  expect(ids(shownAlbums(all, ' TRIP ', 'making', 'en'))).toBe('21')
})

test('what is nested is found through what is around it', () => {
  expect(ids(topAlbums(all))).toBe('1')
  expect(ids(topAlbums([hour]))).toBe('3')
  expect(ids(pathTo(all, hour))).toBe('12')
})

test('a circle does not last for ever', () => {
  const one = album('1', 'a', '2')
  expect(pathTo([one, album('2', 'b', '1')], one)).toHaveLength(2)
})

test('no album can be put into itself or below', () => {
  expect(ids(possibleParents(all, day))).toBe('1')
  expect(ids(possibleParents(all, undefined))).toBe('123')
})
