import { expect, test } from 'vitest'
import { Picking } from './picking'
import { Selection } from './selection.svelte'
import type { PhotoSource, Tile } from './source'

const tile = (index: number): Tile => ({ id: `p${index}`, status: 'completed', visibility: 'private', version: 1, urls: {} })

/** A library of which only some photos are known until they are asked for. */
function library(count: number, known: number): PhotoSource {
  let loaded = known
  return {
    shape: { count },
    growing: false,
    tile: (index: number) => (index < loaded ? tile(index) : undefined),
    load: (from: number, before: number) => {
      loaded = Math.max(loaded, before)
      return Promise.resolve(Array.from({ length: Math.min(before, count) - from }, (_, at) => tile(from + at)))
    },
    indexOf: (id: string) => Number(id.slice(1)),
  } as unknown as PhotoSource
}

function given(count = 100, known = 20): { picking: Picking; selection: Selection } {
  const selection = new Selection()
  const source = library(count, known)
  return { picking: new Picking(() => source, () => selection), selection }
}

test('a click selects, another takes it back', () => {
  const { picking, selection } = given()
  picking.toggle(3)
  picking.toggle(5)
  picking.toggle(3)
  expect(selection.ids).toEqual(['p5'])
})

test('a photo that is not known yet cannot be clicked', () => {
  const { picking, selection } = given()
  picking.toggle(50)
  expect(selection.count).toBe(0)
})

test('shift selects up to here, both ways, also what is not loaded yet', async () => {
  const { picking, selection } = given()
  picking.toggle(10)
  await picking.stretchTo(60)
  expect(selection.count).toBe(51)
  await picking.stretchTo(8)
  expect(selection.count).toBe(53)
})

test('a drag adds to what was selected, and forgets what it has left again', async () => {
  const { picking, selection } = given()
  picking.toggle(0)
  await picking.dragOver(5, 9)
  expect(selection.ids).toEqual(['p0', 'p5', 'p6', 'p7', 'p8'])
  await picking.dragOver(5, 6)
  expect(selection.ids).toEqual(['p0', 'p5'])
  picking.dragEnd()
  await picking.dragOver(0, 0, [2])
  expect(selection.ids).toEqual(['p0', 'p5', 'p2'])
})

test('a day is selected and taken back as a whole', async () => {
  const { picking, selection } = given()
  await picking.range(4, 8)
  expect(selection.count).toBe(4)
  await picking.range(4, 8, false)
  expect(selection.count).toBe(0)
})

test('everything can be selected, and what is gone is forgotten', async () => {
  const { picking, selection } = given(300, 10)
  await picking.all()
  expect(selection.count).toBe(300)
  selection.forget(['p1', 'p2'])
  expect(selection.has('p1')).toBe(false)
  expect(selection.count).toBe(298)
  selection.clear()
  expect(selection.anchor).toBeUndefined()
})
