import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CredentialJson } from '../api/passkeys'
import { PasskeySignIn, type Parts } from './signIn'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A browser and a server that note what they are asked, and wait until they are told what to answer. */
function fakes({ suggests = true } = {}) {
  const waiting: { options: CredentialJson; suggest: boolean; signal?: AbortSignal; choose: (credential: CredentialJson) => void; fail: (error: unknown) => void }[] = []
  let challenges = 0
  const parts: Parts = {
    canSuggest: async () => suggests,
    begin: async () => ({ challenge: String(++challenges), timeout: 300_000 }),
    use: (options, { suggest = false, signal }) =>
      new Promise((choose, fail) => {
        const abort = (): void => fail(new DOMException('', 'AbortError'))
        if (signal?.aborted) return abort()
        signal?.addEventListener('abort', abort)
        waiting.push({ options, suggest, signal, choose, fail })
      }),
  }
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
  return { entry: new PasskeySignIn(parts), waiting, settle }
}

test('what is chosen where the address is entered comes back', async () => {
  const { entry, waiting, settle } = fakes()
  const chosen = entry.suggested()
  await settle()
  expect(waiting[0]).toMatchObject({ suggest: true, options: { challenge: '1' } })
  waiting[0]?.choose({ id: 'a' })
  expect(await chosen).toEqual({ id: 'a' })
})

test('before the server forgets its question it is asked anew', async () => {
  const { entry, waiting, settle } = fakes()
  const chosen = entry.suggested()
  await vi.advanceTimersByTimeAsync(250_000)
  expect(waiting.map(({ options }) => options.challenge)).toEqual(['1', '2'])
  expect(waiting[0]?.signal?.aborted).toBe(true)
  await settle()
  waiting[1]?.choose({ id: 'b' })
  expect(await chosen).toEqual({ id: 'b' })
})

test('the button takes over', async () => {
  const { entry, waiting, settle } = fakes()
  const suggested = entry.suggested()
  await settle()
  const asked = entry.asked()
  expect(await suggested).toBeUndefined()
  await settle()
  expect(waiting[1]).toMatchObject({ suggest: false, options: { challenge: '2' } })
  waiting[1]?.choose({ id: 'c' })
  expect(await asked).toEqual({ id: 'c' })
})

test('leaving ends it, and nothing is asked again', async () => {
  const { entry, waiting, settle } = fakes()
  const suggested = entry.suggested()
  await settle()
  entry.stop()
  expect(await suggested).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000_000)
  expect(waiting).toHaveLength(1)
})

test('a browser that refuses is not asked again', async () => {
  const { entry, waiting, settle } = fakes()
  const suggested = entry.suggested()
  await settle()
  waiting[0]?.fail(new DOMException('', 'NotAllowedError'))
  expect(await suggested).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000_000)
  expect(waiting).toHaveLength(1)
})

test('where passkeys cannot be suggested nothing is asked', async () => {
  const { entry, waiting } = fakes({ suggests: false })
  expect(await entry.suggested()).toBeUndefined()
  expect(waiting).toHaveLength(0)
})

test('cancelling what the button has asked is told', async () => {
  const { entry, waiting, settle } = fakes()
  const asked = entry.asked()
  await settle()
  waiting[0]?.fail(new DOMException('', 'NotAllowedError'))
  await expect(asked).rejects.toThrow(expect.objectContaining({ name: 'NotAllowedError' }))
})
