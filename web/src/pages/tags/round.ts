// Tagging a whole set, one image after the other: where one is, what was done, and how to take it back.

/** One's own tags on an image. */
export interface OwnTags {
  public: string[]
  private: string[]
}

/** What was done to an image of the set. */
export interface Step {
  image: string
  /** What it had before; `undefined` if it was skipped. */
  before: OwnTags | undefined
}

/** A round through a set. Values, not a class: a page keeps the newest one in its state. */
export interface Round {
  images: readonly string[]
  /** Which image comes now; as many as there are images when all are done. */
  place: number
  done: readonly Step[]
  stopped: boolean
}

export function begin(images: readonly string[]): Round {
  return { images, place: 0, done: [], stopped: false }
}

/** More of the same set, which comes in pages. */
export function extended(round: Round, images: readonly string[]): Round {
  const known = new Set(round.images)
  return { ...round, images: [...round.images, ...images.filter((image) => !known.has(image))] }
}

export function current(round: Round): string | undefined {
  return round.stopped ? undefined : round.images[round.place]
}

/** The current image got its tags. */
export function tagged(round: Round, before: OwnTags): Round {
  return advanced(round, before)
}

/** The current image stays as it is. */
export function skipped(round: Round): Round {
  return advanced(round, undefined)
}

function advanced(round: Round, before: OwnTags | undefined): Round {
  const image = current(round)
  if (image === undefined) return round
  return { ...round, place: round.place + 1, done: [...round.done, { image, before }] }
}

/** One step back. `step` says what to give the image back, if it was tagged. */
export function undone(round: Round): { round: Round; step: Step } | undefined {
  const step = round.done.at(-1)
  if (!step) return undefined
  return { round: { ...round, place: round.place - 1, done: round.done.slice(0, -1), stopped: false }, step }
}

export function stopped(round: Round): Round {
  return { ...round, stopped: true }
}

export function isOver(round: Round): boolean {
  return round.stopped || round.place >= round.images.length
}

export function summary(round: Round): { tagged: number; skipped: number; left: number } {
  const count = round.done.filter((step) => step.before !== undefined).length
  return { tagged: count, skipped: round.done.length - count, left: round.images.length - round.place }
}

/** Tags as they were typed: by commas or line ends, in the form in which the server keeps them, none twice. */
export function parseTags(text: string): string[] {
  const tags = text.split(/[,;\n]/).map((tag) => tag.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' '))
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
