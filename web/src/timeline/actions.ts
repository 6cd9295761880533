// What can be done with many photos. Each action says what became of it and offers a way back
// where there is one.
import { albums, forEach, images, inHundreds, saveArchive, tags as tagCalls, type Schema } from '../api'
import { n, type PluralKey } from '../i18n'
import { explain, toasts } from '../state/toasts.svelte'
import type { PhotoSource, Tile } from './source'

type Failed = { item: Tile; error: unknown }[]

const ids = (tiles: readonly Tile[]): string[] => tiles.map((tile) => tile.id)
const except = (tiles: readonly Tile[], failed: Failed): Tile[] => tiles.filter((tile) => !failed.some(({ item }) => item === tile))

/** Says for how many it did not work, and why for the first. */
function complain(failed: Failed): void {
  if (failed[0]) toasts.error(new Error(n('failedFor', failed.length, { why: explain(failed[0].error) })))
}

function report(key: PluralKey, done: readonly Tile[], failed: Failed, undo?: () => unknown): void {
  complain(failed)
  if (done.length === 0) return
  if (undo) toasts.undo(n(key, done.length), undo)
  else toasts.show(n(key, done.length))
}

export async function trash(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  source.drop(ids(tiles))
  const failed = await forEach(tiles, (tile) => images.trash(tile.id))
  if (failed.length > 0) await source.refresh()
  const done = except(tiles, failed)
  report('trashed', done, failed, async () => {
    await forEach(done, (tile) => images.restore(tile.id))
    await source.refresh()
  })
}

export async function restore(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  source.drop(ids(tiles))
  const failed = await forEach(tiles, (tile) => images.restore(tile.id))
  if (failed.length > 0) await source.refresh()
  const done = except(tiles, failed)
  report('restored', done, failed, async () => {
    await forEach(done, (tile) => images.trash(tile.id))
    await source.refresh()
  })
}

export async function purge(source: PhotoSource, tiles: readonly Tile[]): Promise<void> {
  source.drop(ids(tiles))
  const failed = await forEach(tiles, (tile) => images.purge(tile.id))
  if (failed.length > 0) await source.refresh()
  report('purged', except(tiles, failed), failed)
}

export async function favourite(source: PhotoSource, tiles: readonly Tile[], on: boolean): Promise<void> {
  const set = (some: readonly Tile[], value: boolean): Promise<Failed> => {
    for (const tile of some) source.patch(tile.id, { favourite: value })
    return forEach(some, (tile) => images.favourite(tile.id, value))
  }
  const failed = await set(tiles, on)
  for (const { item } of failed) source.patch(item.id, { favourite: !on })
  const done = except(tiles, failed)
  report(on ? 'favoured' : 'unfavoured', done, failed, () => set(done, !on))
}

/** Shows photos to everybody with an account here, or to nobody else. */
export async function show(source: PhotoSource, tiles: readonly Tile[], visibility: Schema.Visibility): Promise<void> {
  const change = async (tile: Tile): Promise<void> => {
    const now = await images.load(tile.id)
    const changed = now.visibility === visibility ? now : await images.change(tile.id, now.version, { visibility })
    source.patch(tile.id, { visibility: changed.visibility, version: changed.version })
  }
  const failed = await forEach(tiles, change)
  report(visibility === 'shared' ? 'sharedAll' : 'unsharedAll', except(tiles, failed), failed)
}

export async function removeFromAlbum(source: PhotoSource, tiles: readonly Tile[], album: Schema.Album): Promise<void> {
  source.drop(ids(tiles))
  try {
    await albums.take(album.id, ids(tiles))
    report('removedFromAlbum', tiles, [], async () => {
      await albums.add(album.id, ids(tiles))
      await source.refresh()
    })
  } catch (error) {
    toasts.error(error)
    await source.refresh()
  }
}

/** Adds tags to those that photos have; answers with how many could not take them. */
export async function addTags(tiles: readonly Tile[], wanted: string[], isPrivate: boolean): Promise<void> {
  const now = new Map<string, Schema.TagsOfImage>()
  const failed = await forEach(tiles, async (tile) => void now.set(tile.id, await images.tags(tile.id)))
  const set = (merge: (old: Schema.TagsOfImage) => Omit<Schema.TagsOf, 'image'>) =>
    inHundreds([...now.keys()], (some) =>
      tagCalls.setMany(some.map((image) => ({ image, ...merge(now.get(image) as Schema.TagsOfImage) }))),
    )
  const answers = await set((old) => ({
    public: isPrivate ? old.public.filter((tag) => !wanted.includes(tag)) : [...new Set([...old.public, ...wanted])],
    private: isPrivate ? [...new Set([...old.private, ...wanted])] : old.private.filter((tag) => !wanted.includes(tag)),
  }))
  const refused = new Map(answers.flatMap((answer) => answer.items.filter((one) => one.outcome !== 'set').map((one) => [one.image, one.outcome])))
  for (const tile of tiles) if (refused.has(tile.id)) failed.push({ item: tile, error: new Error(refused.get(tile.id)) })
  report('tagged', except(tiles, failed), failed, () => set((old) => ({ public: old.public, private: old.private })))
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
