// The images of a set that is to be tagged, page by page.
import { albums, lists, type Image, type Pager } from '../../api'

export type TaggingSet = { kind: 'all' } | { kind: 'album'; id: string; title: string } | { kind: 'search'; query: string }

/** Gives the next images of a set that are to be tagged, and says whether that was all. */
export type More = () => Promise<{ images: Image[]; done: boolean }>

export async function openSet(set: TaggingSet, onlyUntagged: boolean): Promise<More> {
  const wanted = onlyUntagged ? await untaggedOf(set) : () => true
  const pager: Pager<Image> = set.kind === 'album' ? lists.album(set.id) : set.kind === 'search' ? lists.search(set.query) : lists.mine()
  let cursor: string | undefined
  let done = false
  return async () => {
    let images: Image[] = []
    while (!done && images.length === 0) {
      const page = await pager(cursor)
      cursor = page.nextCursor ?? undefined
      done = cursor === undefined
      images = page.items.filter(wanted)
    }
    return { images, done }
  }
}

/** Albums know of each image how many tags one has given it; elsewhere the image's own tags are what is known of it. */
async function untaggedOf(set: TaggingSet): Promise<(image: Image) => boolean> {
  if (set.kind !== 'album') return (image) => image.tags.length === 0
  const status = await albums.tagStatus(set.id)
  const tagged = new Set(status.filter((entry) => entry.mine > 0).map((entry) => entry.image))
  return (image) => !tagged.has(image.id)
}
