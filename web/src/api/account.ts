// One's own account: profile, password, sessions and keys.
import { all, del, get, patch, post } from './client'
import type * as S from './schema'

const id = encodeURIComponent

export const account = {
  me: () => get<S.MeAnswer>('/me'),
  change: (version: number | undefined, changes: Omit<S.EditUser, 'version'>) => patch<S.User>('/me', { ...changes, version }),
  changePassword: (current: string | undefined, next: string) => post('/me/password', { current, new: next }),
  remove: () => del('/me'),
  sessions: () => all<S.Session>('/me/sessions'),
  endSession: (session: string) => del(`/me/sessions/${id(session)}`),
  endOtherSessions: () => del('/me/sessions'),
  keys: () => all<S.ApiKey>('/me/keys'),
  makeKey: (key: S.NewKey) => post<S.MadeKey>('/me/keys', key),
  removeKey: (key: string) => del(`/me/keys/${id(key)}`),
}
