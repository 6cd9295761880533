import { expect, test } from 'vitest'
import { begin, current, extended, isOver, parseTags, skipped, stopped, summary, tagged, undone } from './round'

const none = { public: [], private: [] }

test('images come one after the other', () => {
  let round = begin(['a', 'b'])
  expect(current(round)).toBe('a')
  round = tagged(round, none)
  expect(current(round)).toBe('b')
  round = skipped(round)
  expect(current(round)).toBeUndefined()
  expect(isOver(round)).toBe(true)
  expect(summary(round)).toEqual({ tagged: 1, skipped: 1, left: 0 })
})

test('undo goes back and tells what an image had', () => {
  const had = { public: ['sea'], private: [] }
  const back = undone(tagged(begin(['a', 'b']), had))
  expect(back?.step).toEqual({ image: 'a', before: had })
  expect(current(back!.round)).toBe('a')
  expect(undone(back!.round)).toBeUndefined()
})

test('a round that was stopped can go on from where it was', () => {
  const round = stopped(tagged(begin(['a', 'b', 'c']), none))
  expect(isOver(round)).toBe(true)
  expect(summary(round)).toEqual({ tagged: 1, skipped: 0, left: 2 })
  expect(current(undone(round)!.round)).toBe('a')
})

test('nothing happens after the end', () => {
  const over = skipped(begin(['a']))
  expect(skipped(over)).toBe(over)
})

test('pages of a set are put together without repeating an image', () => {
  expect(extended(begin(['a', 'b']), ['b', 'c']).images).toEqual(['a', 'b', 'c'])
})

test('tags are read as the server keeps them', () => {
  expect(parseTags(' Red  Car, sea ,, SEA\nÉté')).toEqual(['red car', 'sea', 'été'])
})
