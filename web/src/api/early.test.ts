import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askEarly, takeEarly } from './early'

let answers: (() => Promise<Response>)[]
beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  vi.stubGlobal('fetch', () => (answers.shift() ?? (() => Promise.reject(new TypeError('no more answers'))))())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what was asked early is taken once', async () => {
  answers = [async () => new Response('days')]
  askEarly('/timeline', {})
  expect(await (await takeEarly('/timeline'))?.text()).toBe('days')
  expect(await takeEarly('/timeline')).toBeUndefined()
})

test('what nobody has asked for is not there', async () => {
  expect(await takeEarly('/other')).toBeUndefined()
})

test('a refusal is asked for again, since somebody may have signed in', async () => {
  answers = [async () => new Response('', { status: 401 })]
  askEarly('/timeline', {})
  expect(await takeEarly('/timeline')).toBeUndefined()
})

test('no connection is no answer, and no unheard error', async () => {
  askEarly('/timeline', {})
  expect(await takeEarly('/timeline')).toBeUndefined()
})

test('an old answer is not taken', async () => {
  answers = [async () => new Response('days')]
  askEarly('/timeline', {})
  vi.advanceTimersByTime(11_000)
  expect(await takeEarly('/timeline')).toBeUndefined()
})
