// What is said about the photo on screen, by what is known of it so far.
import type { Image } from '../api'
import { i18n, t } from '../i18n'
import type { Tile } from '../timeline/source'

type Known = Pick<Image, 'title' | 'altText' | 'originalUrl' | 'mimeType'> | undefined

/** Originals that browsers can show. */
const SHOWN = /^image\/(jpeg|png|webp|avif|gif)$/

/** The time on the clock where it was taken; else the time here when it came. */
export function dateOf(tile: Tile | undefined): string {
  if (tile?.takenAt) return i18n.date(Date.parse(tile.takenAt) + (tile.offsetMinutes ?? 0) * 60_000, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return tile?.uploadedAt ? i18n.dateTime(tile.uploadedAt) : ''
}

export const headingOf = (image: Known, tile: Tile | undefined): string => image?.title || tile?.title || dateOf(tile)

export const altOf = (image: Known, tile: Tile | undefined): string =>
  image?.altText || image?.title || tile?.altText || tile?.title || t('timeline.photo')

/** How much of the photo is shown, if that is not all of it. */
export function shownText(shown: string | null | undefined): string | undefined {
  if (shown === 'incomplete') return t('viewer.shownIncomplete')
  return shown === 'preview' ? t('viewer.shownPreview') : undefined
}

/** The original, for its owner, if browsers can show it. */
export function originalOf(image: Known, tile: Tile | undefined, mine: boolean): string | undefined {
  return mine && SHOWN.test(tile?.mimeType ?? image?.mimeType ?? '') ? (image?.originalUrl ?? undefined) : undefined
}
