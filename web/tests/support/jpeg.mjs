// JPEG files as cameras write them: with the moment, the place and the camera.

import jpeg from 'jpeg-js'

/** A JPEG of a picture. `exif` has `takenAt` (local time as `2026-05-04T10:20:30`), `camera`, `gps`. */
export function toJpeg(picture, { quality = 88, exif } = {}) {
  const { data } = jpeg.encode(picture, quality)
  return exif ? withExif(data, exif) : Buffer.from(data)
}

/** Puts the segment of the camera behind the start of the file. */
export function withExif(data, exif) {
  return withSegment(data, 0xffe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(exif)]))
}

/** Puts a comment there. */
export function withComment(data, text) {
  return withSegment(data, 0xfffe, Buffer.from(text, 'latin1'))
}

function withSegment(data, marker, body) {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(marker, 0)
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([data.subarray(0, 2), head, body, data.subarray(2)])
}

const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5]

/** A little TIFF file: the main directory, that of the exposure, and that of the place. */
function tiffOf({ takenAt, camera = ['Ferro', 'F1'], lens = 'F 28-70mm F2.8', iso = 100, gps }) {
  const moment = takenAt?.replace('T', ' ').replaceAll('-', ':').slice(0, 19)
  const exposure = [
    ...(moment ? [[0x9003, ASCII, moment]] : []),
    [0x829a, RATIONAL, [[1, 250]]],
    [0x829d, RATIONAL, [[56, 10]]],
    [0x8827, SHORT, [iso]],
    [0x920a, RATIONAL, [[28, 1]]],
    [0xa434, ASCII, lens],
  ]
  const main = [[0x010f, ASCII, camera[0]], [0x0110, ASCII, camera[1]], [0x8769, LONG, [0]], ...(gps ? [[0x8825, LONG, [0]]] : [])]
  const place = gps
    ? [
        [0x0001, ASCII, gps[0] < 0 ? 'S' : 'N'],
        [0x0002, RATIONAL, degrees(gps[0])],
        [0x0003, ASCII, gps[1] < 0 ? 'W' : 'E'],
        [0x0004, RATIONAL, degrees(gps[1])],
      ]
    : []
  const exposureAt = 8 + directorySize(main)
  const placeAt = exposureAt + directorySize(exposure)
  main.find(([tag]) => tag === 0x8769)[2] = [exposureAt]
  if (gps) main.find(([tag]) => tag === 0x8825)[2] = [placeAt]
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])
  return Buffer.concat([header, directory(main, 8), directory(exposure, exposureAt), directory(place, placeAt)])
}

function degrees(angle) {
  const seconds = Math.round(Math.abs(angle) * 3600 * 100)
  return [
    [Math.floor(seconds / 360000), 1],
    [Math.floor(seconds / 6000) % 60, 1],
    [seconds % 6000, 100],
  ]
}

function directorySize(entries) {
  return 6 + entries.length * 12 + entries.reduce((sum, entry) => sum + outside(valueOf(entry)).length, 0)
}

/** A directory whose longer values follow it. */
function directory(entries, start) {
  const head = Buffer.alloc(6 + entries.length * 12)
  head.writeUInt16LE(entries.length, 0)
  const values = []
  let next = start + head.length
  for (const [index, entry] of [...entries].sort((a, b) => a[0] - b[0]).entries()) {
    const at = 2 + index * 12
    const value = valueOf(entry)
    head.writeUInt16LE(entry[0], at)
    head.writeUInt16LE(entry[1], at + 2)
    head.writeUInt32LE(countOf(entry), at + 4)
    if (value.length <= 4) value.copy(head, at + 8)
    else {
      head.writeUInt32LE(next, at + 8)
      values.push(outside(value))
      next += values.at(-1).length
    }
  }
  return Buffer.concat([head, ...values])
}

function valueOf([, type, value]) {
  if (type === ASCII) return Buffer.from(`${value}\0`, 'latin1')
  const bytes = type === SHORT ? 2 : type === LONG ? 4 : 8
  const buffer = Buffer.alloc(value.length * bytes)
  for (const [index, one] of value.entries()) {
    if (type === SHORT) buffer.writeUInt16LE(one, index * 2)
    else if (type === LONG) buffer.writeUInt32LE(one, index * 4)
    else {
      buffer.writeUInt32LE(one[0], index * 8)
      buffer.writeUInt32LE(one[1], index * 8 + 4)
    }
  }
  return buffer
}

function countOf([, type, value]) {
  return type === ASCII ? value.length + 1 : value.length
}

/** What does not fit into its entry, at an even length. */
function outside(value) {
  if (value.length <= 4) return Buffer.alloc(0)
  return value.length % 2 ? Buffer.concat([value, Buffer.alloc(1)]) : value
}
