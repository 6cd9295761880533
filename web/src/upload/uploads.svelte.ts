// The uploads of one user as the page shows them, and what ties the queue to the rest of the page.
import { albums, ApiError, images, onChange } from '../api'
import { session } from '../state/session.svelte'
import { failureText } from '../viewer/failure'
import { Filing } from './filing'
import { noMemory, storageMemory, type Memory } from './memory'
import { ProcessingWatch, type ImageState } from './processing'
import { isSmall } from './ahead'
import { bulkTransport } from './bulk'
import { isUnderWay, PARALLEL_MAX, SMALL_PARALLEL_MAX, UploadQueue, type Held } from './queue'
import { Speed } from './speed'
import { ownTab, Tabs } from './tabs'
import { shown, tally, type Tally } from './tally'
import { wallClock, type IntoAlbum, type Problem, type Upload } from './types'
import { groupsOf, type Group } from './leftOut'
import type { Collected, LeftOut, Taken } from './collect'

/** More rows at once nobody reads, and a folder may have thousands. */
const ROWS_MAX = 60
/** So much is remembered of what was left out. */
const LEFT_OUT_MAX = 100_000
/** Progress comes with every network packet; eyes need less. */
const REFRESH_MS = 120

export class Uploads {
  rows = $state.raw<Readonly<Upload>[]>([])
  sums = $state.raw<Tally>(tally([]))
  held = $state.raw<Held>()
  /** When the server is asked again, if it could not be reached; else 0. */
  restUntil = $state.raw(0)
  restFor = $state.raw<Problem | undefined>()
  secondsLeft = $state.raw<number | undefined>()
  /** What was not sent at all, until the list is cleared. */
  leftOut = $state.raw<readonly LeftOut[]>([])
  /** The same, and what the server had already or refused. */
  notUploaded = $state.raw<Group[]>([])
  /** Whether the panel shows every file or only the total. */
  open = $state(true)
  /** Whether somebody is choosing what to upload, and into which album. */
  asking = $state(false)
  /** Whether files are being held over the page. */
  hovering = $state(false)
  album = $state.raw<IntoAlbum | undefined>()

  readonly queue: UploadQueue
  readonly #watch: ProcessingWatch
  readonly #filing: Filing
  readonly #speed = new Speed()
  readonly #tabs: Tabs
  #refreshing: (() => void) | undefined
  #hovered: (() => void) | undefined
  #unfollow: (() => void) | undefined

