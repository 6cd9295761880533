// Who is signed in, and what they may do.
import { ApiError, pauseMs, session as calls, whenSignedOut, type Schema } from '../api'
import { base, below } from '../base'
import { forgetOffline } from '../offline/register'
import { router } from '../router'
import { forgetLists } from '../timeline/listSource.svelte'
import { forgetTimelines } from '../timeline/timelineSource.svelte'

const KEPT = 'ferrotype.user'

/**
 * What is known about who is asking. Only the server's own word (401) means signed out: one that cannot
 * answer now, for whatever reason, has said nothing, and is asked again.
 */
export type SessionState = 'unknown' | 'signedOut' | 'unavailable' | 'signedIn'

type Scope = 'read' | 'write' | 'delete' | 'account' | 'admin'

class Session {
  me = $state.raw<Schema.MeAnswer | undefined>()
  service = $state.raw<Schema.ServiceInfo | undefined>()
  /** Why the server could not say who is asking, the last time it was asked. */
  trouble = $state.raw<unknown>()
  #asked = $state(false)
  #tries = 0
  #again: ReturnType<typeof setTimeout> | undefined

  readonly state: SessionState = $derived(this.me ? 'signedIn' : this.trouble ? 'unavailable' : this.#asked ? 'signedOut' : 'unknown')
  readonly isAdministrator = $derived(this.me?.role === 'administrator')

  /** A small picture of whoever is signed in. */
  readonly pictureUrl = $derived(this.me?.picture ? `${base}/i/${this.me.picture}/thumb` : undefined)

  constructor() {
    whenSignedOut(() => this.#lost())
  }

  /** Asks the server; to be called at the start and after signing in. If it cannot answer it is asked again. */
  async load(): Promise<void> {
    clearTimeout(this.#again)
    const service = this.service ?? calls.service().catch(() => undefined)
    try {
      this.me = await calls.me()
      this.trouble = undefined
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.status === 401
      if (isSignedOut) this.me = undefined
      this.trouble = isSignedOut ? undefined : error
    }
    this.#asked = true
    this.#notice()
    this.service = await service
    if (this.trouble || !this.service) this.#later()
    else this.#tries = 0
  }

  /** Without waiting any longer. */
  readonly #now = (): void => void this.load()

  #later(): void {
    removeEventListener('online', this.#now)
    addEventListener('online', this.#now, { once: true })
    clearTimeout(this.#again)
    this.#again = setTimeout(this.#now, pauseMs(this.#tries, this.trouble))
    this.#tries += 1
  }

  can(scope: Scope): boolean {
    const scopes = this.me?.scopes ?? []
    return scopes.length === 0 || scopes.includes(scope)
  }

  owns(thing: { owner: string }): boolean {
    return thing.owner === this.me?.id
  }

  async signOut(): Promise<void> {
    await calls.signOut()
    this.me = undefined
    forgetEverything()
    router.go('/signin')
  }

  /** Somebody else than the last time must not see what was kept for that one. */
  #notice(): void {
    if (!this.me) return
    if (localStorage.getItem(KEPT) !== this.me.id) forgetEverything()
    localStorage.setItem(KEPT, this.me.id)
  }

  #lost(): void {
    const { route } = router.place
    this.me = undefined
    this.trouble = undefined
    if (this.#asked && route.frame !== 'plain') router.go(signInAddress(), { replace: true })
  }
}

function forgetEverything(): void {
  forgetOffline()
  forgetLists()
  forgetTimelines()
}

/** The page to sign in, which leads back here. */
export function signInAddress(): string {
  const here = below(location.pathname) + location.search
  return here === '/' ? '/signin' : `/signin?next=${encodeURIComponent(here)}`
}

export const session = new Session()
