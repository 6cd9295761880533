// What can be done with many photos. Each action says what became of it and offers a way back
// where there is one.
import { albums, forEach, hundreds, images, inHundreds, saveAll, saveArchive, tags as tagCalls, type ApiError, type Failed, type Schema, type Wanted } from '../api'
import { n, t, type PluralKey } from '../i18n'
import { explain, toasts } from '../state/toasts.svelte'
import type { PhotoSource, Tile } from './source'

const ids = (tiles: readonly Tile[]): string[] => tiles.map((tile) => tile.id)
const except = (tiles: readonly Tile[], failed: Failed<Tile>[]): Tile[] => tiles.filter((tile) => !failed.some(({ item }) => item === tile))

/** Whoever waits is told why, and that it goes on. */
export const patience = { waiting: (seconds: number, error: ApiError): void => void toasts.show(n('waiting', seconds, { why: error.status === 429 ? t('error.slower') : explain(error) })) }

const each = <T>(items: readonly T[], act: (item: T) => Promise<unknown>, width?: number): Promise<Failed<T>[]> => forEach(items, act, width, patience)

/** Says for how many it did not work, and why, each reason once. */
function complain(failed: readonly Failed<Tile>[]): void {
  const reasons = new Map<string, number>()
  for (const { error } of failed) reasons.set(explain(error), (reasons.get(explain(error)) ?? 0) + 1)
  for (const [why, count] of reasons) toasts.error(new Error(n('failedFor', count, { why })))
}

function report(key: PluralKey, done: readonly Tile[], failed: readonly Failed<Tile>[], undo?: () => unknown): void {
  if (done.length > 0) {
    if (undo) toasts.undo(n(key, done.length), undo)
    else toasts.show(n(key, done.length))
  }
  complain(failed)
}

/** Takes photos out of sight and does something with each; those for which it fails are back afterwards. */
async function takeOut(source: PhotoSource, tiles: readonly Tile[], act: (tile: Tile) => Promise<unknown>): Promise<Failed<Tile>[]> {
  source.drop(ids(tiles))
  const failed = await each(tiles, act)
  if (failed.length > 0) await source.refresh()
  return failed
}

/** Takes something back, and says for how many that did not work. */
async function takeBack(source: PhotoSource, tiles: readonly Tile[], act: (tile: Tile) => Promise<unknown>): Promise<void> {
  complain(await each(tiles, act))
  await source.refresh()
}

export async function trash(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  const failed = await takeOut(source, tiles, (tile) => images.trash(tile.id))
  const done = except(tiles, failed)
  report('trashed', done, failed, () => takeBack(source, done, (tile) => images.restore(tile.id)))
}

export async function restore(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  const failed = await takeOut(source, tiles, (tile) => images.restore(tile.id))
  const done = except(tiles, failed)
  report('restored', done, failed, () => takeBack(source, done, (tile) => images.trash(tile.id)))
}

export async function purge(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  const failed = await takeOut(source, tiles, (tile) => images.purge(tile.id))
  report('purged', except(tiles, failed), failed)
}

/** Tries again what could not be shown. */
export async function retry(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  const failed = await each(tiles, async (tile) => {
    const { status, version } = await images.retry(tile.id)
    source.patch(tile.id, { status, version })
  })
  report('retried', except(tiles, failed), failed)
}

export async function favourite(source: PhotoSource, tiles: readonly Tile[], on: boolean): Promise<void> {
  const set = async (some: readonly Tile[], value: boolean): Promise<Failed<Tile>[]> => {
    for (const tile of some) source.patch(tile.id, { favourite: value })
    const failed = await each(some, (tile) => images.favourite(tile.id, value))
    for (const { item } of failed) source.patch(item.id, { favourite: !value })
    return failed
  }
  const failed = await set(tiles, on)
  const done = except(tiles, failed)
  report(on ? 'favoured' : 'unfavoured', done, failed, async () => complain(await set(done, !on)))
}

