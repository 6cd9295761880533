// One's own account: profile, password, sessions, keys and passkeys.
import { all, del, get, patch, post } from './client'
import type * as S from './schema'

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt?: string | null
}

interface Begun {
  challengeId: string
  options: Record<string, unknown>
}

/** What newer servers add. */
export type Me = S.MeAnswer & { pictureUrl?: string | null; hasPassword?: boolean; people?: boolean }
export type EditMe = Omit<S.EditUser, 'version'> & { people?: boolean }

const id = encodeURIComponent

export const account = {
  me: () => get<Me>('/me'),
  change: (version: number | undefined, changes: EditMe) => patch<S.User>('/me', { ...changes, version }),
  changePassword: (current: string | undefined, next: string) => post('/me/password', { current, new: next }),
  remove: () => del('/me'),
  sessions: () => all<S.Session>('/me/sessions'),
  endSession: (session: string) => del(`/me/sessions/${id(session)}`),
  endOtherSessions: () => del('/me/sessions'),
  keys: () => all<S.ApiKey>('/me/keys'),
  makeKey: (key: S.NewKey) => post<S.MadeKey>('/me/keys', key),
  removeKey: (key: string) => del(`/me/keys/${id(key)}`),
  passkeys: async () => (await get<{ items: Passkey[] }>('/me/passkeys')).items,
  beginPasskey: () => post<Begun>('/me/passkeys/begin'),
  addPasskey: (challengeId: string, name: string, credential: unknown) => post<Passkey>('/me/passkeys', { challengeId, name, credential }),
  removePasskey: (passkey: string) => del(`/me/passkeys/${id(passkey)}`),
}
