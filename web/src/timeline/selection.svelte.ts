// Which photos are selected. They are kept by id, since new photos shift the places of others.
import type { Tile } from './source'

export class Selection {
  #tiles = $state.raw<ReadonlyMap<string, Tile>>(new Map())
  /** Where a range begins. */
  anchor: string | undefined

  get count(): number {
    return this.#tiles.size
  }

  get ids(): string[] {
    return [...this.#tiles.keys()]
  }

  get tiles(): Tile[] {
    return [...this.#tiles.values()]
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#tiles.has(id)
  }

  toggle(tile: Tile): void {
    this.set([tile], !this.has(tile.id))
    this.anchor = tile.id
  }

  /** Adds or takes away. */
  set(tiles: readonly Tile[], on: boolean): void {
    const next = new Map(this.#tiles)
    for (const tile of tiles) {
      if (on) next.set(tile.id, tile)
      else next.delete(tile.id)
    }
    this.#tiles = next
  }

  /** What is selected from now on. */
  replace(tiles: readonly Tile[]): void {
    this.#tiles = new Map(tiles.map((tile) => [tile.id, tile]))
  }

  clear(): void {
    this.#tiles = new Map()
    this.anchor = undefined
  }

  forget(ids: Iterable<string>): void {
    const next = new Map(this.#tiles)
    for (const id of ids) next.delete(id)
    this.#tiles = next
  }
}
