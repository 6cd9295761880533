// The uploader as the frame knows it: everything that is loaded when somebody first uploads.
import { mount, unmount } from 'svelte'
import { fromClipboard, fromDropped, type Dropped } from './collect'
import Uploader from './Uploader.svelte'
import { Uploads } from './uploads.svelte'
import type { IntoAlbum } from './types'

let uploads: Uploads | undefined
let shown: Record<string, unknown> | undefined

/** Shows the uploads of this user. Those that were under way when the page was left go on. */
export function enter(user: string): void {
  if (uploads?.user !== user) {
    uploads?.close()
    uploads = new Uploads(user)
  }
  uploads.queue.wakeUp()
  shown ??= mount(Uploader, { target: document.body, props: { uploads } })
}

/** Nobody is signed in any more. What is queued waits, should the same person come back. */
export function leave(): void {
  if (shown) void unmount(shown)
  shown = undefined
}

/** Asks what to upload. */
export function choose(into: IntoAlbum | undefined): void {
  uploads?.ask(into)
}

/** Files are being held over the page. */
export function hover(into: IntoAlbum | undefined): void {
  uploads?.hover(into)
}

export async function addDropped(things: readonly Dropped[], into: IntoAlbum | undefined): Promise<void> {
  const found = await fromDropped(things, uploads?.taken)
  uploads?.add(found, into)
}

export function addPasted(files: readonly File[], into: IntoAlbum | undefined): void {
  uploads?.add(fromClipboard(files, new Date(), uploads?.taken), into)
}
