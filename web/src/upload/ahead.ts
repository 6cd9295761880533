// What is found out about small files before they are sent: their checksums, and which of them the
// server has, many with one question.

import type { Upload } from './types'

/** Larger files go in pieces that can be resumed, and nobody reads them twice. */
export const SMALL_BYTES = 8 * 1024 * 1024
/** Files asked about at once. */
export const ASKED_MAX = 200
/** Bytes read before the server is asked: the first file is to be on its way soon. */
const READ_BYTES = 48 * 1024 * 1024

/** What is known of a file. */
export interface Known {
  /** Its SHA-256 in hexadecimal digits, where the browser can tell. */
  readonly sha256?: string
  /** The image that has these bytes already. */
  readonly image?: string
}

/** Asks the server for the images that have these bytes; one answer for each, in their order. */
export type Ask = (sums: string[]) => Promise<(string | undefined)[]>

type Hash = (file: File) => Promise<string | undefined>

/** Whether a file is asked about, and goes in one request if that passes. */
export function isSmall(upload: Readonly<Upload>): boolean {
  return upload.sizeBytes <= SMALL_BYTES && upload.url === undefined
}

/** Looks at files some time before it is their turn. */
export class Lookout {
  readonly #known = new Map<string, Known>()
  /** Those whose turn it is. */
  readonly #wanted = new Set<Readonly<Upload>>()
  #looking: Promise<void> | undefined

  constructor(
    private readonly ask: Ask,
    private readonly next: () => readonly Readonly<Upload>[],
    private readonly hash: Hash = sha256,
  ) {}

  /** What is known of a file; if nothing is, it and those that come next are looked at. */
  async find(upload: Readonly<Upload>): Promise<Known> {
    this.#wanted.add(upload)
    while (!this.#known.has(upload.key)) {
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
      await this.#looking
    }
    this.#wanted.delete(upload)
    const known = this.#known.get(upload.key) ?? {}
    this.#known.delete(upload.key)
    return known
  }

  async #look(): Promise<void> {
    // Whoever begins together is asked about together.
    await Promise.resolve()
    const wanted = [...this.#wanted].filter((upload) => !this.#known.has(upload.key))
    const sums = new Map<string, string>()
    let read = 0
    for (const upload of new Set([...wanted, ...this.next()])) {
      if (sums.size >= ASKED_MAX || read >= READ_BYTES) break
      if (!upload.file || !isSmall(upload) || this.#known.has(upload.key)) continue
      const sum = await this.hash(upload.file).catch(() => undefined)
      // Without a checksum a file is simply sent; the server finds out.
      if (sum === undefined) {
        this.#known.set(upload.key, {})
        break
      }
      sums.set(upload.key, sum)
      read += upload.sizeBytes
    }
    for (const { key } of wanted) if (!sums.has(key) && sums.size < ASKED_MAX && read < READ_BYTES) this.#known.set(key, {})
    if (sums.size === 0) return
    // A server that cannot be asked now says why when a file is sent.
    const images = await this.ask([...sums.values()]).catch(() => [])
    let place = 0
    for (const [key, sum] of sums) {
      const image = images[place++]
      this.#known.set(key, image === undefined ? { sha256: sum } : { sha256: sum, image })
    }
  }
}

/** Browsers can do this on pages that came by https or from this machine. */
async function sha256(file: File): Promise<string | undefined> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  if (!subtle) return undefined
  const digest = await subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
