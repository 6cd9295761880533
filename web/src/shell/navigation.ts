// What the bars lead to.
import {
  mdiAccountMultipleOutline,
  mdiDeleteOutline,
  mdiEarth,
  mdiHeartOutline,
  mdiImageAlbum,
  mdiImageMultipleOutline,
  mdiTagOutline,
} from '@mdi/js'
import type { Key } from '../i18n'

export interface Place {
  href: string
  label: Key
  icon: string
}

export const places: Place[] = [
  { href: '/photos', label: 'nav.photos', icon: mdiImageMultipleOutline },
  { href: '/feed', label: 'nav.feed', icon: mdiEarth },
  { href: '/favourites', label: 'nav.favourites', icon: mdiHeartOutline },
  { href: '/albums', label: 'nav.albums', icon: mdiImageAlbum },
  { href: '/people', label: 'nav.people', icon: mdiAccountMultipleOutline },
  { href: '/tags', label: 'nav.tags', icon: mdiTagOutline },
  { href: '/trash', label: 'nav.trash', icon: mdiDeleteOutline },
]

/** Those that the bar of a phone has room for; the others are behind “more”. */
export const firstPlaces = ['/photos', '/albums', '/people', '/favourites']

/** Those that this installation has; people only where faces are looked for. */
export function offeredPlaces(people: boolean): Place[] {
  return people ? places : places.filter((place) => place.href !== '/people')
}

export function isHere(place: Place, path: string): boolean {
  return path === place.href || path.startsWith(`${place.href}/`) || (path === '/' && place.href === '/photos')
}