/** Shows photos to everybody with an account here, or to nobody else. */
export async function show(source: PhotoSource, tiles: readonly Tile[], visibility: Schema.Visibility): Promise<void> {
  const change = async (tile: Tile): Promise<void> => {
    const now = await images.load(tile.id)
    const changed = now.visibility === visibility ? now : await images.change(tile.id, now.version, { visibility })
    source.patch(tile.id, { visibility: changed.visibility, version: changed.version })
  }
  const failed = await each(tiles, change)
  report(visibility === 'shared' ? 'sharedAll' : 'unsharedAll', except(tiles, failed), failed)
}

export async function removeFromAlbum(source: PhotoSource, tiles: readonly Tile[], album: Schema.Album): Promise<void> {
  source.drop(ids(tiles))
  const parts = hundreds(tiles)
  const of = (failed: Failed<Tile[]>[]): Failed<Tile>[] => failed.flatMap(({ item, error }) => item.map((tile) => ({ item: tile, error })))
  const failed = of(await each(parts, (some) => albums.take(album.id, ids(some)), 1))
  if (failed.length > 0) await source.refresh()
  const done = except(tiles, failed)
  report('removedFromAlbum', done, failed, async () => {
    complain(of(await each(hundreds(done), (some) => albums.add(album.id, ids(some)), 1)))
    await source.refresh()
  })
}

/** Adds tags to those that photos have; says for how many that did not work. */
export async function addTags(tiles: readonly Tile[], wanted: string[], isPrivate: boolean): Promise<void> {
  const now = new Map<string, Schema.TagsOfImage>()
  const unknown = await each(tiles, async (tile) => void now.set(tile.id, await images.tags(tile.id)))
  const set = async (some: readonly Tile[], merge: (old: Schema.TagsOfImage) => Omit<Schema.TagsOf, 'image'>): Promise<Failed<Tile>[]> => {
    const wished = some.map(({ id }) => ({ image: id, ...merge(now.get(id) as Schema.TagsOfImage) }))
    try {
      const answers = await inHundreds(wished, (items) => tagCalls.setMany(items), patience)
      const outcomes = new Map(answers.flatMap((answer) => answer.items.map((one) => [one.image, one.outcome] as const)))
      const why = (outcome?: string): Error => new Error(t(outcome === 'tooMany' ? 'code.too_many_tags' : 'code.not_found'))
      return some.flatMap((tile) => (outcomes.get(tile.id) === 'set' ? [] : [{ item: tile, error: why(outcomes.get(tile.id)) }]))
    } catch (error) {
      return some.map((tile) => ({ item: tile, error }))
    }
  }
  const known = except(tiles, unknown)
  const refused = await set(known, (old) => ({
    public: isPrivate ? old.public.filter((tag) => !wanted.includes(tag)) : [...new Set([...old.public, ...wanted])],
    private: isPrivate ? [...new Set([...old.private, ...wanted])] : old.private.filter((tag) => !wanted.includes(tag)),
  }))
  const done = except(known, refused)
  report('tagged', done, [...unknown, ...refused], async () => complain(await set(done, (old) => ({ public: old.public, private: old.private }))))
}

/** One photo as its file, several as one archive of them. */
export async function download(tiles: readonly Tile[], owned: (tile: Tile) => boolean): Promise<void> {
  const [tile] = tiles
  if (!tile) return
  if (tiles.length > 1) {
    await saveArchive(ids(tiles))
    toasts.show(n('downloading', tiles.length))
    return
  }
  const link = document.createElement('a')
  link.href = images.downloadUrl({ id: tile.id, originalUrl: owned(tile) ? 'yes' : undefined })
  link.download = tile.filename ?? ''
  document.body.append(link)
  link.click()
  link.remove()
}

/** All there are as one archive. */
export async function downloadAll(wanted: Wanted): Promise<void> {
  try {
    await saveAll(wanted)
    toasts.show(t('download.begun'))
  } catch (error) {
    toasts.error(error)
  }
}
