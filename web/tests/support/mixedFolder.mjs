// A folder as people have them: photos of many kinds in nested folders, and much that is none.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bmp, damagedPng, gif, png, webp } from './files.mjs'
import { toJpeg, withComment, withExif } from './jpeg.mjs'
import { ROOT } from './server.mjs'

const KEPT = join(ROOT, 'target/browser-photos/mixed-3')
const PLACES = [
  [48.137, 11.575],
  [-33.857, 151.215],
  [64.147, -21.942],
]

/** How many of each there are. */
export const MIXED = {
  jpeg: 900,
  png: 400,
  gif: 200,
  bmp: 150,
  webp: 100,
  /** The same bytes as a photo in another folder. */
  duplicates: 40,
  /** Images by their headers, which cannot be shown. */
  damaged: 12,
  text: 120,
  video: 40,
  hidden: 28,
  empty: 10,
}

/** Photos that are there afterwards, those that cannot be shown included. */
export const mixedPhotos = () => MIXED.jpeg + MIXED.png + MIXED.gif + MIXED.bmp + MIXED.webp + MIXED.damaged

/** Files that are not sent at all. */
export const mixedLeftOut = () => MIXED.text + MIXED.video + MIXED.hidden + MIXED.empty

/** The path of the folder; made once. */
export function mixedFolder() {
  const folder = join(KEPT, 'my pictures')
  if (existsSync(folder)) return folder
  const making = `${KEPT}.${process.pid}`
  for (const [name, bytes] of files()) {
    const path = join(making, 'my pictures', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  rmSync(KEPT, { recursive: true, force: true })
  renameSync(making, KEPT)
  return folder
}

function* files() {
  for (let index = 0; index < MIXED.jpeg; index += 1) yield [jpegName(index), jpegOf(index)]
  for (let index = 0; index < MIXED.duplicates; index += 1) yield [`copies/copy ${index}.jpg`, jpegOf(index)]
  for (let index = 0; index < MIXED.png; index += 1) yield [`screens/${index % 7}/screen-${index}.png`, png(40, 30, colour(index), index % 2 ? `number ${index}` : undefined)]
  for (let index = 0; index < MIXED.gif; index += 1) yield [`moving/gif-${index}.gif`, gif(24, 24, colour(index + 5000), 1 + (index % 3))]
  for (let index = 0; index < MIXED.bmp; index += 1) yield [`old/PICT${String(index).padStart(4, '0')}.BMP`, bmp(20, 28, colour(index + 9000))]
  for (let index = 0; index < MIXED.webp; index += 1) yield [`web/ünï ${index}.webp`, webp(`number ${index}`)]
  for (let index = 0; index < MIXED.damaged; index += 1) yield [`broken/broken-${index}.png`, damagedPng(64, 48, index)]
  for (let index = 0; index < MIXED.text; index += 1) yield [`notes/${index % 5}/note-${index}.txt`, `Note ${index}`]
  for (let index = 0; index < MIXED.video; index += 1) yield [`clips/clip-${index}.mp4`, `no real video ${index}`]
  for (let index = 0; index < MIXED.hidden; index += 1) yield [`hidden/${index}/.DS_Store`, `hidden ${index}`]
  for (let index = 0; index < MIXED.empty; index += 1) yield [`empty/empty-${index}.jpg`, '']
}

const jpegName = (index) => `${2015 + (index % 10)}/${1 + (index % 12)}/IMG_${String(index).padStart(4, '0')}.jpg`

/** Most as cameras write them, some without a word; the pictures themselves are a few. */
function jpegOf(index) {
  const takenAt = `${2015 + (index % 10)}-${two(1 + (index % 12))}-${two(1 + (index % 28))}T${two(index % 24)}:${two(index % 60)}:30`
  const file = withComment(picture(index % 24), `number ${index}`)
  return index % 5 === 4 ? file : withExif(file, { takenAt, gps: index % 4 === 0 ? PLACES[index % 3] : undefined })
}

const pictures = new Map()

function picture(index) {
  const [width, height] = index % 3 === 0 ? [32, 48] : [48, 32]
  const data = new Uint8Array(width * height * 4)
  const [red, green, blue] = colour(index * 9)
  for (let at = 0; at < width * height; at += 1) data.set([(red + at) & 255, green, blue, 255], at * 4)
  if (!pictures.has(index)) pictures.set(index, toJpeg({ width, height, data }, { quality: 80 }))
  return pictures.get(index)
}

const two = (number) => String(number).padStart(2, '0')

/** Like no other of the same kind. */
const colour = (index) => [(index * 7) % 256, (index * 13 + 40) % 256, Math.floor(index / 256) * 16 + (index % 16)]
