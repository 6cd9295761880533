// One's own library as the source of a grid: its shape is known up front, and what is known of
// single photos is fetched in fixed pieces of a month.
import { get, images, onChange, onGap, send } from '../api'
import { readDate } from './dates'
import { hourPlace, indexOfHourPlace, localZone, noZone } from './hours'
import { Settle } from './settle'
import { EMPTY, lastNotAbove, type Shape } from './shape'
import { monthStarts, readSkeleton, shapeOf, type Month } from './skeleton'
import type { Mark, PhotoSource, Tile } from './source'

const CHUNK = 256
const CHUNKS_KEPT = 40
/** Of a month that has changed, so many pieces are fetched again at once: what is on screen, and near it. */
const CHUNKS_RENEWED = 6
/** Addresses of pictures end after an hour. */
const FRESH = 50 * 60_000
const SETTLE = 800

interface ChunkAnswer {
  month: string
  offset: number
  tag: string
  items: Tile[]
}

interface Chunk {
  items: Tile[]
  tag: string
  at: number
}

interface MonthsAnswer {
  total: number
  months: { month: string; count: number; tag: string }[]
}

export class TimelineSource implements PhotoSource {
  shape = $state.raw<Shape>(EMPTY)
  loaded = $state(0)
  ready = $state(false)
  error = $state.raw<unknown>()
  readonly growing = false
  readonly name: string

  #months: Month[] = []
  #starts: Uint32Array = new Uint32Array([0])
  #chunks = new Map<string, Chunk>()
  #fetching = new Map<string, { stop: AbortController; done: Promise<void>; held: boolean }>()
  #settle = new Settle(() => void this.refresh(), SETTLE)
  #again = false
  #refreshing: Promise<void> | undefined

  constructor(readonly by: 'uploaded' | 'taken') {
    this.name = `timeline ${by}`
  }

