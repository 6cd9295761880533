// What API keys are made for, in the words of those who make them, and what that takes.

import type { Scope } from '../../api/schema'

export const purposes = ['upload', 'look', 'everything', 'own'] as const
export type Purpose = (typeof purposes)[number]

/** What a key for this may do, of what there is; what was chosen by hand stays. */
export function scopesFor(purpose: Purpose, available: readonly Scope[], chosen: readonly Scope[] = []): Scope[] {
  switch (purpose) {
    case 'upload':
      return ['read', 'write']
    case 'look':
      return ['read']
    case 'everything':
      return [...available]
    case 'own':
      return [...chosen]
  }
}

/** The purpose that a choice of scopes is for. */
export function purposeOf(scopes: readonly Scope[], available: readonly Scope[]): Purpose {
  const same = (purpose: Purpose): boolean => [...scopesFor(purpose, available)].sort().join() === [...scopes].sort().join()
  return purposes.find((purpose) => purpose !== 'own' && same(purpose)) ?? 'own'
}

/** What to type on another machine, with everything that it needs. */
export function commandFor(scopes: readonly Scope[], server: string, key: string): string {
  if (scopes.includes('write')) return `FERROTYPE_SERVER=${server} FERROTYPE_KEY=${key} ferrotype upload ~/Pictures`
  if (scopes.includes('read')) return `curl -H "Authorization: Bearer ${key}" ${server}/api/v1/images`
  return `curl -H "Authorization: Bearer ${key}" ${server}/api/v1/me`
}
