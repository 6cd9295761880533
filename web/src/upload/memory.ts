// What is remembered of uploads across reloads: names and addresses, never bytes.
//
// Each upload has an entry of its own in the browser's storage, so that remembering one does not
// write all; it is kept apart by user, so that nobody learns the names of somebody else's files.

import type { Tabs } from './tabs'
import type { IntoAlbum, Upload } from './types'

/** As much of an upload as a reload leaves. */
export interface Remembered {
  readonly key: string
  /** The tab that it was in. */
  readonly tab: string
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly sentBytes: number
  readonly url?: string
  readonly image?: string
  readonly album?: IntoAlbum
}

/** Where uploads are remembered. */
export interface Memory {
  all(): Remembered[]
  put(upload: Readonly<Upload>): void
  forget(key: string): void
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * Remembers in the browser's storage. What does not fit there is not remembered, and what another
 * open tab is sending is left to that tab.
 */
export function storageMemory(store: Store, user: string, tabs: Pick<Tabs, 'own' | 'isElsewhere'>): Memory {
  const prefix = `ferrotype.upload.${user}.`
  return {
    all() {
      const found: Remembered[] = []
      for (let index = 0; index < store.length; index += 1) {
        const name = store.key(index)
        const entry = name?.startsWith(prefix) ? parse(store.getItem(name)) : undefined
        if (entry && !tabs.isElsewhere(entry.tab)) found.push(entry)
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    put(upload) {
      try {
        store.setItem(prefix + upload.key, JSON.stringify(toRemember(upload, tabs.own)))
      } catch {
        // Full, or forbidden: the upload goes on, it only cannot be resumed after a reload.
      }
    },
    forget(key) {
      try {
        store.removeItem(prefix + key)
      } catch {
        // As above.
      }
    },
  }
}

/** Remembers nothing, where the browser has no storage. */
export const noMemory: Memory = { all: () => [], put: () => {}, forget: () => {} }

function toRemember(upload: Readonly<Upload>, tab: string): Remembered {
  const { key, name, path, sizeBytes, modifiedMs, sentBytes, url, image, album } = upload
  return {
    key,
    tab,
    name,
    path,
    sizeBytes,
    modifiedMs,
    sentBytes,
    ...(url === undefined ? {} : { url }),
    ...(image === undefined ? {} : { image }),
    ...(album === undefined ? {} : { album }),
  }
}

/** Storage can hold anything: other versions wrote it, and people can change it. */
function parse(text: string | null): Remembered | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRemembered(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false
  const entry = value as Record<string, unknown>
  const texts = ['key', 'tab', 'name', 'path'].every((name) => typeof entry[name] === 'string')
  const numbers = ['sizeBytes', 'modifiedMs', 'sentBytes'].every((name) => Number.isFinite(entry[name]))
  const optional = ['url', 'image'].every((name) => ['undefined', 'string'].includes(typeof entry[name]))
  return texts && numbers && optional && isAlbum(entry['album'])
}

function isAlbum(value: unknown): boolean {
  if (value === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  const album = value as Record<string, unknown>
  return typeof album['id'] === 'string' && typeof album['title'] === 'string'
}
