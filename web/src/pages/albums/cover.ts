// The picture of an album: the one that was chosen, else that of its first image, asked for once.
import { get, type Image } from '../../api'
import type { Page } from '../../api/schema'
import type { AlbumView } from './view'

export interface Cover {
  url?: string | null
  thumbhash?: string | null
  color?: string | null
}

const first = new Map<string, Promise<Cover | undefined>>()

export async function coverOf(album: AlbumView): Promise<Cover | undefined> {
  if (album.coverUrl) return { url: album.coverUrl }
  if (album.imageCount === 0) return undefined
  // What is in it may have changed when the album has; signed addresses are good for an hour.
  const name = `${album.id} ${album.updatedAt} ${Math.floor(Date.now() / 1_800_000)}`
  const asked = first.get(name) ?? ask(album).catch(() => undefined)
  first.set(name, asked)
  return asked
}

async function ask(album: AlbumView): Promise<Cover | undefined> {
  const path = `/albums/${encodeURIComponent(album.id)}/images`
  const { items } = await get<Page<Image>>(path, { query: { limit: 1 } })
  const image = items[0]
  if (!image) return undefined
  const size = image.sizes.small ?? image.sizes.medium ?? Object.values(image.sizes)[0]
  return { url: size?.url, thumbhash: image.thumbhash, color: image.color }
}
