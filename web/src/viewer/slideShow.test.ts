import { expect, test } from 'vitest'
import type { Tile } from '../timeline/source'
import { nextOf } from './slideShow.svelte'

const source = (ids: string[], working: string[] = []) => ({
  shape: { count: ids.length, ratios: new Uint8Array(), days: new Int32Array(), starts: new Uint32Array() },
  tile: (index: number) => ({ id: ids[index], status: working.includes(ids[index] ?? '') ? 'processing' : 'completed' }) as Tile,
  indexOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : undefined),
})

test('it goes on, and begins again at the end', () => {
  expect(nextOf(source(['a', 'b', 'c']), 'a', 'a').index).toBe(1)
  expect(nextOf(source(['a', 'b', 'c']), 'c', 'a').index).toBe(0)
})

test('what has arrived comes first, the oldest of it before the others', () => {
  expect(nextOf(source(['new2', 'new1', 'a', 'b']), 'b', 'a')).toEqual({ index: 1, arrived: true })
})

test('a photo that is still being made waits', () => {
  expect(nextOf(source(['new', 'a', 'b'], ['new']), 'a', 'a')).toEqual({ index: 2, arrived: false })
})

test('a photo that is gone leads to the first', () => {
  expect(nextOf(source(['a', 'b']), 'gone', 'a').index).toBe(0)
  expect(nextOf(source([]), 'gone', undefined).index).toBe(-1)
})
