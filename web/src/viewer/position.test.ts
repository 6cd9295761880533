import { expect, test } from 'vitest'
import type { PhotoSource, Tile } from '../timeline/source'
import { addressesOf, Position } from './position.svelte'

const tile = (id: string, urls: Record<string, string> = {}): Tile => ({ id, status: 'completed', visibility: 'private', version: 1, urls })

/** A list of photos, of which those in `known` are loaded; it notes what it is asked to load. */
function list(ids: string[], known: string[] = ids): { source: PhotoSource; asked: [number, number][] } {
  const asked: [number, number][] = []
  const source = {
    loaded: 0,
    shape: { count: ids.length },
    tile: (index: number) => (known.includes(ids[index] ?? '') ? tile(ids[index] as string) : undefined),
    indexOf: (id: string) => (known.includes(id) ? ids.indexOf(id) : undefined),
    locate: async (id: string) => (ids.includes(id) ? ids.indexOf(id) : undefined),
    load: async (from: number, before: number) => {
      asked.push([from, before])
      return ids.slice(Math.max(0, from), before).map((id) => tile(id))
    },
  } as unknown as PhotoSource
  return { source, asked }
}

test('a photo stands between its neighbours', () => {
  const { source } = list(['a', 'b', 'c'])
  const at = (id: string): Position => new Position(() => source, () => id)
  expect([at('b').index, at('b').previous?.id, at('b').tile?.id, at('b').next?.id]).toEqual([1, 'a', 'b', 'c'])
  expect([at('a').previous, at('a').hasPrevious, at('c').next]).toEqual([undefined, false, undefined])
  expect([at('x').index, at('x').tile, at('x').next]).toEqual([undefined, undefined, undefined])
})

test('there is one before it, also while that is not loaded', () => {
  const { source } = list(['a', 'b', 'c'], ['b'])
  const position = new Position(() => source, () => 'b')
  expect([position.previous, position.hasPrevious]).toEqual([undefined, true])
})

test('a photo is looked for, and what stands beside it is loaded', async () => {
  const { source, asked } = list(['a', 'b', 'c', 'd', 'e'], [])
  const position = new Position(() => source, () => 'b')
  await position.locate()
  expect([position.missing, asked]).toEqual([false, [[0, 4]]])
  const gone = new Position(() => source, () => 'x')
  await gone.locate()
  expect(gone.missing).toBe(true)
})

test('a photo that was left while it was looked for is not missed', async () => {
  const { source } = list(['a'])
  let id = 'x'
  const position = new Position(() => source, () => id)
  const looking = position.locate()
  id = 'a'
  await looking
  expect(position.missing).toBe(false)
})

test('a step leads to the next photo, and nowhere beyond the ends', async () => {
  const { source } = list(['a', 'b'])
  const at = (id: string): Position => new Position(() => source, () => id)
  expect((await at('a').stepTo(1))?.id).toBe('b')
  expect((await at('b').stepTo(-1))?.id).toBe('a')
  expect(await at('b').stepTo(1)).toBeUndefined()
  expect(await at('a').stepTo(-1)).toBeUndefined()
  expect(await at('x').stepTo(1)).toBeUndefined()
})

test('the largest rendition is fetched beforehand, of the next photo first', () => {
  const next = tile('b', { small: '/b/small', medium: '/b/medium', large: '/b/large' })
  const previous = tile('a', { small: '/a/small', medium: '/a/medium' })
  expect(addressesOf([next, undefined, previous, tile('c', { small: '/c/small' })])).toEqual(['/b/large', '/a/medium'])
})
