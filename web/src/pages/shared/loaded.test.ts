import { expect, test } from 'vitest'
import { Loaded } from './loaded.svelte'

test('what was there stays until the new is, also when loading fails', async () => {
  const loaded = new Loaded<number>()
  await loaded.load(async () => 1)
  const failing = loaded.load(() => Promise.reject(new Error('no')))
  expect([loaded.value, loaded.busy]).toEqual([1, true])
  await failing
  expect([loaded.value, loaded.busy]).toEqual([1, false])
  expect(loaded.error).toBeInstanceOf(Error)
})

test('only the newest request counts', async () => {
  const loaded = new Loaded<string>()
  let late: (value: string) => void = () => {}
  const slow = loaded.load(() => new Promise((resolve) => (late = resolve)))
  await loaded.load(async () => 'new')
  late('old')
  await slow
  expect(loaded.value).toBe('new')
})
