// How an upload begins: with a file, or with what a reload has left.

import type { Remembered } from './memory'
import type { IntoAlbum, Upload } from './types'

let added = 0

/** The upload of a file that was just chosen. */
export function newUpload(file: File, path: string, album: IntoAlbum | undefined, sidecar?: File): Upload {
  return {
    key: newKey(),
    name: file.name,
    path,
    sizeBytes: file.size,
    modifiedMs: file.lastModified,
    album,
    state: 'waiting',
    sentBytes: 0,
    file,
    sidecar,
    url: undefined,
    image: undefined,
    duplicate: false,
    inAlbum: false,
    problem: undefined,
    thumbnail: undefined,
    faults: 0,
  }
}

/**
 * What is left of an upload after a reload. One that has become an image only waits for its place
 * in the album; any other needs its file.
 */
export function recall(entry: Remembered): Upload {
  return {
    key: entry.key,
    name: entry.name,
    path: entry.path,
    sizeBytes: entry.sizeBytes,
    modifiedMs: entry.modifiedMs,
    album: entry.album,
    state: entry.image === undefined ? 'fileMissing' : 'processing',
    sentBytes: entry.sentBytes,
    file: undefined,
    url: entry.url,
    image: entry.image,
    duplicate: false,
    inAlbum: false,
    problem: undefined,
    thumbnail: undefined,
    faults: 0,
  }
}

/** Sorted by the moment of adding, and like no other. */
function newKey(): string {
  added += 1
  const noise = crypto.getRandomValues(new Uint32Array(2))
  const parts = [Date.now().toString(36), added.toString(36).padStart(6, '0')]
  return [...parts, ...Array.from(noise, (n) => n.toString(36))].join('-')
}
