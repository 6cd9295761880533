// Tells the uploads of this tab from those of others.
//
// All tabs share the browser's storage. A tab that is open says so there again and again; what it
// remembers is its own business. When it is closed or dies, another tab may take over.

import type { Clock } from './types'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const BEAT_MS = 5_000
const DEAD_AFTER_MS = 3 * BEAT_MS

export class Tabs {
  #stop: (() => void) | undefined

  constructor(
    /** The name of this tab, the same after a reload. */
    readonly own: string,
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Says from now on that this tab is open. */
  begin(): void {
    try {
      this.store.setItem(name(this.own), String(this.clock.now()))
    } catch {
      // Without storage nothing is remembered, and nothing need be told apart.
    }
    this.#stop = this.clock.after(BEAT_MS, () => this.begin())
  }

  /** The tab is being left. */
  end(): void {
    this.#stop?.()
    this.store.removeItem(name(this.own))
  }

  /** Whether what a tab remembers belongs to another one that is open. */
  isElsewhere(tab: string): boolean {
    if (tab === this.own) return false
    const beat = Number(this.store.getItem(name(tab)) ?? 0)
    return this.clock.now() - beat < DEAD_AFTER_MS
  }
}

/** The name of this tab. */
export function ownTab(session: Pick<Storage, 'getItem' | 'setItem'>): string {
  const key = 'ferrotype.tab'
  const known = session.getItem(key)
  if (known) return known
  const made = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('')
  session.setItem(key, made)
  return made
}

function name(tab: string): string {
  return `ferrotype.tab.${tab}`
}
