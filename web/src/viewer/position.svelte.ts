// Which photo is seen, where it stands among the others, and what stands beside it.
import { toasts } from '../state/toasts.svelte'
import type { PhotoSource, Tile } from '../timeline/source'

/** So many before and behind the photo are known when it is seen. */
const NEAR = 2

/** What comes next is fetched before it is asked for: the next photo first. */
export function addressesOf(near: readonly (Tile | undefined)[]): string[] {
  return near.flatMap((tile) => tile?.urls.large ?? tile?.urls.medium ?? [])
}

export class Position {
  /** Looked for, and not there. */
  missing = $state(false)

  constructor(
    readonly source: () => PhotoSource,
    readonly id: () => string,
  ) {}

  readonly index = $derived.by(() => {
    const source = this.source()
    // It may be known where it stands as soon as more is known.
    void source.loaded
    void source.shape
    return source.indexOf(this.id())
  })
  readonly tile = $derived.by(() => (this.index === undefined ? undefined : this.source().tile(this.index)))
  readonly previous = $derived.by(() => this.#beside(-1))
  readonly next = $derived.by(() => this.#beside(1))
  readonly hasPrevious = $derived(this.previous !== undefined || (this.index ?? 0) > 0)

  #beside(step: 1 | -1): Tile | undefined {
    const source = this.source()
    void source.loaded
    return this.index === undefined ? undefined : source.tile(this.index + step)
  }

  /** A photo that is not known yet is looked for; then its neighbours are loaded. */
  async locate(): Promise<void> {
    const [source, wanted] = [this.source(), this.id()]
    this.missing = false
    try {
      const at = await source.locate(wanted)
      if (at === undefined) this.missing = wanted === this.id()
      else await source.load(Math.max(0, at - NEAR), at + NEAR + 1)
    } catch (error) {
      toasts.error(error)
    }
  }

  /** The photo so many steps away, when it is loaded; none beyond the ends. */
  async stepTo(step: 1 | -1): Promise<Tile | undefined> {
    if (this.index === undefined) return undefined
    const at = this.index + step
    const [found] = await this.source().load(at, at + 1).catch(() => [])
    return at < 0 ? undefined : found
  }

  preload(): void {
    for (const url of addressesOf([this.next, this.previous])) new Image().src = url
  }
}