  constructor(readonly user: string) {
    this.#tabs = new Tabs(ownTab(sessionStorage), localStorage, wallClock)
    const next = (): readonly Readonly<Upload>[] => this.queue.uploads.filter((upload) => upload.state === 'waiting')
    const parallelOf = (upload: Readonly<Upload>): number => (isSmall(upload) ? SMALL_PARALLEL_MAX : PARALLEL_MAX)
    this.queue = new UploadQueue(bulkTransport(next), this.#memory(), wallClock, parallelOf)
    this.#watch = new ProcessingWatch(look, (id, outcome) => this.queue.processed(id, outcome), wallClock)
    this.#filing = new Filing(putInto, problemOf, (key, problem) => this.queue.filed(key, problem), wallClock)
    this.queue.subscribe(() => this.#later())
    this.#tabs.begin()
    addEventListener('pagehide', this.#hidden)
    addEventListener('pageshow', this.#back)
    addEventListener('online', this.#online)
    addEventListener('beforeunload', this.#warn)
    this.#refresh()
  }

  /** Adds what was found, into an album or none. */
  add(found: Collected, into?: IntoAlbum): void {
    this.hovering = false
    this.asking = false
    this.leftOut = [...this.leftOut, ...found.leftOut].slice(-LEFT_OUT_MAX)
    this.open = true
    if (found.candidates.length > 0) this.queue.add(found.candidates, into)
    this.#refresh()
  }

  /** What the server takes, so that nothing is sent for nothing. */
  get taken(): Taken {
    return { bytesMax: session.service?.limits.fileBytes }
  }

  ask(into?: IntoAlbum): void {
    this.album = into
    this.asking = true
  }

  /** Shows where files can be let go; gone again soon after they are no longer held over the page. */
  hover(into?: IntoAlbum): void {
    this.album = into
    this.hovering = true
    this.#hovered?.()
    this.#hovered = wallClock.after(250, () => (this.hovering = false))
  }

  /** Takes what has ended off the list. */
  dismiss(): void {
    this.leftOut = []
    for (const upload of this.queue.uploads) if (!isUnderWay(upload)) this.queue.cancel(upload.key)
    this.#refresh()
  }

  close(): void {
    removeEventListener('pagehide', this.#hidden)
    removeEventListener('pageshow', this.#back)
    removeEventListener('online', this.#online)
    removeEventListener('beforeunload', this.#warn)
    for (const end of [this.#refreshing, this.#hovered, this.#unfollow]) end?.()
    this.queue.close()
    this.#watch.close()
    this.#filing.close()
    this.#tabs.end()
  }

  #later(): void {
    this.#refreshing ??= wallClock.after(REFRESH_MS, () => this.#refresh())
  }

  #refresh(): void {
    this.#refreshing?.()
    this.#refreshing = undefined
    const { uploads, held, restUntil, restFor } = this.queue
    const wasOpen = this.sums.open
    this.sums = tally(uploads)
    this.rows = shown(uploads, ROWS_MAX).map((upload) => ({ ...upload }))
    this.notUploaded = groupsOf(this.leftOut, uploads)
    this.held = held
    this.restUntil = restUntil
    this.restFor = restFor
    this.#look(uploads)
    this.#estimate()
    // What is left of the quota has changed.
    if (wasOpen > 0 && this.sums.open === 0) void session.load()
  }

  /** Hands images on to what happens after their last byte. */
  #look(uploads: readonly Readonly<Upload>[]): void {
    for (const { key, image, album, state, inAlbum, problem } of uploads) {
      if (image === undefined) continue
      if (state === 'processing') this.#watch.watch(image)
      if (album && !inAlbum && !problem) this.#filing.file({ key, image, album: album.id })
    }
    if (this.sums.processing > 0) {
      this.#unfollow ??= onChange((change) => change.entity === 'image' && this.#watch.changed(change.id))
    } else {
      this.#unfollow?.()
      this.#unfollow = undefined
    }
  }

  #estimate(): void {
    const { bytes, bytesSent, open } = this.sums
    if (open === 0 || this.held) this.#speed.reset()
    else this.#speed.observe(wallClock.now(), bytesSent)
    this.secondsLeft = this.#speed.secondsFor(bytes - bytesSent)
  }

  #memory(): Memory {
    try {
      return storageMemory(localStorage, this.user, this.#tabs)
    } catch {
      return noMemory
    }
  }

  readonly #hidden = (): void => this.#tabs.end()
  readonly #back = (event: PageTransitionEvent): void => {
    if (event.persisted) this.#tabs.begin()
  }
  readonly #online = (): void => this.queue.wakeUp()
  readonly #warn = (event: BeforeUnloadEvent): void => {
    if (this.sums.open > 0) event.preventDefault()
  }
}

async function look(ids: readonly string[]): Promise<ImageState[]> {
  const found = await images.some([...ids])
  return found.map(({ id, status, error, failure, sizes }) => ({ id, status, error: failure ? failureText(failure) : error, thumbnail: sizes.thumb?.url }))
}

async function putInto(album: string, ids: readonly string[]): Promise<Map<string, string>> {
  const answers = await albums.add(album, [...ids])
  return new Map(answers.flatMap((answer) => answer.added).map(({ id, outcome }) => [id, outcome]))
}

/** What is worth trying again is no problem yet. */
function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof ApiError)) return { code: 'not_in_album', message: String(error) }
  const mayPass = error.status === 0 || error.status === 429 || error.status >= 500 || error.status === 401
  return mayPass ? undefined : { code: 'not_in_album', message: error.message }
}
