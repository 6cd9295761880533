import { expect, test } from 'vitest'
import type { Tile } from '../timeline/source'
import { nextOf } from './slideShow.svelte'

const source = (ids: string[], working: string[] = []) => ({
  shape: { count: ids.length, ratios: new Uint8Array(), days: new Int32Array(), starts: new Uint32Array() },
  tile: (index: number) => ({ id: ids[index], status: working.includes(ids[index] ?? '') ? 'processing' : 'completed' }) as Tile,
  indexOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : undefined),
})

test('it goes on, and begins again at the end', () => {
  expect(nextOf(source(['a', 'b', 'c']), 'a', [])).toEqual({ index: 1 })
  expect(nextOf(source(['a', 'b', 'c']), 'c', [])).toEqual({ index: 0 })
})

test('what has arrived comes first, wherever it stands', () => {
  expect(nextOf(source(['a', 'new1', 'b', 'new2']), 'b', ['new2', 'new1'])).toEqual({ index: 3, arrival: 'new2' })
})

test('a photo that is still being made, or belongs elsewhere, waits', () => {
  expect(nextOf(source(['new', 'a', 'b'], ['new']), 'a', ['new', 'elsewhere'])).toEqual({ index: 2 })
})

test('a photo that is gone leads to the first', () => {
  expect(nextOf(source(['a', 'b']), 'gone', [])).toEqual({ index: 0 })
  expect(nextOf(source([]), 'gone', [])).toEqual({ index: -1 })
})
