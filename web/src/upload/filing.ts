// Puts images into the album that their files were meant for, many with one request.

import type { Clock, Problem } from './types'

/** An image and the upload it came from. */
export interface ToFile {
  readonly key: string
  readonly image: string
  readonly album: string
}

/** What became of each image: the API's word, such as `added` or `notFound`. */
export type PutInto = (album: string, images: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** As many images as the API takes at once. */
const BATCH = 100
const GATHER_MS = 400
const AGAIN_MS = 5_000

export class Filing {
  #waiting: ToFile[] = []
  #seen = new Set<string>()
  #timer: (() => void) | undefined
  #busy = false

  constructor(
    private readonly put: PutInto,
    /** What to do about an error: the problem to show, or nothing if it is to be tried again. */
    private readonly problemOf: (error: unknown) => Problem | undefined,
    private readonly tell: (key: string, problem?: Problem) => void,
    private readonly clock: Clock,
  ) {}

  /** Takes an image over; the same upload counts once. */
  file(one: ToFile): void {
    if (this.#seen.has(one.key)) return
    this.#seen.add(one.key)
    this.#waiting.push(one)
    this.#in(GATHER_MS)
  }

  close(): void {
    this.#timer?.()
    this.#waiting = []
  }

  #in(ms: number): void {
    if (this.#busy) return
    this.#timer ??= this.clock.after(ms, () => {
      this.#timer = undefined
      void this.#next()
    })
  }

  async #next(): Promise<void> {
    const album = this.#waiting[0]?.album
    if (album === undefined || this.#busy) return
    const batch = this.#waiting.filter((one) => one.album === album).slice(0, BATCH)
    this.#busy = true
    const isDone = await this.#send(album, batch)
    this.#busy = false
    if (isDone) this.#waiting = this.#waiting.filter((one) => !batch.includes(one))
    if (this.#waiting.length > 0) this.#in(isDone ? 0 : AGAIN_MS)
  }

  async #send(album: string, batch: readonly ToFile[]): Promise<boolean> {
    try {
      const outcomes = await this.put(
        album,
        batch.map((one) => one.image),
      )
      for (const one of batch) this.#judge(one, outcomes.get(one.image))
      return true
    } catch (error) {
      const problem = this.problemOf(error)
      if (!problem) return false
      for (const one of batch) this.tell(one.key, problem)
      return true
    }
  }

  #judge(one: ToFile, outcome: string | undefined): void {
    if (outcome === 'added' || outcome === 'alreadyThere') this.tell(one.key)
    else this.tell(one.key, { code: 'not_in_album', message: outcome ?? '' })
  }
}
