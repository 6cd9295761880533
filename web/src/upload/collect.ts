// Finds the images among what was dropped, pasted or chosen, folders and all.

import type { Candidate } from './types'

/** What was found, and how many files were no images by their names. */
export interface Collected {
  readonly candidates: Candidate[]
  readonly leftOut: number
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

/** Whether a file may be an image that the server takes. */
export function mayBeImage(file: Pick<File, 'name' | 'type'>): boolean {
  // Apple's and Windows's helpers of folders, and what editors leave behind.
  if (file.name.startsWith('.')) return false
  if (NEVER.has(file.type)) return false
  if (file.type.startsWith('image/')) return true
  const dot = file.name.lastIndexOf('.')
  return dot > 0 && EXTENSIONS.has(file.name.slice(dot + 1).toLowerCase())
}

/** The images among chosen files; a chosen folder gives each file its path. */
export function fromFiles(files: Iterable<File>): Collected {
  return sift([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })))
}

/** A thing that was dropped: its place in the file system where the browser tells it, and the file if it is one. */
export interface Dropped {
  readonly entry: FileSystemEntry | null
  readonly file: File | null
}

/** The images among what was dropped, with all folders below. */
export async function fromDropped(things: readonly Dropped[]): Promise<Collected> {
  const found = await Promise.all(things.map(({ entry, file }) => (entry ? walk(entry) : alone(file))))
  return sift(found.flat())
}

/** The images among what was pasted. A picture without a name gets one. */
export function fromClipboard(files: readonly File[], now: Date): Collected {
  const named = files.map((file) => renamePasted(file, now))
  return sift(named.map((file) => ({ file, path: file.name })))
}

/** Browsers call every pasted picture the same, so that the second would look like the first. */
function renamePasted(file: File, now: Date): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const extension = file.name.slice(file.name.lastIndexOf('.'))
  return new File([file], `pasted-${moment}${extension}`, { type: file.type, lastModified: now.getTime() })
}

function alone(file: File | null): Candidate[] {
  return file ? [{ file, path: file.name }] : []
}

/** All files below an entry, in the order of their names. What cannot be read is passed over. */
async function walk(entry: FileSystemEntry): Promise<Candidate[]> {
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((done) => entry.file(done, () => done(undefined)))
    return file ? [{ file, path: entry.fullPath.replace(/^\//, '') }] : []
  }
  if (!isDirectory(entry)) return []
  const children = await readAll(entry.createReader())
  children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
  const found: Candidate[] = []
  // One after the other: a folder of ten thousand files must not open them all at once.
  for (const child of children) found.push(...(await walk(child)))
  return found
}

/** A reader hands out a hundred entries at a time, and none when there are no more. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function sift(found: Candidate[]): Collected {
  const candidates = found.filter(({ file }) => mayBeImage(file))
  return { candidates, leftOut: found.length - candidates.length }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
