// What somebody fills in to make or change a link, and what is sent of it.

import type { Link, LinkChanges, LinkDownload, NewLink } from '../../api/schema'

/** What a link shows. */
export type Target = { image: string } | { album: string } | { search: string }

export interface Draft {
  title: string
  /** Whether a password is asked for. */
  locked: boolean
  /** A new password; empty keeps the one there is. */
  password: string
  /** A day as date inputs have it, or empty for never. The link works until that day is over. */
  endsOn: string
  download: LinkDownload
}

export const PASSWORD_CHARS_MIN = 6

export function emptyDraft(): Draft {
  return { title: '', locked: false, password: '', endsOn: '', download: 'renditions' }
}

export function draftOf(link: Link): Draft {
  return {
    title: link.title ?? '',
    locked: link.hasPassword,
    password: '',
    endsOn: link.expiresAt ? dayBefore(new Date(link.expiresAt)) : '',
    download: link.download,
  }
}

export type DraftProblem = 'password_missing' | 'password_short' | 'ends_in_past'

/** What is wrong with a draft, before anybody is asked. */
export function problemOf(draft: Draft, hasPassword: boolean, now: Date): DraftProblem | undefined {
  if (draft.locked && draft.password === '' && !hasPassword) return 'password_missing'
  if (draft.locked && draft.password !== '' && Array.from(draft.password).length < PASSWORD_CHARS_MIN) return 'password_short'
  if (draft.endsOn !== '' && endOf(draft.endsOn) <= now) return 'ends_in_past'
  return undefined
}

export function newLink(target: Target, draft: Draft): NewLink {
  return {
    ...target,
    title: draft.title.trim() || null,
    password: draft.locked ? draft.password : null,
    expiresAt: draft.endsOn === '' ? null : endOf(draft.endsOn).toISOString(),
    download: draft.download,
  }
}

/** Only what differs, so that a change by somebody else to another field is no concern of ours. */
export function changesOf(link: Link, draft: Draft): LinkChanges {
  const before = draftOf(link)
  const changes: LinkChanges = { version: link.version }
  if (draft.title.trim() !== before.title) changes.title = draft.title.trim() || null
  if (draft.endsOn !== before.endsOn) changes.expiresAt = draft.endsOn === '' ? null : endOf(draft.endsOn).toISOString()
  if (draft.download !== before.download) changes.download = draft.download
  if (!draft.locked && before.locked) changes.password = null
  if (draft.locked && draft.password !== '') changes.password = draft.password
  return changes
}

/** Where a link is, with the address by which we are here if the server does not know its own. */
export function addressOf(link: Pick<Link, 'url'>, here: string): string {
  return new URL(link.url, here).href
}

export function hasEnded(link: Link, now: Date): boolean {
  return link.expiresAt != null && new Date(link.expiresAt) <= now
}

/** The moment at which a day is over, here. */
function endOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1)
}

/** The last day on which something works that ends at this moment. */
function dayBefore(end: Date): string {
  const last = new Date(end.getTime() - 1)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${last.getFullYear()}-${two(last.getMonth() + 1)}-${two(last.getDate())}`
}
