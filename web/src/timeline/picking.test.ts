import { expect, test } from 'vitest'
import { Picking } from './picking'
import { groupByDay } from './shape'
import { Selection } from './selection.svelte'
import type { PhotoSource, Tile } from './source'

const tile = (index: number): Tile => ({ id: `photo ${index}`, status: 'completed', visibility: 'private', version: 1, urls: {} })

function picking(): { picking: Picking; selection: Selection } {
  // Days of three, one and two photos.
  const shape = groupByDay([9, 9, 9, 8, 7, 7], new Uint8Array(6))
  const source = {
    shape,
    growing: false,
    tile: (index: number) => (index < 6 ? tile(index) : undefined),
    indexOf: (id: string) => Number(id.slice('photo '.length)),
    load: async (from: number, before: number) => Array.from({ length: Math.min(before, 6) - from }, (_, at) => tile(from + at)),
  } as unknown as PhotoSource
  const selection = new Selection()
  return { picking: new Picking(() => source, () => selection), selection }
}

test('a day is selected whole, also if a part of it is, and then not at all', async () => {
  const { picking: pick, selection } = picking()
  pick.toggle(1)
  await pick.toggleDay(0)
  expect(selection.ids.sort()).toEqual(['photo 0', 'photo 1', 'photo 2'])
  await pick.toggleDay(2)
  expect(selection.count).toBe(5)
  await pick.toggleDay(0)
  expect(selection.ids.sort()).toEqual(['photo 4', 'photo 5'])
})

test('shift and arrows select from where one was', async () => {
  const { picking: pick, selection } = picking()
  await pick.extend(2, 4)
  expect(selection.ids.sort()).toEqual(['photo 2', 'photo 3', 'photo 4'])
  await pick.extend(4, 5)
  expect(selection.count).toBe(4)
})
