// Who is signed in, and what they may do.
import { session as calls, whenSignedOut, type Schema } from '../api'
import { router } from '../router'

type Scope = 'read' | 'write' | 'delete' | 'account' | 'admin'

class Session {
  me = $state.raw<Schema.MeAnswer | undefined>()
  service = $state.raw<Schema.ServiceInfo | undefined>()
  loaded = $state(false)

  readonly isAdministrator = $derived(this.me?.role === 'administrator')

  /** A small picture of whoever is signed in. */
  readonly pictureUrl = $derived(this.me?.picture ? `/i/${this.me.picture}/thumb` : undefined)

  constructor() {
    whenSignedOut(() => this.#lost())
  }

  /** Asks the server; to be called at the start and after signing in. */
  async load(): Promise<void> {
    try {
      this.me = await calls.me()
    } catch {
      this.me = undefined
    }
    this.loaded = true
    if (this.me && !this.service) this.service = await calls.service().catch(() => undefined)
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
    // What was kept for offline use belongs to whoever was signed in.
    navigator.serviceWorker?.controller?.postMessage('forget')
    router.go('/signin')
  }

  #lost(): void {
    const { route } = router.place
    this.me = undefined
    if (this.loaded && route.frame !== 'plain') router.go(signInAddress(), { replace: true })
  }
}

/** The page to sign in, which leads back here. */
export function signInAddress(): string {
  const here = location.pathname + location.search
  return here === '/' ? '/signin' : `/signin?next=${encodeURIComponent(here)}`
}

export const session = new Session()
