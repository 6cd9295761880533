// A paged list of the API as the source of a grid: it is laid out as far as it is known, and grows.
import { images, onChange, onGap, type Image, type Pager, type Schema } from '../api'
import { ratioByte } from './ratio'
import { Settle } from './settle'
import { EMPTY, groupByDay, NO_DAY, type Shape } from './shape'
import { dayOf, tileOf, type GroupBy, type Mark, type PhotoSource, type Tile } from './source'

const SETTLE = 600
/** How far a photo is looked for that somebody has the address of. */
const LOOK_PAGES = 10
/** Addresses of pictures end after an hour. */
const FRESH = 50 * 60_000

export class ListSource implements PhotoSource {
  shape = $state.raw<Shape>(EMPTY)
  loaded = $state(0)
  growing = $state(true)
  ready = $state(false)
  error = $state.raw<unknown>()

  #tiles: Tile[] = []
  #places = new Map<string, number>()
  #cursor: string | undefined
  #asking: Promise<void> | undefined
  #gone = new Set<string>()
  #touched = new Map<string, Schema.Change>()
  #settle = new Settle(() => void this.#catchUp(), SETTLE)
  #since = 0

  constructor(
    readonly name: string,
    readonly pager: Pager<Image>,
    readonly by: GroupBy = 'uploaded',
    /** Whether a photo that is new anywhere may belong to the list. */
    readonly live = true,
  ) {}

