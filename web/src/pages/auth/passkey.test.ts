import { expect, test } from 'vitest'
import { bytesOf, creation, request, textOf } from './passkey'

test('bytes travel as base64url, without padding', () => {
  const bytes = Uint8Array.from([0, 251, 255, 62, 63, 1])
  expect(textOf(bytes)).toBe('APv_Pj8B')
  expect(bytesOf('APv_Pj8B')).toEqual(bytes)
  expect(textOf(Uint8Array.from([255]))).toBe('_w')
  expect(bytesOf('_w')).toEqual(Uint8Array.from([255]))
})

test('what is in bytes for the browser is translated, and the rest stays', () => {
  const made = creation({
    challenge: 'AQI',
    rp: { name: 'Ferrotype' },
    user: { id: 'AQ', name: 'ada@example.org', displayName: 'Ada' },
    excludeCredentials: [{ type: 'public-key', id: 'Ag' }],
  })
  expect(made.challenge).toEqual(Uint8Array.from([1, 2]))
  expect(made.user).toEqual({ id: Uint8Array.from([1]), name: 'ada@example.org', displayName: 'Ada' })
  expect(made.excludeCredentials).toEqual([{ type: 'public-key', id: Uint8Array.from([2]) }])
  expect(made.rp).toEqual({ name: 'Ferrotype' })
})

test('a request need not name any passkey', () => {
  const asked = request({ challenge: 'AQI', rpId: 'example.org' })
  expect(asked.allowCredentials).toBeUndefined()
  expect(asked.rpId).toBe('example.org')
})
