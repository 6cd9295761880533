// Who is signed in, and what they may do.
import { session as calls, whenSignedOut, type Schema } from '../api'
import { base, below } from '../base'
import { forgetOffline } from '../offline/register'
import { router } from '../router'
import { forgetLists } from '../timeline/listSource.svelte'
import { forgetTimelines } from '../timeline/timelineSource.svelte'

const KEPT = 'ferrotype.user'

type Scope = 'read' | 'write' | 'delete' | 'account' | 'admin'

class Session {
  me = $state.raw<Schema.MeAnswer | undefined>()
  service = $state.raw<Schema.ServiceInfo | undefined>()
  loaded = $state(false)

  readonly isAdministrator = $derived(this.me?.role === 'administrator')

  /** A small picture of whoever is signed in. */
  readonly pictureUrl = $derived(this.me?.picture ? `${base}/i/${this.me.picture}/thumb` : undefined)

  constructor() {
    whenSignedOut(() => this.#lost())
  }

  /** Asks the server; to be called at the start and after signing in. */
  async load(): Promise<void> {
    const service = this.service ?? calls.service().catch(() => undefined)
    try {
      this.me = await calls.me()
    } catch {
      this.me = undefined
    }
    this.loaded = true
    this.#notice()
    this.service = await service
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
    if (this.loaded && route.frame !== 'plain') router.go(signInAddress(), { replace: true })
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
