// Files for the tests, made once and kept in target/, since making them takes a second each.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJpeg } from './jpeg.mjs'
import { landscape, MOODS } from './landscape.mjs'
import { dice } from './noise.mjs'
import { ROOT } from './server.mjs'

const KEPT = join(ROOT, 'target/browser-photos')

/** The path of a photo, taken on the given day. The same description gives the same file. */
export function photo(name, { seed, mood = 'alpine', width = 480, height = 320, takenAt = '2026-05-04T10:20:30', gps, camera, quality }) {
  if (!(mood in MOODS)) throw new Error(`no mood is called ${mood}`)
  const folder = join(KEPT, `${seed}-${mood}-${width}x${height}-${takenAt.replace(/\D/g, '')}${gps ? '-gps' : ''}`)
  return made(folder, name, () => toJpeg(landscape(seed, mood, width, height), { quality, exif: { takenAt, gps, camera } }))
}

/** A folder with so many photos of different days; its path and the names of its files. */
export function folderOfPhotos(name, count) {
  const folder = join(KEPT, `${name}-${count}`, name)
  const moods = Object.keys(MOODS)
  const files = Array.from({ length: count }, (_, index) => {
    const seed = index + 101
    const [width, height] = index % 3 === 2 ? [320, 480] : [480, 320]
    const takenAt = `2026-0${1 + (index % 6)}-1${index % 9}T1${index % 10}:20:30`
    const file = photo(`photo-${index + 1}.jpg`, { seed, mood: moods[index % moods.length], width, height, takenAt })
    return made(folder, `photo-${index + 1}.jpg`, () => readFileSync(file))
  })
  return { folder, files }
}

/** A picture of noise that takes about so many bytes and cannot be made smaller. */
export function largeFile(name, megabytes) {
  return made(join(KEPT, `large-${megabytes}`), name, () => {
    const side = Math.floor(Math.sqrt((megabytes * 1_000_000) / 3) / 4) * 4
    const bytes = Buffer.alloc(54 + side * side * 3)
    bytes.write('BM', 'latin1')
    bytes.writeUInt32LE(bytes.length, 2)
    for (const [at, value] of [
      [10, 54],
      [14, 40],
      [18, side],
      [22, side],
    ])
      bytes.writeUInt32LE(value, at)
    bytes.writeUInt16LE(1, 26)
    bytes.writeUInt16LE(24, 28)
    const roll = dice(megabytes)
    for (let at = 54; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(Math.floor(roll() * 0xffffffff), at)
    return bytes
  })
}

function made(folder, name, make) {
  const path = join(folder, name)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  // Written whole or not at all, should two runs make the same file.
  writeFileSync(`${path}.${process.pid}`, make())
  renameSync(`${path}.${process.pid}`, path)
  return path
}
