// What the frame needs of the uploader before anybody uploads; the rest is loaded on demand.
import { untrack } from 'svelte'
import { session } from '../state/session.svelte'
import { toasts } from '../state/toasts.svelte'
import type { IntoAlbum } from './types'

type Uploader = typeof import('./uploader')

/** The album whose page is open: what is dropped there belongs into it. */
let album: IntoAlbum | undefined

/** Watches for files that are dropped or pasted; answers with how to stop. */
export function startUploads(): () => void {
  // Once for a person, not again whenever something about them is told anew.
  const user = untrack(() => session.me?.id)
  if (user === undefined) return () => {}
  addEventListener('dragenter', dragged)
  addEventListener('dragover', dragged)
  addEventListener('drop', dropped)
  addEventListener('paste', pasted)
  if (wasUsed || hasUnfinished(user)) untrack(() => void load())
  return () => {
    removeEventListener('dragenter', dragged)
    removeEventListener('dragover', dragged)
    removeEventListener('drop', dropped)
    removeEventListener('paste', pasted)
    void loading?.then((uploader) => uploader.leave())
    loading = undefined
  }
}

/** Lets people choose files, a folder or the camera. */
export async function chooseFiles(): Promise<void> {
  const { choose } = await load()
  choose(album)
}

/**
 * Says that uploads go into this album while its page is open; answers with how to end that, which
 * suits `$effect`.
 */
export function uploadInto(into: IntoAlbum): () => void {
  album = into
  return () => {
    if (album === into) album = undefined
  }
}

let loading: Promise<Uploader> | undefined
/** Whether there may be something in the queue from before somebody had to sign in again. */
let wasUsed = false

function load(): Promise<Uploader> {
  const user = session.me?.id ?? ''
  loading ??= import('./uploader').then((uploader) => {
    uploader.enter(user)
    wasUsed = true
    return uploader
  })
  loading.catch((error: unknown) => {
    loading = undefined
    toasts.error(error)
  })
  return loading
}

function dragged(event: DragEvent): void {
  if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
  // Otherwise the browser would leave the page and show the file.
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
  const into = album
  void load().then((uploader) => uploader.hover(into))
}

function dropped(event: DragEvent): void {
  if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
  event.preventDefault()
  // What was dropped is told within the event only, so it is looked at before anything is loaded.
  const files = [...event.dataTransfer.items].flatMap((item) => {
    const [entry, file] = [item.webkitGetAsEntry?.() ?? null, item.getAsFile()]
    return item.kind === 'file' ? [{ entry, file }] : []
  })
  const into = album
  void load().then((uploader) => uploader.addDropped(files, into))
}

function pasted(event: ClipboardEvent): void {
  const files = [...(event.clipboardData?.files ?? [])]
  if (files.length === 0) return
  event.preventDefault()
  const into = album
  void load().then((uploader) => uploader.addPasted(files, into))
}

function hasFiles(transfer: DataTransfer): boolean {
  return transfer.types.includes('Files')
}

/** Whether a reload has left something of this user to go on with. */
function hasUnfinished(user: string): boolean {
  const prefix = `ferrotype.upload.${user}.`
  return Object.keys(localStorage).some((name) => name.startsWith(prefix))
}
