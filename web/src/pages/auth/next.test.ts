import { expect, test } from 'vitest'
import { localPath } from './next'

test('paths of the gallery are followed', () => {
  expect(localPath('/albums/01K9?sort=taken')).toBe('/albums/01K9?sort=taken')
})

test('nobody is sent to another site, or round in a circle', () => {
  for (const next of [null, undefined, '', 'https://evil.org', '//evil.org', '/\\evil.org', '/a\nb', 'evil', '/signin?next=/', '/setup']) {
    expect(localPath(next)).toBe('/')
  }
})
