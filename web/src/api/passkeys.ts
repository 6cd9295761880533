// Passkeys: one's own, and signing in with them.
import { del, get, patch, post } from './client'
import type * as S from './schema'

/** What the browser takes and gives, as JSON. */
export type CredentialJson = Record<string, unknown>

export type Passkey = S.PasskeyInfo

interface Asked {
  publicKey: CredentialJson
}

const id = encodeURIComponent

export const passkeys = {
  mine: async () => (await get<S.PasskeyList>('/me/passkeys')).passkeys,
  begin: async () => (await post<Asked>('/me/passkeys/options')).publicKey,
  add: (name: string, credential: CredentialJson) => post<Passkey>('/me/passkeys', { name, credential }),
  rename: (passkey: string, name: string) => patch<Passkey>(`/me/passkeys/${id(passkey)}`, { name }),
  remove: (passkey: string) => del(`/me/passkeys/${id(passkey)}`),
  beginSignIn: async (signal?: AbortSignal) => (await post<Asked>('/session/passkey/options', undefined, { signal })).publicKey,
  signIn: (credential: CredentialJson) => post<S.SessionAnswer>('/session/passkey', { credential }),
}
