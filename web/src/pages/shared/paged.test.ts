import { expect, test } from 'vitest'
import { Paged } from './paged.svelte'

/** Pages of two numbers each, out of a list that can change. */
function pagesOf(list: number[]): (cursor: string | undefined) => Promise<{ items: number[]; nextCursor?: string }> {
  return async (cursor) => {
    const start = Number(cursor ?? 0)
    return { items: list.slice(start, start + 2), nextCursor: start + 2 < list.length ? String(start + 2) : undefined }
  }
}

test('pages are put together until there are no more', async () => {
  const paged = new Paged(pagesOf([1, 2, 3]))
  await paged.more()
  expect([paged.items, paged.done]).toEqual([[1, 2], false])
  await paged.more()
  await paged.more()
  expect([paged.items, paged.done]).toEqual([[1, 2, 3], true])
})

test('an empty list is known as such only when it was asked for', async () => {
  const paged = new Paged(pagesOf([]))
  expect(paged.isEmpty).toBe(false)
  await paged.more()
  expect(paged.isEmpty).toBe(true)
})

test('a failure is told, and can be tried again', async () => {
  let broken = true
  const paged = new Paged<number>(async () => {
    if (broken) throw new Error('no')
    return { items: [1] }
  })
  await paged.more()
  expect(paged.error).toBeInstanceOf(Error)
  broken = false
  await paged.more()
  expect([paged.items, paged.error]).toEqual([[1], undefined])
})

test('a refresh brings as much as there was, and a failed one takes nothing away', async () => {
  const list = [1, 2, 3, 4, 5]
  let broken = false
  const ask = pagesOf(list)
  const paged = new Paged<number>((cursor) => (broken ? Promise.reject(new Error('no')) : ask(cursor)))
  await paged.more()
  await paged.more()
  list.unshift(0)
  await paged.refresh()
  expect([paged.items, paged.done]).toEqual([[0, 1, 2, 3], false])
  broken = true
  await paged.refresh()
  expect([paged.items, paged.error]).toEqual([[0, 1, 2, 3], undefined])
})

test('what is answered to a question that was given up does not count', async () => {
  let answer: (page: { items: number[] }) => void = () => {}
  const answers = [new Promise<{ items: number[] }>((resolve) => (answer = resolve)), Promise.resolve({ items: [2] })]
  const paged = new Paged<number>(() => answers.shift() ?? Promise.resolve({ items: [] }))
  const first = paged.more()
  await paged.again()
  answer({ items: [1] })
  await first
  expect(paged.items).toEqual([2])
})
