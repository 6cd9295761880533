import { expect, test } from 'vitest'
import type { Link } from '../../api/schema'
import { addressOf, changesOf, draftOf, emptyDraft, hasEnded, newLink, problemOf } from './draft'

const now = new Date(2026, 4, 10, 12)

const link: Link = {
  id: '1',
  album: 'a',
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  download: 'renditions',
  hasPassword: true,
  expiresAt: new Date(2026, 4, 21).toISOString(),
  title: 'Summer',
  token: 't',
  url: 'http://localhost/s/t',
  version: 3,
  viewCount: 0,
}

test('a link works until its last day is over, and shows that day again', () => {
  const made = newLink({ album: 'a' }, { ...emptyDraft(), endsOn: '2026-05-20' })
  expect(made.expiresAt).toBe(link.expiresAt)
  expect(draftOf(link).endsOn).toBe('2026-05-20')
})

test('only what differs is sent, with the version', () => {
  expect(changesOf(link, draftOf(link))).toEqual({ version: 3 })
  expect(changesOf(link, { ...draftOf(link), title: ' ', endsOn: '', download: 'off', locked: false })).toEqual({
    version: 3,
    title: null,
    expiresAt: null,
    download: 'off',
    password: null,
  })
  expect(changesOf(link, { ...draftOf(link), password: 'by the sea' })).toEqual({ version: 3, password: 'by the sea' })
})

test('mistakes are found before the server has to', () => {
  expect(problemOf({ ...emptyDraft(), locked: true }, false, now)).toBe('password_missing')
  expect(problemOf({ ...emptyDraft(), locked: true }, true, now)).toBeUndefined()
  expect(problemOf({ ...emptyDraft(), locked: true, password: 'short' }, false, now)).toBe('password_short')
  expect(problemOf({ ...emptyDraft(), endsOn: '2026-05-09' }, false, now)).toBe('ends_in_past')
  expect(problemOf({ ...emptyDraft(), endsOn: '2026-05-10' }, false, now)).toBeUndefined()
})

test('a password that is not wanted is not sent', () => {
  expect(newLink({ search: 'sea' }, { ...emptyDraft(), password: 'typed then unticked' }).password).toBe(null)
})

test('a link is whole, also where the server does not know its address', () => {
  expect(addressOf({ url: '/s/abc' }, 'https://photos.example.org/albums/1')).toBe('https://photos.example.org/s/abc')
  expect(addressOf({ url: 'https://cdn.example.org/s/abc' }, 'http://localhost/')).toBe('https://cdn.example.org/s/abc')
})

test('a link ends at its moment', () => {
  expect(hasEnded(link, now)).toBe(false)
  expect(hasEnded(link, new Date(2026, 4, 21))).toBe(true)
  expect(hasEnded({ ...link, expiresAt: null }, new Date(2099, 0))).toBe(false)
})