  start(): () => void {
    const stops = [onChange((change) => this.#heard(change)), onGap(() => void this.refresh())]
    if (!this.ready) void this.more()
    else if (Date.now() - this.#since > FRESH) void this.refresh()
    return () => {
      this.#settle.stop()
      for (const stop of stops) stop()
    }
  }

  tile(index: number): Tile | undefined {
    return this.#tiles[index]
  }

  want(_from: number, before: number): void {
    if (this.growing && before > this.#tiles.length - 60) void this.more()
  }

  async load(from: number, before: number): Promise<Tile[]> {
    while (this.growing && this.#tiles.length < before && !this.error) await this.more()
    return this.#tiles.slice(from, before)
  }

  more(): Promise<void> {
    this.#asking ??= this.#more().finally(() => (this.#asking = undefined))
    return this.#asking
  }

  async #more(): Promise<void> {
    if (!this.growing) return
    try {
      // A page may be short, or empty, although there is more.
      const before = this.#tiles.length
      do {
        const page = await this.pager(this.#cursor)
        this.#cursor = page.nextCursor ?? undefined
        this.#append(page.items.map(tileOf))
      } while (this.#cursor && this.#tiles.length === before)
      this.growing = this.#cursor !== undefined
      this.error = undefined
      this.#since ||= Date.now()
    } catch (error) {
      this.error = error
    }
    this.ready = true
    this.#shapeAgain()
  }

  #append(tiles: Tile[]): void {
    for (const tile of tiles) {
      if (this.#gone.has(tile.id) || this.#places.has(tile.id)) continue
      this.#places.set(tile.id, this.#tiles.length)
      this.#tiles.push(tile)
    }
  }

  #shapeAgain(): void {
    const ratios = Uint8Array.from(this.#tiles, (tile) => ratioByte(tile.width, tile.height))
    const days = Int32Array.from(this.#tiles, (tile) => (this.by === 'none' ? NO_DAY : dayOf(tile, this.by)))
    this.#places = new Map(this.#tiles.map((tile, index) => [tile.id, index]))
    this.shape = groupByDay(days, ratios)
    this.loaded += 1
  }

  indexOf(id: string): number | undefined {
    return this.#places.get(id)
  }

  async locate(id: string): Promise<number | undefined> {
    for (let page = 0; page < LOOK_PAGES && this.growing && !this.#places.has(id) && !this.error; page += 1) await this.more()
    return this.#places.get(id)
  }

  mark(index: number): Mark {
    return { index, id: this.#tiles[index]?.id }
  }

  find(mark: Mark): number {
    return (mark.id === undefined ? undefined : this.#places.get(mark.id)) ?? Math.min(mark.index, Math.max(0, this.#tiles.length - 1))
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.#gone.add(id)
    this.#tiles = this.#tiles.filter((tile) => !this.#gone.has(tile.id))
    this.#shapeAgain()
  }

  patch(id: string, change: Partial<Tile>): void {
    const index = this.#places.get(id)
    const tile = index === undefined ? undefined : this.#tiles[index]
    if (index === undefined || !tile) return
    this.#tiles[index] = { ...tile, ...change }
    this.#shapeAgain()
  }

  /** Loads as much as there was, afresh. */
  async refresh(): Promise<void> {
    const wanted = Math.max(1, this.#tiles.length)
    const tiles: Tile[] = []
    let cursor: string | undefined
    try {
      do {
        const page = await this.pager(cursor)
        tiles.push(...page.items.map(tileOf))
        cursor = page.nextCursor ?? undefined
      } while (cursor && tiles.length < wanted)
    } catch (error) {
      if (!this.ready) this.error = error
      return
    }
    this.#gone.clear()
    this.#places.clear()
    this.#tiles = []
    this.#cursor = cursor
    this.#append(tiles)
    this.growing = cursor !== undefined
    this.ready = true
    this.error = undefined
    this.#since = Date.now()
    this.#shapeAgain()
  }

  #heard(change: Schema.Change): void {
    if (change.entity !== 'image') return
    this.#touched.set(change.id, change)
    this.#settle.soon()
  }

  /** What changed is loaded again; what is new is looked for at the beginning of the list. */
  async #catchUp(): Promise<void> {
    const touched = [...this.#touched.values()]
    this.#touched.clear()
    const known = touched.filter((change) => this.#places.has(change.id))
    const unknown = touched.length > known.length
    try {
      if (known.length > 0) await this.#renew(known, await images.some(known.map((change) => change.id)))
      if (unknown && this.live) await this.#lookForNew()
    } catch {
      // The next change, or the next visit, brings what was missed.
    }
  }

  #dateOf(tile: Tile | undefined): string {
    return `${tile?.takenAt} ${tile?.offsetMinutes}`
  }

  async #renew(changes: Schema.Change[], found: Image[]): Promise<void> {
    const now = new Map(found.map((image) => [image.id, tileOf(image)]))
    // Another date is another place.
    const moved = found.some(({ id }) => this.by === 'taken' && this.#dateOf(now.get(id)) !== this.#dateOf(this.#tiles[this.#places.get(id) ?? -1]))
    if (moved) return this.refresh()
    for (const { id } of changes) {
      const index = this.#places.get(id)
      const tile = now.get(id)
      if (index === undefined) continue
      if (tile) this.#tiles[index] = { ...tile, favourite: tile.favourite ?? this.#tiles[index]?.favourite }
      else this.#gone.add(id)
    }
    this.#tiles = this.#tiles.filter((tile) => !this.#gone.has(tile.id))
    this.#shapeAgain()
  }

  async #lookForNew(): Promise<void> {
    const page = await this.pager(undefined)
    const fresh = page.items.map(tileOf).filter((tile) => !this.#places.has(tile.id))
    if (fresh.length === 0) return
    // If none of the page is known there may be a gap behind it.
    if (fresh.length === page.items.length && this.#tiles.length > 0 && page.nextCursor) return this.refresh()
    const before = new Set(fresh.map((tile) => tile.id))
    for (const id of before) this.#gone.delete(id)
    this.#tiles = [...fresh, ...this.#tiles]
    this.#shapeAgain()
  }
}

/** Sources that were used lately: going back shows them at once and where they were. */
const KEPT = 12
const kept = new Map<string, ListSource>()

export function listSource(name: string, pager: Pager<Image>, by: GroupBy = 'uploaded', live = true): ListSource {
  const key = `${name} ${by}`
  const source = kept.get(key) ?? new ListSource(key, pager, by, live)
  kept.delete(key)
  kept.set(key, source)
  if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
  return source
}

/** To be called when somebody else signs in. */
export const forgetLists = (): void => kept.clear()
