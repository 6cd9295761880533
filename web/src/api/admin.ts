// What only administrators may: users, invitations, and the work that waits.
import { all, del, get, pager, patch, post, put, type Pager } from './client'
import type * as S from './schema'

/** How the installation is. */
export interface Overview {
  version: string
  startedAt: string
  users: number
  storage: { images: number; bytes: number }
  /** What waits, also for a later time. */
  queues: { kind: string; waiting: number; dead: number; firstDue?: string | null }[]
  sizes: { running: boolean; checked: number; queued: number; startedAt?: string | null; finishedAt?: string | null }
  /** What is wrong with each part; `null` if nothing is. */
  health: { ready: boolean; parts: Record<string, string | null> }
}

/** Counting stops here. */
export const COUNTED_MAX = 10_000

export const workKinds = ['process', 'faces', 'group', 'expire', 'purge', 'erase'] as const
export type WorkKind = (typeof workKinds)[number]

/** How far finding and grouping faces has come. */
export interface FacesProgress {
  waiting: number
  failed: number
  grouping: number
}

const id = encodeURIComponent

export const admin = {
  overview: () => get<Overview>('/admin/overview'),
  makeSizes: () => post('/admin/sizes'),
  faces: () => get<FacesProgress>('/admin/faces'),
  rebuildFaces: (all: boolean) => post('/admin/faces/rebuild', { all }),
  deadWork: (kind: WorkKind): Pager<S.DeadWork> => pager('/admin/dead-work', { kind }),
  retry: (work: S.DeadWork) => post('/admin/dead-work/retry', { kind: work.kind, image: work.image ?? undefined, user: work.user ?? undefined }),
  users: (): Pager<S.User> => pager('/users'),
  quotas: (): Pager<S.UserQuota> => pager('/quotas'),
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
