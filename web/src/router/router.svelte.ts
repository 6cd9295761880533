// Where we are. Links are ordinary `<a href>`; clicks on those that lead to our own pages are
// caught here, so that the page is not loaded again.
import { base, below } from '../base'
import { routeOf, type Route } from './routes'
import type { Params } from './match'

class Router {
  path = $state(below(location.pathname))
  query = $state.raw(new URLSearchParams(location.search))
  /** The page itself, which does not change while only the query does. */
  readonly place: { route: Route; params: Params } = $derived(routeOf(this.path))

  constructor() {
    history.scrollRestoration = 'manual'
    addEventListener('popstate', () => this.#read())
    document.addEventListener('click', (event) => this.#follow(event))
  }

  /** Goes to an address of ours, as routes know it. `replace` leaves no entry in the history. */
  go(to: string, { replace = false } = {}): void {
    if (to === this.path + location.search) return
    // An entry that takes the place of another leads back to where that one did.
    if (replace) history.replaceState(history.state, '', base + to)
    else history.pushState({ ours: true }, '', base + to)
    this.#read()
  }

  /** Sets or removes (`undefined`) parts of the query. */
  setQuery(changes: Record<string, string | undefined>, options?: { replace?: boolean }): void {
    const query = new URLSearchParams(this.query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) query.delete(name)
      else query.set(name, value)
    }
    const text = query.toString()
    this.go(this.path + (text ? `?${text}` : ''), options)
  }

  /** One step back if that stays with us, else to `instead`. */
  back(instead: string): void {
    if ((history.state as { ours?: boolean } | null)?.ours) history.back()
    else this.go(instead, { replace: true })
  }

  #read(): void {
    this.path = below(location.pathname)
    this.query = new URLSearchParams(location.search)
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.hash && link.pathname === location.pathname) return
    if (!link.pathname.startsWith(`${base}/`) || isServed(below(link.pathname))) return
    event.preventDefault()
    this.go(below(link.pathname) + link.search)
  }
}

/** What the server itself answers, not one of our pages. */
const isServed = (path: string): boolean => /^\/(api|i|s|auth|storage|health|metrics)(\/|$)/.test(path)

export const router = new Router()

const positions = new Map<string, number>()

/** Where a list was scrolled to when its page was left; pages are named by their address. */
export const scrolled = {
  keep: (name: string, top: number): void => void positions.set(name, top),
  of: (name: string): number => positions.get(name) ?? 0,
}
