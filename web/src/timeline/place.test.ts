import { expect, test } from 'vitest'
import { boxOf, layOut, rowsBetween, type Layout } from './layout'
import { KeptPlace } from './place'
import { ratioByte } from './ratio'
import { boxesBetween } from './seen'
import { groupByDay } from './shape'
import type { Mark, PhotoSource } from './source'

const HEAD = 60
const options = { width: 1200, rowHeight: 220, gap: 4, headHeight: 46, dayGap: 22, dayWidthMin: 96 }

/** A list of ids, as a source that finds its marks by them. */
function list(name: string, ids: string[]): PhotoSource {
  const shape = groupByDay(new Int32Array(ids.length).fill(20_000), new Uint8Array(ids.length).fill(ratioByte(3, 2)))
  const mark = (index: number): Mark => ({ index, id: ids[index] })
  return { name, shape, mark, find: (at: Mark) => ids.indexOf(at.id ?? '') } as unknown as PhotoSource
}
/** The same list after something came before its photos; the grid keeps one source and its shape changes. */
function grow(source: PhotoSource, ids: string[]): Layout {
  Object.assign(source, list(source.name, ids))
  return layOut(source.shape, options)
}

const ids = Array.from({ length: 400 }, (_, index) => `old ${index}`)

function grid(at = 0): { place: KeptPlace; scroller: { at: number; to: (y: number) => void }; left: Map<string, number> } {
  const left = new Map<string, number>()
  const scroller = { at, to: (y: number) => void (scroller.at = y) }
  const place = new KeptPlace({ scroller, left: { keep: (name, top) => void left.set(name, top), of: (name) => left.get(name) ?? 0 } })
  return { place, scroller, left }
}

const seenBoxes = (source: PhotoSource, layout: Layout, at: number): ReturnType<typeof boxesBetween> =>
  boxesBetween(source.shape, layout, ...rowsBetween(layout, at - HEAD, at - HEAD + 900))

test('photos that come above leave those that are seen where they are', () => {
  const { place, scroller } = grid(4_000)
  const source = list('mine', [...ids])
  const layout = layOut(source.shape, options)
  expect(place.follow(source, layout, HEAD)).toBe(true)
  const boxes = seenBoxes(source, layout, scroller.at)
  const seen = boxes.find((box) => box.top + box.height > scroller.at - HEAD) as (typeof boxes)[0]
  place.remember(source, layout, boxes, HEAD)
  const offset = seen.top + HEAD - scroller.at

  const later = grow(source, [...Array.from({ length: 50 }, (_, index) => `new ${index}`), ...ids])
  expect(place.follow(source, later, HEAD)).toBe(false)
  const moved = boxOf(source.shape, later, seen.index + 50) as typeof seen
  expect(moved.top).toBeGreaterThan(seen.top)
  expect(moved.top + HEAD - scroller.at).toBeCloseTo(offset, 6)
})

test('at the very top new photos push the others down', () => {
  const { place, scroller } = grid(20)
  const source = list('mine', [...ids])
  const layout = layOut(source.shape, options)
  place.follow(source, layout, HEAD)
  place.remember(source, layout, seenBoxes(source, layout, 20), HEAD)
  place.follow(source, grow(source, ['new', ...ids]), HEAD)
  expect(scroller.at).toBe(20)
})

test('another list has no place of the one before it', () => {
  const { place, scroller } = grid(4_000)
  const source = list('mine', [...ids])
  const layout = layOut(source.shape, options)
  place.follow(source, layout, HEAD)
  place.remember(source, layout, seenBoxes(source, layout, 4_000), HEAD)
  const other = list('theirs', [...ids])
  scroller.at = 0
  expect(place.follow(other, layOut(other.shape, options), HEAD)).toBe(true)
  expect(place.follow(other, layOut(other.shape, options), HEAD)).toBe(false)
  expect(scroller.at).toBe(0)
})

test('whoever comes back finds the list where they left it, but is not held there', () => {
  const { place, scroller, left } = grid()
  left.set('mine', 2_500)
  place.restore('mine')
  expect(scroller.at).toBe(2_500)
  scroller.at = 100
  place.restore('mine')
  expect(scroller.at).toBe(100)
  place.restore('never seen')
  expect(scroller.at).toBe(0)
})
