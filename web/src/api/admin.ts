// What only administrators may: users, invitations, and the work that waits.
import { all, del, get, pager, patch, post, put, type Pager } from './client'
import type * as S from './schema'

/** Counting stops here. */
export const COUNTED_MAX = 10_000

export const workKinds = ['process', 'faces', 'group', 'expire', 'purge', 'erase'] as const
export type WorkKind = (typeof workKinds)[number]

const id = encodeURIComponent

export const admin = {
  overview: () => get<S.OverviewInfo>('/admin/overview'),
  makeSizes: () => post('/admin/sizes'),
  faces: () => get<S.FacesProgress>('/admin/faces'),
  rebuildFaces: (all: boolean) => post('/admin/faces/rebuild', { all }),
  deadWork: (kind: WorkKind): Pager<S.DeadWork> => pager('/admin/dead-work', { kind }),
  retry: (work: S.DeadWork) => post('/admin/dead-work/retry', { kind: work.kind, image: work.image ?? undefined, user: work.user ?? undefined }),
  users: (): Pager<S.User> => pager('/users'),
  quotas: (): Pager<S.UserQuota> => pager('/quotas'),
  defaultQuota: () => get<S.DefaultQuota>('/quotas/default'),
  setDefaultQuota: (rule: S.SetDefaultQuota) => put<S.DefaultQuota>('/quotas/default', rule),
  quota: (user: string) => get<S.Quota>(`/users/${id(user)}/quota`),
  setQuota: (user: string, quota: S.SetQuota) => put<S.Quota>(`/users/${id(user)}/quota`, quota),
  makeUser: (user: S.CreateUser) => post<S.User>('/users', user),
  changeUser: (user: string, version: number | undefined, changes: S.EditUser) => patch<S.User>(`/users/${id(user)}`, { ...changes, version }),
  resetPassword: (user: string, next: string) => post(`/users/${id(user)}/password`, { new: next }),
  removeUser: (user: string) => del(`/users/${id(user)}`),
  invitations: () => all<S.Invitation>('/invitations'),
  invite: (invitation: S.Invite) => post<S.MadeInvitation>('/invitations', invitation),
  revokeInvitation: (invitation: string) => del(`/invitations/${id(invitation)}`),
}
