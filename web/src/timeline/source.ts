// What a grid of photos shows: a timeline whose layout is known up front, or a list that grows as
// one scrolls. Both are asked in the same way.
import type { Image } from '../api'

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

export type GroupBy = 'uploaded' | 'taken' | 'none'

export function tileOf(image: Image): Tile {
  return {
    ...image,
    takenAt: image.exif?.takenAt,
    offsetMinutes: image.exif?.offsetMinutes,
    urls: Object.fromEntries(Object.entries(image.sizes).map(([name, size]) => [name, size.url])),
  }
}
