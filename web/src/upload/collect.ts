// Finds the images among what was dropped, pasted or chosen, folders and all.

import { isSidecar, pair } from './sidecars'
import type { Candidate } from './types'

/** Why a file is not sent at all. */
export type Reason = 'notImage' | 'video' | 'hidden' | 'empty' | 'tooLarge' | 'unreadable' | 'sidecarAlone'

/** A file, or a folder that could not be read, that is not sent. */
export interface LeftOut {
  readonly path: string
  readonly reason: Reason
}

/** What was found: what is sent, and what is not, with the reason. */
export interface Collected {
  readonly candidates: Candidate[]
  readonly leftOut: LeftOut[]
}

/** What the server takes, as far as it is known. */
export interface Taken {
  readonly bytesMax?: number
}

// The server tells by the bytes; this only spares it what is plainly something else. Browsers do not
// know the types of raw files and of some newer formats.
const EXTENSIONS = new Set(
  (
    'jpg jpeg jpe jfif png apng webp gif avif heic heif hif tif tiff bmp dib jxl ' +
    'psd psb jp2 j2k j2c jpf jpx tga ico cur jxr wdp hdp exr ' +
    'dng cr2 cr3 crw nef nrw arw srf sr2 orf rw2 raf pef srw 3fr erf kdc mef mos mrw rwl iiq x3f'
  ).split(' '),
)
const NEVER = new Set(['image/svg+xml'])

const VIDEOS = new Set('mp4 m4v mov avi mkv webm mpg mpeg mts m2ts 3gp wmv flv insv lrv'.split(' '))

/** Why a file is left out, if it is. */
export function reasonAgainst(file: Pick<File, 'name' | 'type' | 'size'>, { bytesMax = Infinity }: Taken = {}): Reason | undefined {
  // Apple's and Windows's helpers of folders, and what editors leave behind.
  if (/^(\.|~\$)|^(thumbs\.db|desktop\.ini)$/i.test(file.name)) return 'hidden'
  if (file.type.startsWith('video/') || VIDEOS.has(extensionOf(file.name))) return 'video'
  if (!mayBeImage(file)) return 'notImage'
  if (file.size === 0) return 'empty'
  return file.size > bytesMax ? 'tooLarge' : undefined
}

function mayBeImage(file: Pick<File, 'name' | 'type'>): boolean {
  if (NEVER.has(file.type)) return false
  return file.type.startsWith('image/') || EXTENSIONS.has(extensionOf(file.name))
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

/** The images among chosen files; a chosen folder gives each file its path. */
export function fromFiles(files: Iterable<File>, taken?: Taken): Collected {
  return sift([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })), taken)
}

/** A thing that was dropped: its place in the file system where the browser tells it, and the file if it is one. */
export interface Dropped {
  readonly entry: FileSystemEntry | null
  readonly file: File | null
}

/** The images among what was dropped, with all folders below. */
export async function fromDropped(things: readonly Dropped[], taken?: Taken): Promise<Collected> {
  const found = await Promise.all(things.map(({ entry, file }) => (entry ? walk(entry) : alone(file))))
  return sift(found.flat(), taken)
}

/** The images among what was pasted. A picture without a name gets one. */
export function fromClipboard(files: readonly File[], now: Date, taken?: Taken): Collected {
  const named = files.map((file) => renamePasted(file, now))
  return sift(named.map((file) => ({ file, path: file.name })), taken)
}

/** Browsers call every pasted picture the same, so that the second would look like the first. */
function renamePasted(file: File, now: Date): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const extension = file.name.slice(file.name.lastIndexOf('.'))
  return new File([file], `pasted-${moment}${extension}`, { type: file.type, lastModified: now.getTime() })
}

/** A file, or what could not be read: a file or a folder. */
type Found = Candidate | { readonly file?: undefined; readonly path: string }

function alone(file: File | null): Found[] {
  return file ? [{ file, path: file.name }] : []
}

/** All files below an entry, in the order of their names, and what could not be read. */
async function walk(entry: FileSystemEntry): Promise<Found[]> {
  const path = entry.fullPath.replace(/^\//, '')
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((done) => entry.file(done, () => done(undefined)))
    return [file ? { file, path } : { path }]
  }
  if (!isDirectory(entry)) return []
  const children = await readAll(entry.createReader())
  if (!children) return [{ path: `${path}/` }]
  children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
  const found: Found[] = []
  // One after the other: a folder of ten thousand files must not open them all at once.
  for (const child of children) found.push(...(await walk(child)))
  return found
}

/** A reader hands out a hundred entries at a time, and none when there are no more; nothing if it cannot read. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[] | undefined> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[] | undefined>((done) => reader.readEntries(done, () => done(undefined)))
    if (!some) return undefined
    if (some.length === 0) return all
    all.push(...some)
  }
}

function sift(found: readonly Found[], taken?: Taken): Collected {
  const candidates: Candidate[] = []
  const sidecars: Candidate[] = []
  const leftOut: LeftOut[] = []
  for (const one of found) {
    if (one.file && isSidecar(one.file.name)) {
      sidecars.push(one)
      continue
    }
    const reason = one.file ? reasonAgainst(one.file, taken) : 'unreadable'
    if (reason) leftOut.push({ path: one.path, reason })
    else candidates.push(one as Candidate)
  }
  const { photos, left } = pair(candidates, sidecars)
  leftOut.push(...left.map(({ path, file }) => ({ path, reason: reasonAgainst(file, taken) === 'hidden' ? ('hidden' as const) : ('sidecarAlone' as const) })))
  return { candidates: photos, leftOut }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
