// What all uploads together come to, for the head of the panel.

import { isUnderWay } from './queue'
import type { Upload } from './types'

export interface Tally {
  /** Files that are to be sent or have been. */
  readonly files: number
  /** Files of which every byte has been sent. */
  readonly filesSent: number
  readonly bytes: number
  readonly bytesSent: number
  readonly processing: number
  readonly failed: number
  readonly fileMissing: number
  readonly duplicates: number
  /** Files whose bytes are still to be sent, and can be. */
  readonly open: number
  readonly paused: number
}

/** Counts. Files that failed, and those that nobody has chosen again, do not hold up the total. */
export function tally(uploads: readonly Readonly<Upload>[]): Tally {
  const counted = uploads.filter((upload) => upload.state !== 'fileMissing' && !neverSent(upload))
  const count = (matches: (upload: Readonly<Upload>) => boolean) => uploads.filter(matches).length
  return {
    files: counted.length,
    filesSent: count((upload) => upload.image !== undefined),
    bytes: sum(counted.map((upload) => upload.sizeBytes)),
    bytesSent: sum(counted.map((upload) => Math.min(upload.sentBytes, upload.sizeBytes))),
    processing: count((upload) => upload.state === 'processing'),
    failed: count((upload) => upload.problem !== undefined && !isUnderWay(upload)),
    fileMissing: count((upload) => upload.state === 'fileMissing'),
    duplicates: count((upload) => upload.duplicate),
    open: count((upload) => isUnderWay(upload) && upload.state !== 'fileMissing'),
    paused: count((upload) => upload.state === 'paused'),
  }
}

/** How much of the total has been sent, from 0 to 1. */
export function fraction({ bytes, bytesSent }: Tally): number {
  return bytes === 0 ? 1 : bytesSent / bytes
}

/**
 * The uploads to show, at most so many: those that move, those that need somebody, those that come
 * next, and those that ended last.
 */
export function shown(uploads: readonly Readonly<Upload>[], most: number): Readonly<Upload>[] {
  const ranked: Readonly<Upload>[][] = [[], [], [], []]
  for (const upload of uploads) ranked[rank(upload)]?.push(upload)
  ranked[3]?.reverse()
  return ranked.flat().slice(0, most)
}

function rank(upload: Readonly<Upload>): 0 | 1 | 2 | 3 {
  if (upload.state === 'sending') return 0
  if (upload.state === 'failed' || upload.state === 'fileMissing' || upload.problem) return 1
  if (upload.state === 'waiting' || upload.state === 'paused') return 2
  return 3
}

function neverSent(upload: Readonly<Upload>): boolean {
  return upload.state === 'failed' && upload.image === undefined
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
