import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Settle } from './settle'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a crowd of changes is followed once, when it pauses', () => {
  const act = vi.fn()
  const settle = new Settle(act, 600)
  for (let count = 0; count < 3; count += 1) {
    settle.soon()
    vi.advanceTimersByTime(100)
  }
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(500)
  expect(act).toHaveBeenCalledTimes(1)
})

test('changes that never pause are followed every two seconds', () => {
  const act = vi.fn()
  const settle = new Settle(act, 600)
  for (let count = 0; count < 100; count += 1) {
    settle.soon()
    vi.advanceTimersByTime(100)
  }
  expect(act.mock.calls.length).toBeGreaterThanOrEqual(4)
  expect(act.mock.calls.length).toBeLessThanOrEqual(6)
})

test('what was stopped is followed no more', () => {
  const act = vi.fn()
  const settle = new Settle(act, 600)
  settle.soon()
  settle.stop()
  vi.advanceTimersByTime(5_000)
  expect(act).not.toHaveBeenCalled()
})
