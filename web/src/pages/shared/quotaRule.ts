// What new accounts may keep, as people choose it. The server counts 1,024 to the kilobyte in its
// settings; here bytes are shown as everywhere in the gallery.
import type { DefaultQuota, SetDefaultQuota } from '../../api/schema'
import { bytesOf, countOf, gigabytesOf } from '../admin/limits'

export type QuotaKind = 'unlimited' | 'share' | 'usual' | 'own'

/** What stands in the form. */
export interface QuotaDraft {
  kind: QuotaKind
  percent: string
  images: string
  gigabytes: string
}

/** What an installation that was never asked gives: 500 photos and 20 GB (20 × 1024³ bytes). */
export const USUAL = { imagesMax: 500, bytesMax: 20 * 1024 ** 3 } as const
export const PERCENTS = ['5', '10', '20', '50'] as const

const FIRST: QuotaDraft = { kind: 'unlimited', percent: '10', images: '', gigabytes: '' }

/** The draft that a form begins with: what is so now, or what most people want. */
export function draftOf(now?: DefaultQuota): QuotaDraft {
  if (!now) return { ...FIRST }
  const { imagesMax = null, bytesMax = null, diskPercent = null } = now
  const own = { images: imagesMax === null ? '' : String(imagesMax), gigabytes: bytesMax === null || diskPercent !== null ? '' : gigabytesOf(bytesMax) }
  if (diskPercent !== null && imagesMax === null) return { ...FIRST, kind: 'share', percent: String(diskPercent) }
  if (imagesMax === null && bytesMax === null) return { ...FIRST }
  if (imagesMax === USUAL.imagesMax && bytesMax === USUAL.bytesMax && diskPercent === null) return { ...FIRST, ...own, kind: 'usual' }
  return { ...FIRST, ...own, kind: 'own' }
}

/** What is wrong with a draft: with its photos or its gigabytes. An empty field is no limit. */
export function wrongOf(draft: QuotaDraft): { images: boolean; gigabytes: boolean } {
  const own = draft.kind === 'own'
  return {
    images: own && draft.images.trim() !== '' && countOf(draft.images) === undefined,
    gigabytes: own && draft.gigabytes.trim() !== '' && bytesOf(draft.gigabytes) === undefined,
  }
}

/** What the server is told. */
export function ruleOf(draft: QuotaDraft, now?: DefaultQuota): SetDefaultQuota {
  switch (draft.kind) {
    case 'unlimited':
      return { imagesMax: null, bytesMax: null }
    case 'share':
      return { imagesMax: null, diskPercent: Number(draft.percent) }
    case 'usual':
      return { ...USUAL }
    case 'own':
      return { imagesMax: countOf(draft.images) ?? null, bytesMax: bytesOf(draft.gigabytes, now?.bytesMax ?? undefined) ?? null }
  }
}
