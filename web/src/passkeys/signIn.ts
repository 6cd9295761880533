// Signing in with a passkey, in two ways: by a button, and by choosing one where the address is
// entered. A browser does one at a time, so each gives way to the other.
import { passkeys, type CredentialJson } from '../api/passkeys'
import { canSuggest, usePasskey } from './device'

/** What it is made of; tests bring their own. */
export interface Parts {
  canSuggest: () => Promise<boolean>
  begin: (signal?: AbortSignal) => Promise<CredentialJson>
  use: (options: CredentialJson, how: { suggest?: boolean; signal?: AbortSignal }) => Promise<CredentialJson>
}
const REAL: Parts = { canSuggest, begin: passkeys.beginSignIn, use: usePasskey }

/** The server forgets what it has asked after so long, if it does not say. */
const LIFE_MS = 300_000

export class PasskeySignIn {
  #stop = new AbortController()

  constructor(readonly parts: Parts = REAL) {}

  /**
   * Offers passkeys among what the browser fills in, and answers with the one that was chosen; with
   * nothing if it was stopped, or cannot be offered. Then the button is still there, so nobody is told.
   */
  async suggested(): Promise<CredentialJson | undefined> {
    const { signal } = this.#anew()
    try {
      if (!(await this.parts.canSuggest())) return undefined
      while (!signal.aborted) {
        const chosen = await this.#untilOld(signal)
        if (chosen) return chosen
      }
    } catch {
      // Given up, or refused by the browser.
    }
    return undefined
  }

  /** Asks for a passkey at once. */
  async asked(): Promise<CredentialJson> {
    const { signal } = this.#anew()
    return this.parts.use(await this.parts.begin(signal), { signal })
  }

  /** Gives up whatever is under way. */
  stop(): void {
    this.#stop.abort()
  }

  #anew(): AbortController {
    this.stop()
    return (this.#stop = new AbortController())
  }

  /** Waits for a choice as long as the server remembers what it has asked; nothing if that has passed. */
  async #untilOld(signal: AbortSignal): Promise<CredentialJson | undefined> {
    const options = await this.parts.begin(signal)
    const old = new AbortController()
    const give = (): void => old.abort()
    // Some time is left to whoever is just choosing.
    const timer = setTimeout(give, (typeof options.timeout === 'number' ? options.timeout : LIFE_MS) * 0.8)
    signal.addEventListener('abort', give)
    if (signal.aborted) give()
    try {
      return await this.parts.use(options, { suggest: true, signal: old.signal })
    } catch (error) {
      if (old.signal.aborted && !signal.aborted) return undefined
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', give)
    }
  }
}
