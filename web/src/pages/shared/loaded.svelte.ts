// Something that is being loaded: not there yet, there, or why not.
import { isAborted } from '../../api'

export class Loaded<T> {
  value = $state.raw<T | undefined>()
  error = $state.raw<unknown>()
  busy = $state(false)
  /** Only the newest request counts, whichever answers last. */
  #turn = 0

  /** Loads, and keeps what was there until the new is. Never throws. */
  async load(ask: () => Promise<T>): Promise<void> {
    const turn = ++this.#turn
    this.busy = true
    try {
      const value = await ask()
      if (turn !== this.#turn) return
      this.value = value
      this.error = undefined
    } catch (error) {
      if (turn !== this.#turn || isAborted(error)) return
      this.error = error
    } finally {
      if (turn === this.#turn) this.busy = false
    }
  }

  /** Forgets what was there, such as when the page is now about something else. */
  clear(): void {
    this.#turn += 1
    this.value = undefined
    this.error = undefined
    this.busy = false
  }
}
