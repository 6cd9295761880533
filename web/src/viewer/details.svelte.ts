// All there is to know about the photo on screen, loaded when it has been on screen for a moment.
import { ApiError, get, images, onChange, type Image, type ImageEdit, type Schema } from '../api'
import { faces, persons } from '../api/people'
import { undoAll } from '../pages/people/edits'
import { hasPeople, offer } from '../pages/shared/offer'
import { disputes, type Dispute } from './conflict'

export interface Face {
  id: string
  image: string
  box: { left: number; top: number; width: number; height: number }
  person?: { id: string; name?: string | null } | null
  url: string
  /** Whose it may be by what is written in the file. */
  written?: { name: string; person?: string | null } | null
}

export interface Conflict {
  disputes: Dispute[]
  mine: ImageEdit
  theirs: Image
}

const SETTLE = 160

export class Details {
  image = $state.raw<Image | undefined>()
  tags = $state.raw<Schema.TagsOfImage | undefined>()
  albums = $state.raw<Schema.Album[]>([])
  faces = $state.raw<Face[]>([])
  owner = $state.raw<Schema.User | undefined>()
  error = $state.raw<unknown>()
  conflict = $state.raw<Conflict | undefined>()

  /** The photo as it was when somebody began to write; what comes meanwhile must not be lost. */
  #base: Image | undefined

  constructor(readonly id: string) {}

  beginEdit(): void {
    this.#base = this.image
  }

  /** Loads, and follows changes by others; answers with how to stop. */
  start(): () => void {
    const timer = setTimeout(() => void this.load(), SETTLE)
    const stop = onChange((change) => {
      if (change.entity === 'image' && change.id === this.id && change.version !== this.image?.version) void this.load()
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }

  async load(): Promise<void> {
    try {
      const [image, tags] = await Promise.all([images.load(this.id), images.tags(this.id)])
      this.image = image
      this.tags = tags
      this.error = undefined
    } catch (error) {
      this.error = error
      return
    }
    await Promise.all([this.#albums(), this.#faces(), this.#owner()])
  }

  async #albums(): Promise<void> {
    this.albums = await images.albums(this.id).catch(() => [])
  }

  // Whether faces are looked for is up to the installation; without them there are none.
  async #faces(): Promise<void> {
    if (!hasPeople(offer())) return
    const found = await get<{ items: Face[] }>(`/images/${encodeURIComponent(this.id)}/persons`).catch(() => ({ items: [] }))
    this.faces = found.items
  }

  /** Somebody has said that a face is whose name is written beside it; answers with how to undo that. */
  async confirm(face: Face): Promise<() => Promise<void>> {
    const { written, person } = face
    if (!written) return async () => {}
    const to = written.person ? { person: written.person } : { name: written.name }
    // Somebody without a name gets it, with all their photos; a face of nobody becomes theirs.
    const { edits } = person ? await persons.answerName(person.id, written.name, true) : await faces.assign(face, to)
    await this.#faces()
    return async () => {
      await undoAll(edits)
      await this.#faces()
    }
  }

  async #owner(): Promise<void> {
    if (this.image) this.owner = await get<Schema.User>(`/users/${encodeURIComponent(this.image.owner)}`).catch(() => undefined)
  }

  /**
   * Changes the texts or the tags. If somebody else was faster, what they did not touch is changed
   * nevertheless; for the rest there is a conflict to be settled by people.
   */
  async change(edit: ImageEdit): Promise<boolean> {
    const before = this.#base ?? this.image
    this.#base = undefined
    if (!before) return false
    try {
      this.#take(await images.change(this.id, before.version, edit))
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isConflict) throw error
    }
    const theirs = await images.load(this.id)
    const disputed = disputes(before, edit, theirs)
    if (disputed.length === 0) {
      this.#take(await images.change(this.id, theirs.version, edit))
      return true
    }
    this.conflict = { disputes: disputed, mine: edit, theirs }
    return false
  }

  /** Ends a conflict: sends what is left of one's own, on top of theirs. */
  async settle(edit: ImageEdit): Promise<void> {
    const theirs = this.conflict?.theirs
    this.conflict = undefined
    if (!theirs) return
    this.image = theirs
    if (Object.keys(edit).length > 0) await this.change(edit)
  }

  #take(image: Image): void {
    this.image = image
  }

  async setTags(tags: { public: string[]; private: string[] }): Promise<void> {
    this.tags = await images.setTags(this.id, tags)
    this.image = await images.load(this.id)
  }
}
