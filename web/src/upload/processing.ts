// Follows images from their last byte to their renditions.
//
// The stream of changes tells which image to look at; should it be broken, everything that is
// still being processed is looked at now and then.

import type { Clock } from './types'

/** What the server says about an image. */
export interface ImageState {
  readonly id: string
  readonly status: string
  readonly error?: string | null | undefined
  readonly thumbnail?: string | undefined
}

export interface Outcome {
  readonly thumbnail?: string
  readonly error?: string
}

type Look = (ids: readonly string[]) => Promise<ImageState[]>

/** As many ids as the API takes at once. */
const BATCH = 100
/** Changes come in swarms: one look for all of them. */
const GATHER_MS = 250
const LOOK_MS = 8_000

export class ProcessingWatch {
  #watched = new Set<string>()
  #due = new Set<string>()
  #gathering: (() => void) | undefined
  #looking: (() => void) | undefined

  constructor(
    private readonly look: Look,
    private readonly tell: (id: string, outcome: Outcome) => void,
    private readonly clock: Clock,
  ) {}

  /** Follows an image until it is ready or has failed. It may be so already. */
  watch(id: string): void {
    if (this.#watched.has(id)) return
    this.#watched.add(id)
    this.#soon([id])
    this.#lookNowAndThen()
  }

  /** The server says that something about an image has changed. */
  changed(id: string): void {
    if (this.#watched.has(id)) this.#soon([id])
  }

  close(): void {
    this.#gathering?.()
    this.#looking?.()
    this.#watched.clear()
  }

  #soon(ids: Iterable<string>): void {
    for (const id of ids) this.#due.add(id)
    this.#gathering ??= this.clock.after(GATHER_MS, () => {
      this.#gathering = undefined
      const due = [...this.#due].filter((id) => this.#watched.has(id))
      this.#due.clear()
      for (let from = 0; from < due.length; from += BATCH) void this.#ask(due.slice(from, from + BATCH))
    })
  }

  #lookNowAndThen(): void {
    this.#looking ??= this.clock.after(LOOK_MS, () => {
      this.#looking = undefined
      if (this.#watched.size === 0) return
      this.#soon(this.#watched)
      this.#lookNowAndThen()
    })
  }

  async #ask(ids: readonly string[]): Promise<void> {
    let found: ImageState[]
    try {
      found = await this.look(ids)
    } catch {
      return // The next look will tell.
    }
    const byId = new Map(found.map((image) => [image.id, image]))
    for (const id of ids) this.#judge(id, byId.get(id))
  }

  #judge(id: string, image: ImageState | undefined): void {
    if (!this.#watched.has(id)) return
    if (image?.status === 'processing' || image?.status === 'pending') return
    this.#watched.delete(id)
    if (image?.status === 'failed') this.tell(id, { error: image.error ?? '' })
    // One that is gone was deleted meanwhile: whoever did so knows.
    else this.tell(id, image?.thumbnail === undefined ? {} : { thumbnail: image.thumbnail })
  }
}
