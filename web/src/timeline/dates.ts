// When photos were taken, as it is read, written and corrected. A clock is what a clock on the wall
// showed, counted as if it had been at UTC; where on earth that wall was may not be known.
import type { Image } from '../api'

export interface Clock {
  /** Milliseconds since 1970. */
  wall: number
  /** Minutes east of UTC. */
  offset?: number
}

/** How dates are to change. */
export type DateChange =
  /** All of them to the same. */
  | { way: 'set'; clock: Clock }
  | { way: 'shift'; ms: number }
  /** Taken in one zone, while the clock showed the time of another. */
  | { way: 'zone'; offset: number; clockOffset: number }
  /** Back to what the files say. */
  | { way: 'file' }

export type Dated = Pick<Image, 'id' | 'taken' | 'exif' | 'clockWrong'>

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** Reads `2024-05-01T10:00:00.000+02:00`, or the same without a zone. */
export function readDate(text: string): Clock | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|([+-])(\d\d):(\d\d))?$/.exec(text)
  const wall = Date.parse(`${found?.[1]}Z`)
  if (!found || Number.isNaN(wall)) return undefined
  if (found[2] === undefined) return { wall }
  const minutes = Number(found[4] ?? 0) * 60 + Number(found[5] ?? 0)
  return { wall, offset: found[3] === '-' ? -minutes : minutes }
}

export const zoneText = (offset: number): string => {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** As the API takes it. */
export function writeDate({ wall, offset }: Clock): string {
  return new Date(wall).toISOString().replace('Z', offset === undefined ? '' : zoneText(offset))
}

/** What the date of a photo is corrected from: what counts, or what a camera wrote that cannot be. */
export function clockOf(image: Dated): Clock | undefined {
  if (image.clockWrong && image.taken?.source !== 'owner') {
    const { takenAt, offsetMinutes } = image.exif ?? {}
    const at = Date.parse(takenAt ?? '')
    if (!Number.isNaN(at)) return { wall: at + (offsetMinutes ?? 0) * MINUTE, offset: offsetMinutes }
  }
  return image.taken ? readDate(image.taken.at) : undefined
}

/** What its owner had said, to be given back. */
export const saidOf = (image: Dated): string | null => (image.taken?.source === 'owner' ? image.taken.at : null)

/** The date after a change; null is what the file says, undefined if there is nothing to start from. */
export function changed(change: DateChange, clock: Clock | undefined): Clock | null | undefined {
  switch (change.way) {
    case 'file':
      return null
    case 'set':
      return change.clock
    case 'shift':
      return clock && { ...clock, wall: clock.wall + change.ms }
    case 'zone':
      return clock && { wall: clock.wall + (change.offset - change.clockOffset) * MINUTE, offset: change.offset }
  }
}

/** The parts of a shift as they stand in fields; all have the same sign. */
export function partsOf(ms: number): { days: number; hours: number; minutes: number; seconds: number } {
  const [sign, size] = [ms < 0 ? -1 : 1, Math.abs(Math.round(ms / 1000))]
  const part = (length: number, of = Infinity): number => sign * (Math.floor(size / length) % of) || 0
  return { days: part(86_400), hours: part(3600, 24), minutes: part(60, 60), seconds: part(1, 60) }
}

export const shiftOf = (days: number, hours: number, minutes: number, seconds: number): number =>
  days * DAY + hours * 60 * MINUTE + minutes * MINUTE + seconds * 1000

/** What a field of the kind `datetime-local` shows, and what it says. */
export const fieldOf = (clock: Clock | undefined): string => (clock ? new Date(clock.wall).toISOString().slice(0, 19) : '')
export function wallOf(field: string): number | undefined {
  const wall = Date.parse(`${field}Z`)
  return Number.isNaN(wall) ? undefined : wall
}

/** All offsets that clocks on earth have. */
export const OFFSETS: readonly number[] = [
  ...Array.from({ length: 27 }, (_, hour) => (hour - 12) * 60),
  ...[-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765],
].sort((one, other) => one - other)

/** That of this device at the time of a photo. */
export const offsetHere = (wall: number): number => Math.round(-new Date(wall).getTimezoneOffset())
