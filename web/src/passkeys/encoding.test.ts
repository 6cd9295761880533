import { expect, test } from 'vitest'
import { bytesOf, creationOptions, credentialJson, requestOptions, textOf } from './encoding'

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values)

test('bytes travel as base64url without padding', () => {
  expect(textOf(bytes(0, 251, 255, 62, 63, 1))).toBe('APv_Pj8B')
  expect(bytesOf('APv_Pj8B')).toEqual(bytes(0, 251, 255, 62, 63, 1))
  for (const length of [0, 1, 2, 3, 100_000]) {
    const some = Uint8Array.from({ length }, (_, index) => (index * 37) % 256)
    expect(bytesOf(textOf(some))).toEqual(some)
    expect(textOf(some)).not.toMatch(/[+/=]/)
  }
})

test('what is not base64url is refused rather than guessed', () => {
  expect(() => bytesOf('a*b')).toThrow()
})

test('what the browser wants in bytes is translated, and the rest stays', () => {
  const made = creationOptions({
    challenge: 'AQI',
    rp: { id: 'example.org', name: 'Ferrotype' },
    user: { id: 'AQ', name: 'ada@example.org', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [{ type: 'public-key', id: 'Ag', transports: ['internal'] }],
    timeout: 300_000,
  })
  expect(made).toEqual({
    challenge: bytes(1, 2),
    rp: { id: 'example.org', name: 'Ferrotype' },
    user: { id: bytes(1), name: 'ada@example.org', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [{ type: 'public-key', id: bytes(2), transports: ['internal'] }],
    timeout: 300_000,
  })
})

test('a request may name passkeys, and need not', () => {
  expect(requestOptions({ challenge: 'AQI', rpId: 'example.org' })).toEqual({ challenge: bytes(1, 2), rpId: 'example.org' })
  expect(requestOptions({ challenge: 'AQI', allowCredentials: [{ type: 'public-key', id: '_w' }] }).allowCredentials).toEqual([
    { type: 'public-key', id: bytes(255) },
  ])
})

const answer = (response: object, attachment: string | null = 'platform'): PublicKeyCredential =>
  ({
    id: '_w',
    rawId: bytes(255).buffer,
    type: 'public-key',
    authenticatorAttachment: attachment,
    getClientExtensionResults: () => ({ credProps: { rk: true } }),
    response,
  }) as unknown as PublicKeyCredential

test('a new passkey is written as newer browsers do', () => {
  const response = { clientDataJSON: bytes(1).buffer, attestationObject: bytes(2).buffer, getTransports: () => ['internal'] }
  expect(credentialJson(answer(response))).toEqual({
    id: '_w',
    rawId: '_w',
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: { credProps: { rk: true } },
    response: { clientDataJSON: 'AQ', attestationObject: 'Ag', transports: ['internal'] },
  })
})

test('a proof is, too, with or without whose it is', () => {
  const response = { clientDataJSON: bytes(1).buffer, authenticatorData: bytes(2).buffer, signature: bytes(3).buffer, userHandle: bytes(4).buffer }
  const written = credentialJson(answer(response, null))
  expect(written.response).toEqual({ clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: 'BA' })
  expect(written).not.toHaveProperty('authenticatorAttachment')
  expect(credentialJson(answer({ ...response, userHandle: null })).response).not.toHaveProperty('userHandle')
})
