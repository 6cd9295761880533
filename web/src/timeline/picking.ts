// How clicks, keys and drags become a selection. Photos are known by their place here, and by
// their id in the selection; ranges may reach to photos that are not loaded yet.
import { t } from '../i18n'
import { toasts } from '../state/toasts.svelte'
import type { Selection } from './selection.svelte'
import type { PhotoSource, Tile } from './source'

export const SELECTION_MAX = 10_000

export class Picking {
  /** What was selected before a drag began, to which the drag adds. */
  #before: Tile[] | undefined
  #turn = 0

  constructor(
    readonly source: () => PhotoSource,
    readonly chosen: () => Selection,
  ) {}

  get selection(): Selection {
    return this.chosen()
  }

  toggle(index: number): void {
    const tile = this.source().tile(index)
    if (tile) this.selection.toggle(tile)
  }

  /** Everything from the anchor to here. */
  async stretchTo(index: number): Promise<void> {
    const anchor = this.selection.anchor
    const from = anchor === undefined ? undefined : this.source().indexOf(anchor)
    if (from === undefined) return this.toggle(index)
    this.selection.set(await this.#load(Math.min(from, index), Math.max(from, index) + 1), true)
  }

  async range(from: number, before: number, on = true): Promise<void> {
    this.selection.set(await this.#load(from, before), on)
  }

  /** The photos of a day; if they are all selected, none of them. */
  async toggleDay(group: number): Promise<void> {
    const { shape } = this.source()
    const [from, before] = [shape.starts[group] as number, shape.starts[group + 1] as number]
    let selected = true
    for (let index = from; index < before && selected; index += 1) selected = this.selection.has(this.source().tile(index)?.id)
    await this.range(from, before, !selected)
  }

  /** Everything from the anchor to here; without an anchor, from the photo that the keyboard was at. */
  async extend(current: number, index: number): Promise<void> {
    this.selection.anchor ??= this.source().tile(current)?.id
    await this.stretchTo(index)
  }

  async all(): Promise<void> {
    const source = this.source()
    await this.range(0, source.growing ? SELECTION_MAX : source.shape.count)
  }

  async #load(from: number, before: number): Promise<Tile[]> {
    if (before - from > SELECTION_MAX) toasts.show(t('timeline.tooMany', { count: SELECTION_MAX }))
    try {
      return await this.source().load(from, Math.min(before, from + SELECTION_MAX))
    } catch (error) {
      toasts.error(error)
      return []
    }
  }

  /** What a drag touches now; photos that it touched and left are as they were. */
  async dragOver(from: number, before: number, touched?: readonly number[]): Promise<void> {
    this.#before ??= this.selection.tiles
    const turn = ++this.#turn
    const source = this.source()
    const tiles = touched
      ? touched.flatMap((index) => source.tile(index) ?? [])
      : await source.load(from, Math.min(before, from + SELECTION_MAX)).catch(() => [])
    // A later one may have been quicker.
    if (turn === this.#turn && this.#before) this.selection.replace([...this.#before, ...tiles])
  }

  dragEnd(): void {
    this.#before = undefined
  }
}