  start(): () => void {
    const stops = [onChange((change) => change.entity === 'image' && this.#settle.soon()), onGap(() => this.#settle.soon())]
    void this.refresh()
    return () => {
      this.#settle.stop()
      this.#rest(new Set())
      for (const stop of stops) stop()
    }
  }

  /** Loads the whole shape the first time, later only the months that have changed. */
  refresh(): Promise<void> {
    this.#again = this.#refreshing !== undefined
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
      if (this.#again) void this.refresh()
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    try {
      if (!this.ready) this.#take(await this.#skeleton('/timeline'))
      else await this.#changedMonths()
      this.error = undefined
      this.ready = true
    } catch (error) {
      // What is on screen stays there while the server is away.
      if (!this.ready) this.error = error
    }
  }

  async #skeleton(path: string): Promise<Month[]> {
    const answer = await send('GET', path, undefined, { query: { by: this.by }, headers: { accept: 'application/octet-stream' } })
    return readSkeleton(await answer.arrayBuffer())
  }

  async #changedMonths(): Promise<void> {
    const { months } = await get<MonthsAnswer>('/timeline/months', { query: { by: this.by } })
    const known = new Map(this.#months.map((month) => [month.name, month]))
    const same = months.length === known.size && months.every(({ month, tag }) => known.get(month)?.tag === tag)
    if (same) return
    const next = await Promise.all(
      months.map(async ({ month, tag }) => {
        const found = known.get(month)
        return found?.tag === tag ? [found] : this.#skeleton(`/timeline/months/${month}`)
      }),
    )
    await this.#renewChunks(new Set(months.filter(({ month, tag }) => known.get(month)?.tag !== tag).map(({ month }) => month)))
    this.#take(next.flat())
  }

  /** In a month that has changed photos have other places, so what is known of it comes together with its shape. */
  async #renewChunks(changed: ReadonlySet<string>): Promise<void> {
    const stale = [...this.#chunks.keys()].filter((name) => changed.has(monthOf(name)))
    const fresh = await Promise.all(stale.slice(-CHUNKS_RENEWED).map(async (name) => [name, await this.#chunk(name)] as const))
    for (const name of stale) this.#chunks.delete(name)
    for (const [name, chunk] of fresh) this.#chunks.set(name, chunk)
  }

  #take(months: Month[]): void {
    this.#months = months
    this.#starts = monthStarts(months)
    this.shape = shapeOf(months, this.by === 'taken' ? noZone : localZone)
    this.loaded += 1
  }

  tile(index: number): Tile | undefined {
    const { name, offset } = this.#place(index)
    return this.#chunks.get(name)?.items[offset]
  }

  #place(index: number): { name: string; offset: number; month: Month | undefined; start: number } {
    const at = lastNotAbove(this.#starts, index, Math.max(1, this.#months.length))
    const month = this.#months[at]
    const within = index - (this.#starts[at] ?? 0)
    const start = Math.floor(within / CHUNK) * CHUNK
    return { name: `${month?.name}/${start}`, offset: within - start, month, start }
  }

  want(from: number, before: number): void {
    const names = this.#needed(from, before)
    this.#rest(names)
    for (const name of names) void this.#fetch(name).catch(() => {})
  }

  /** The pieces that are missing or old, of those that hold these photos. */
  #needed(from: number, before: number): Set<string> {
    const needed = new Set<string>()
    for (let index = Math.max(0, from); index < Math.min(before, this.shape.count); ) {
      const { name, month, start, offset } = this.#place(index)
      const chunk = this.#chunks.get(name)
      if (month && (!chunk || Date.now() - chunk.at > FRESH)) needed.add(name)
      index += Math.min(CHUNK, (month?.ratios.length ?? 0) - start) - offset || 1
    }
    return needed
  }

  /** Gives up what is no longer wanted by the scrolling; what somebody waits for is held. */
  #rest(wanted: ReadonlySet<string>): void {
    for (const [name, { stop, held }] of this.#fetching) if (!held && !wanted.has(name)) stop.abort()
  }

  #fetch(name: string, held = false): Promise<void> {
    const running = this.#fetching.get(name)
    if (running && !running.stop.signal.aborted) {
      running.held ||= held
      return running.done
    }
    const stop = new AbortController()
    const done = this.#fetchNow(name, stop.signal).finally(() => {
      if (this.#fetching.get(name)?.stop === stop) this.#fetching.delete(name)
    })
    this.#fetching.set(name, { stop, done, held })
    return done
  }

  async #fetchNow(name: string, signal: AbortSignal): Promise<void> {
    const chunk = await this.#chunk(name, signal)
    this.#chunks.delete(name)
    this.#chunks.set(name, chunk)
    if (this.#chunks.size > CHUNKS_KEPT) this.#chunks.delete(this.#chunks.keys().next().value as string)
    if (chunk.tag !== this.#months.find((month) => month.name === monthOf(name))?.tag) this.#settle.soon()
    this.loaded += 1
  }

  async #chunk(name: string, signal?: AbortSignal): Promise<Chunk> {
    const query = { by: this.by, month: monthOf(name), offset: startOf(name), count: CHUNK }
    const { items, tag } = await get<ChunkAnswer>('/timeline/chunk', { query, signal })
    return { items, tag, at: Date.now() }
  }

  async load(from: number, before: number): Promise<Tile[]> {
    const end = Math.min(before, this.shape.count)
    const tiles: Tile[] = []
    // Piece by piece, since not all of many pieces are kept.
    for (let index = from; index < end; ) {
      const { name, month, offset } = this.#place(index)
      if (!month) break
      if (!this.#chunks.has(name)) await this.#fetch(name, true)
      const items = this.#chunks.get(name)?.items.slice(offset, offset + end - index) ?? []
      if (items.length === 0) break
      tiles.push(...items)
      index += items.length
    }
    return tiles
  }

  async more(): Promise<void> {}

  indexOf(id: string): number | undefined {
    for (const [name, chunk] of this.#chunks) {
      const at = chunk.items.findIndex((tile) => tile.id === id)
      if (at < 0) continue
      const month = this.#months.findIndex((month) => month.name === monthOf(name))
      if (month >= 0) return (this.#starts[month] as number) + startOf(name) + at
    }
    return undefined
  }

  /** When it was taken or uploaded says in which hour it is; there it is looked for. */
  async locate(id: string): Promise<number | undefined> {
    const known = this.indexOf(id)
    if (known !== undefined) return known
    const image = await images.load(id).catch(() => undefined)
    const taken = this.by === 'taken' && image?.taken ? readDate(image.taken.at) : undefined
    const at = taken?.wall ?? Date.parse(image?.uploadedAt ?? '')
    if (Number.isNaN(at)) return undefined
    const hour = Math.floor(at / 3_600_000)
    const from = indexOfHourPlace(this.#months, { hour, fromEnd: Infinity })
    const before = indexOfHourPlace(this.#months, { hour: hour - 1, fromEnd: Infinity })
    await this.load(from, before + 1)
    return this.indexOf(id)
  }

  mark(index: number): Mark {
    return { index, id: this.tile(index)?.id, ...hourPlace(this.#months, index) }
  }

  find(mark: Mark): number {
    const { hour, fromEnd } = mark
    if (hour === undefined || fromEnd === undefined) return Math.min(mark.index, Math.max(0, this.shape.count - 1))
    return indexOfHourPlace(this.#months, { hour, fromEnd })
  }

  drop(ids: readonly string[]): void {
    const gone = new Set(ids)
    this.#take(this.#months.map((month) => this.#without(month, gone)).filter((month) => month.ratios.length > 0))
    this.#settle.soon()
  }

  /** A month without some photos; only those that are known can be taken out at once. */
  #without(month: Month, gone: ReadonlySet<string>): Month {
    const chunks = [...this.#chunks].filter(([name]) => monthOf(name) === month.name)
    const places = chunks.flatMap(([name, chunk]) =>
      chunk.items.flatMap((tile, at) => (gone.has(tile.id) ? [startOf(name) + at] : [])),
    )
    if (places.length === 0) return month
    const out = new Set(places)
    const known = new Map(chunks.flatMap(([name, chunk]) => chunk.items.map((tile, at) => [startOf(name) + at, tile] as const)))
    const left = Array.from({ length: month.ratios.length }, (_, place) => place).filter((place) => !out.has(place))
    this.#refill(month, chunks, left.map((place) => known.get(place)))
    // No state that the server ever had: should the photos come back at once, its tag is what it was before.
    return { ...month, tag: '', ratios: Uint8Array.from(left, (place) => month.ratios[place] as number), counts: countsWithout(month, out) }
  }

  /** Puts what is known of a month into pieces again, as far as they are whole. */
  #refill(month: Month, old: [string, Chunk][], tiles: (Tile | undefined)[]): void {
    for (const [name] of old) this.#chunks.delete(name)
    for (let start = 0; start < tiles.length; start += CHUNK) {
      const items = tiles.slice(start, start + CHUNK)
      if (items.some((tile) => tile === undefined)) continue
      this.#chunks.set(`${month.name}/${start}`, { items: items as Tile[], tag: month.tag, at: Date.now() })
    }
  }

  patch(id: string, change: Partial<Tile>): void {
    for (const chunk of this.#chunks.values()) {
      const at = chunk.items.findIndex((tile) => tile.id === id)
      if (at >= 0) chunk.items[at] = { ...(chunk.items[at] as Tile), ...change }
    }
    this.loaded += 1
  }
}

const monthOf = (chunk: string): string => chunk.slice(0, chunk.indexOf('/'))
const startOf = (chunk: string): number => Number(chunk.slice(chunk.indexOf('/') + 1))

function countsWithout(month: Month, out: ReadonlySet<number>): Uint32Array {
  const counts = month.counts.slice()
  let start = 0
  month.counts.forEach((count, hour) => {
    for (const place of out) if (place >= start && place < start + count) counts[hour] = (counts[hour] as number) - 1
    start += count
  })
  return counts
}

const kept = new Map<string, TimelineSource>()

export function timelineSource(by: 'uploaded' | 'taken'): TimelineSource {
  let found = kept.get(by)
  if (!found) kept.set(by, (found = new TimelineSource(by)))
  return found
}

/** To be called when somebody else signs in. */
export const forgetTimelines = (): void => kept.clear()
