// What a grid of photos shows: a timeline whose layout is known up front, or a list that grows as
// one scrolls. Both are asked in the same way.
import type { Image, Schema } from '../api'
import { readDate } from './dates'
import type { Shape } from './shape'

/** What a tile and the viewer need to know of a photo. */
export interface Tile {
  id: string
  owner?: string
  width?: number | null
  height?: number | null
  thumbhash?: string | null
  color?: string | null
  uploadedAt?: string | null
  takenAt?: string | null
  /** Minutes east of UTC where it was taken. */
  offsetMinutes?: number | null
  status: string
  mimeType?: string | null
  animated?: boolean | null
  visibility: string
  favourite?: boolean | null
  version: number
  title?: string | null
  altText?: string | null
  filename?: string | null
  /** Addresses of the renditions by name of the size; signed, good for an hour at least. */
  urls: Record<string, string>
}

/** Kept, but there is nothing of it to be shown. */
export const isFailed = (tile: Tile): boolean => tile.status === 'failed'

export type GroupBy = 'uploaded' | 'taken' | 'none'

/** A place that can be found again after photos have come or gone. */
export type Mark = { id?: string; index: number; hour?: number; fromEnd?: number }

export interface PhotoSource {
  /** Names it, for what is remembered about it, such as where one had scrolled to. */
  readonly name: string
  readonly by: GroupBy
  readonly shape: Shape
  /** Grows whenever more is known about photos. */
  readonly loaded: number
  /** Whether there may be more than the shape has. */
  readonly growing: boolean
  readonly ready: boolean
  readonly error: unknown
  /** Begins, and follows the changes; answers with how to stop. */
  start(): () => void
  tile(index: number): Tile | undefined
  /** Fetches what is missing of these, and gives up what was wanted before and is not among them. */
  want(from: number, before: number): void
  /** These, when they are all there. */
  load(from: number, before: number): Promise<Tile[]>
  /** Asks for more, of one that grows. */
  more(): Promise<void>
  indexOf(id: string): number | undefined
  /** The place of a photo that may not be known yet. */
  locate(id: string): Promise<number | undefined>
  mark(index: number): Mark
  find(mark: Mark): number
  /** Takes photos out at once, before the server tells of it. */
  drop(ids: readonly string[]): void
  /** Something about a photo is known to be different. */
  patch(id: string, change: Partial<Tile>): void
  refresh(): Promise<void>
}

/** Where a grid is; what can be done with its photos follows from it. */
export interface Within {
  album?: Schema.Album
  trash?: boolean
  person?: { id: string; name?: string | null }
}

export function tileOf(image: Image): Tile {
  return {
    ...image,
    ...takenOf(image),
    urls: Object.fromEntries(Object.entries(image.sizes).map(([name, size]) => [name, size.url])),
  }
}

function takenOf({ taken }: Image): Pick<Tile, 'takenAt' | 'offsetMinutes'> {
  const clock = taken ? readDate(taken.at) : undefined
  return clock ? { takenAt: new Date(clock.wall - (clock.offset ?? 0) * 60_000).toISOString(), offsetMinutes: clock.offset } : {}
}

const DAY = 86_400_000

/**
 * The day of a photo, in days since 1970: where it was taken, or here when it was uploaded. Among dates of other places
 * an upload stands as in the timeline, by UTC.
 */
export function dayOf(tile: Tile, by: GroupBy): number {
  const taken = by === 'taken' ? tile.takenAt : undefined
  const at = Date.parse(taken ?? tile.uploadedAt ?? '') || 0
  const minutes = by === 'taken' ? (taken ? (tile.offsetMinutes ?? 0) : 0) : -new Date(at).getTimezoneOffset()
  return Math.floor((at + minutes * 60_000) / DAY)
}
