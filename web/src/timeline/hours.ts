// Photos are counted by the hour, so that every time zone can make its own days of them.
import type { Shape } from './shape'

export interface HourCounts {
  hours: Int32Array
  counts: Uint32Array
}

const MINUTE = 60_000

/** Minutes east of UTC in this browser, at an hour since 1970. */
export const localZone = (hour: number): number => -new Date(hour * 60 * MINUTE).getTimezoneOffset()
/** For hours that are local already. */
export const noZone = (): number => 0

export function groupByHours(parts: readonly HourCounts[], ratios: Uint8Array, zone: (hour: number) => number): Shape {
  const days: number[] = []
  const starts: number[] = []
  let at = 0
  for (const { hours, counts } of parts) {
    for (let index = 0; index < hours.length; index += 1) {
      const hour = hours[index] as number
      // A day whose photos are all gone has no place on screen.
      if (counts[index] === 0) continue
      const day = Math.floor((hour + zone(hour) / 60) / 24)
      if (days.length === 0 || days[days.length - 1] !== day) {
        days.push(day)
        starts.push(at)
      }
      at += counts[index] as number
    }
  }
  starts.push(at)
  return { count: at, ratios, days: Int32Array.from(days), starts: Uint32Array.from(starts) }
}

/** A place that stays the same when photos come and go elsewhere: so many before the end of an hour. */
export interface HourPlace {
  hour: number
  fromEnd: number
}

export function hourPlace(parts: readonly HourCounts[], index: number): HourPlace | undefined {
  let at = 0
  for (const { hours, counts } of parts) {
    for (let entry = 0; entry < hours.length; entry += 1) {
      const count = counts[entry] as number
      if (index < at + count) return { hour: hours[entry] as number, fromEnd: at + count - index }
      at += count
    }
  }
  return undefined
}

export function indexOfHourPlace(parts: readonly HourCounts[], place: HourPlace): number {
  let at = 0
  for (const { hours, counts } of parts) {
    for (let entry = 0; entry < hours.length; entry += 1) {
      const hour = hours[entry] as number
      const count = counts[entry] as number
      if (hour === place.hour) return at + Math.max(0, count - place.fromEnd)
      // Newest first: what follows is older than the place, which is gone.
      if (hour < place.hour) return at
      at += count
    }
  }
  return Math.max(0, at - 1)
}
