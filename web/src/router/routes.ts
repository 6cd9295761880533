// Which page is shown at which address. Pages are loaded when they are needed.
import type { Component } from 'svelte'
import type { Key } from '../i18n'
import { matchPath, type Params } from './match'

export interface Route {
  pattern: string
  title: Key
  /** `plain` pages stand alone, without the bars around them, and need nobody signed in. */
  frame?: 'plain'
  only?: 'administrators'
  load: () => Promise<{ default: Component<{ params: Params }> }>
}

type Load = () => Promise<unknown>

const page = (load: Load): Route['load'] => load as Route['load']

export const routes: Route[] = [
  { pattern: '/', title: 'nav.photos', load: page(() => import('../pages/Photos.svelte')) },
  { pattern: '/photos', title: 'nav.photos', load: page(() => import('../pages/Photos.svelte')) },
  { pattern: '/photos/:id', title: 'nav.photos', load: page(() => import('../pages/OnePhoto.svelte')) },
  { pattern: '/feed', title: 'nav.feed', load: page(() => import('../pages/Feed.svelte')) },
  { pattern: '/favourites', title: 'nav.favourites', load: page(() => import('../pages/Favourites.svelte')) },
  { pattern: '/trash', title: 'nav.trash', load: page(() => import('../pages/Trash.svelte')) },
  { pattern: '/albums', title: 'nav.albums', load: page(() => import('../pages/Albums.svelte')) },
  { pattern: '/albums/:id', title: 'nav.albums', load: page(() => import('../pages/Album.svelte')) },
  { pattern: '/people', title: 'nav.people', load: page(() => import('../pages/People.svelte')) },
  { pattern: '/people/:id', title: 'nav.people', load: page(() => import('../pages/Person.svelte')) },
  { pattern: '/tags', title: 'nav.tags', load: page(() => import('../pages/Tags.svelte')) },
  { pattern: '/tags/:tag', title: 'nav.tags', load: page(() => import('../pages/Tag.svelte')) },
  { pattern: '/tagging', title: 'tags.round', load: page(() => import('../pages/Tagging.svelte')) },
  { pattern: '/search', title: 'nav.search', load: page(() => import('../pages/Search.svelte')) },
  { pattern: '/users/:id', title: 'nav.photos', load: page(() => import('../pages/User.svelte')) },
  { pattern: '/profile', title: 'nav.profile', load: page(() => import('../pages/Profile.svelte')) },
  { pattern: '/profile/:section', title: 'nav.profile', load: page(() => import('../pages/Profile.svelte')) },
  { pattern: '/admin', title: 'nav.admin', only: 'administrators', load: page(() => import('../pages/Admin.svelte')) },
  { pattern: '/admin/:section', title: 'nav.admin', only: 'administrators', load: page(() => import('../pages/Admin.svelte')) },
  { pattern: '/signin', title: 'nav.signIn', frame: 'plain', load: page(() => import('../pages/SignIn.svelte')) },
  { pattern: '/signup', title: 'nav.signUp', frame: 'plain', load: page(() => import('../pages/SignUp.svelte')) },
  { pattern: '/setup', title: 'nav.setUp', frame: 'plain', load: page(() => import('../pages/SetUp.svelte')) },
]

const nowhere: Route = { pattern: '*', title: 'nav.nowhere', load: page(() => import('../pages/Nowhere.svelte')) }

export function routeOf(path: string): { route: Route; params: Params } {
  for (const route of routes) {
    const params = matchPath(route.pattern, path)
    if (params) return { route, params }
  }
  return { route: nowhere, params: {} }
}
