// Albums as pages show them: in which order, and where they are nested.
import type { Album } from '../../api/schema'

export type Sorting = 'change' | 'title' | 'making'

export type AlbumView = Album & { ownerName?: string | null; coverUrl?: string | null }

/** Albums that have a text in their title, in an order. */
export function shownAlbums<A extends Album>(albums: readonly A[], filter: string, sorting: Sorting, language: string): A[] {
  const wanted = filter.trim().toLocaleLowerCase(language)
  const found = albums.filter((album) => album.title.toLocaleLowerCase(language).includes(wanted))
  const compare = new Intl.Collator(language, { numeric: true, sensitivity: 'base' }).compare
  return found.sort((one, other) => {
    if (sorting === 'title') return compare(one.title, other.title)
    return sorting === 'change' ? order(other.updatedAt, one.updatedAt) : order(other.id, one.id)
  })
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Those that are not nested in another one of the list: a member of a nested album does not see what is around it. */
export function topAlbums<A extends Album>(albums: readonly A[]): A[] {
  const known = new Set(albums.map((album) => album.id))
  return albums.filter((album) => !album.parent || !known.has(album.parent))
}

/** The albums around one, outermost first. */
export function pathTo(albums: readonly Album[], album: Album): Album[] {
  const byId = new Map(albums.map((other) => [other.id, other]))
  const path: Album[] = []
  let parent = album.parent ? byId.get(album.parent) : undefined
  while (parent && !path.includes(parent)) {
    path.unshift(parent)
    parent = parent.parent ? byId.get(parent.parent) : undefined
  }
  return path
}

/** Albums into which one can be put: not itself, nor what is nested in it. */
export function possibleParents(albums: readonly Album[], album: Album | undefined): Album[] {
  if (!album) return [...albums]
  return albums.filter((other) => other.id !== album.id && !pathTo(albums, other).some((above) => above.id === album.id))
}
