// Limits as people write them: photos, and gigabytes rather than bytes.
import type { Quota } from '../../api/schema'

const GIGABYTE = 1_000_000_000

export function gigabytesOf(bytes: number): string {
  return String(Math.round((bytes / GIGABYTE) * 100) / 100)
}

/** A count that is not negative, or `undefined` if the text is none. */
export function countOf(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(number) && number >= 0 ? number : undefined
}

/** Bytes of so many gigabytes; a comma is as good as a point. What was not touched stays exact. */
export function bytesOf(text: string, before?: number): number | undefined {
  if (before !== undefined && text === gigabytesOf(before)) return before
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? Math.round(number * GIGABYTE) : undefined
}

/** A limit of photos: nothing is none (`null`); `undefined` if the text is no number. */
export const imageLimitOf = (text: string): number | null | undefined => (text.trim() === '' ? null : countOf(text))

/** The same of bytes. */
export const byteLimitOf = (text: string, before?: number | null): number | null | undefined => (text.trim() === '' ? null : bytesOf(text, before ?? undefined))

/** The part of its limits that is in use, from 0 to 1 and more; 0 without limits. */
export function partInUse(quota: Quota): number {
  const part = (used: number, max: number | null | undefined): number => (max == null ? 0 : used / Math.max(max, 1))
  return Math.max(part(quota.imagesUsed, quota.imagesMax), part(quota.bytesUsed, quota.bytesMax))
}
