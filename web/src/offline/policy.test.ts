import { expect, test } from 'vitest'
import { planFor, surplus } from './policy'

const HERE = 'https://photos.example.org'
const plan = (path: string, method = 'GET', mode = 'cors') => planFor({ method, mode, url: path.startsWith('http') ? path : HERE + path }, HERE)

test('what changes something is left alone', () => {
  expect(plan('/api/v1/images/1', 'DELETE')).toEqual({ kind: 'leave' })
  expect(plan('/api/v1/session', 'POST')).toEqual({ kind: 'leave' })
})

test('other sites, streams, uploads, originals and shared pages are left alone', () => {
  for (const path of ['https://other.org/x.js', '/api/v1/changes/stream', '/api/v1/uploads/1', '/i/01K/original?e=1', '/i/01K/large', '/health/live']) {
    expect(plan(path)).toEqual({ kind: 'leave' })
  }
  for (const path of ['/s/token', '/api/docs', '/auth/oidc/login']) expect(plan(path, 'GET', 'navigate')).toEqual({ kind: 'leave' })
})

test('small pictures are kept by their name, whatever their signature', () => {
  expect(plan('/i/01K/small?e=1&s=a')).toEqual(plan('/i/01K/small?e=2&s=b'))
  expect(plan('/i/01K/thumb')).toEqual({ kind: 'picture', name: `${HERE}/i/01K/thumb` })
})

test('the app, its data and its pages', () => {
  expect(plan('/assets/index-abc.js')).toEqual({ kind: 'asset' })
  expect(plan('/api/v1/timeline/chunk?month=2026-05')).toEqual({ kind: 'data' })
  expect(plan('/api/v1/me')).toEqual({ kind: 'data' })
  expect(plan('/api/v1/me/keys')).toEqual({ kind: 'leave' })
  expect(plan('/albums/7', 'GET', 'navigate')).toEqual({ kind: 'page' })
})

test('below a path of the host it is the same', () => {
  const home = `${HERE}/family`
  const below = (path: string, mode = 'cors') => planFor({ method: 'GET', mode, url: HERE + path }, home)
  expect(below('/family/assets/index-abc.js')).toEqual({ kind: 'asset' })
  expect(below('/family/i/01K/thumb?e=1')).toEqual({ kind: 'picture', name: `${home}/i/01K/thumb` })
  expect(below('/family/albums/7', 'navigate')).toEqual({ kind: 'page' })
  expect(below('/family/s/token', 'navigate')).toEqual({ kind: 'leave' })
  for (const other of ['/assets/index-abc.js', '/albums/7', '/familyhome/x']) expect(below(other, 'navigate')).toEqual({ kind: 'leave' })
})

test('the oldest entries go first', () => {
  expect(surplus([1, 2, 3, 4], 3)).toEqual([1])
  expect(surplus([1, 2], 3)).toEqual([])
})
