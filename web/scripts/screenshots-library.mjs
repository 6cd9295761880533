// The library that the screenshots show: a year of photographs, in albums and with tags.

import { photo } from '../tests/support/photos.mjs'

const SHAPES = [
  [1080, 720],
  [1080, 720],
  [720, 1080],
  [1080, 810],
  [1280, 720],
  [1080, 720],
  [1500, 640],
  [810, 1080],
]
/** When, what it is like, how often; the newest last. */
const TRIPS = [
  { album: 'Winter light', day: '2025-12-28', mood: 'alpine', tags: 'mountains,snow', count: 4, gps: [46.5, 7.9] },
  { album: 'Winter light', day: '2025-12-29', mood: 'night', tags: 'night,stars', count: 2, gps: [46.5, 7.9] },
  { album: 'Dunes', day: '2026-03-14', mood: 'dunes', tags: 'desert,sand', count: 4, gps: [24.7, 15.3] },
  { album: 'Islands', day: '2026-06-02', mood: 'coast', tags: 'sea,island', count: 5, gps: [57.3, -6.2] },
  { album: 'Islands', day: '2026-06-03', mood: 'evening', tags: 'sea,sunset', count: 4, gps: [57.4, -6.3] },
  { album: 'Islands', day: '2026-06-04', mood: 'fog', tags: 'fog,lake', count: 2, gps: [57.5, -6.1] },
  { album: 'Autumn walks', day: '2026-10-10', mood: 'autumn', tags: 'autumn,forest', count: 5, gps: [47.6, 11.3] },
  { album: 'Autumn walks', day: '2026-10-11', mood: 'alpine', tags: 'mountains,lake', count: 5, gps: [47.5, 11.1] },
  { album: undefined, day: '2026-11-01', mood: 'evening', tags: 'sunset,lake', count: 5, gps: [47.5, 11.1] },
  { album: undefined, day: '2026-11-02', mood: 'coast', tags: 'lake,boat', count: 4, gps: [47.4, 11.0] },
]

/** Every photo with its file, the first taken first. */
export function library() {
  let number = 0
  return TRIPS.flatMap(({ album, day, mood, tags, count, gps }, trip) =>
    Array.from({ length: count }, (_, index) => {
      const [width, height] = SHAPES[(number * 5 + trip) % SHAPES.length]
      number += 1
      const takenAt = `${day}T${String(8 + index * 2).padStart(2, '0')}:${String((number * 17) % 60).padStart(2, '0')}:00`
      const path = photo(`IMG_${4000 + number}.jpg`, { seed: 400 + number, mood, width, height, takenAt, gps, quality: 90 })
      return { album, path, tags }
    }),
  )
}
