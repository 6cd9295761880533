import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { baseOf, below } from './base'

test('where the scripts are tells below which path we are', () => {
  expect(baseOf('https://photos.example.org/assets/app-x1.js')).toBe('')
  expect(baseOf('https://example.org/family/photos/assets/app-x1.js')).toBe('/family/photos')
  expect(baseOf('http://localhost:5173/src/base.ts')).toBe('')
})

test('our routes know no path around them', () => {
  expect(below('/photos/albums/1', '/photos')).toBe('/albums/1')
  expect(below('/photos', '/photos')).toBe('/')
  expect(below('/photosynthesis', '/photos')).toBe('/photosynthesis')
  expect(below('/albums', '')).toBe('/albums')
})

test('no address in a component begins at the root of the host', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svelte'))
  expect(files.length).toBeGreaterThan(50)
  const wrong = files.filter((name) => /\b(href|src|url|action)=["'{`]+\//.test(readFileSync(join('src', name), 'utf8')))
  expect(wrong).toEqual([])
})
