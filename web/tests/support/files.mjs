// Small files of many kinds, written by hand: each is like no other, and takes no time to make.

import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour; `text` is written into it as a comment. */
export function png(width, height, [red, green, blue], text) {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const comment = text ? [pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))] : []
  return Buffer.concat([PNG, pngHead(width, height), ...comment, pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))])
}

/** An image by its header, with nothing behind it that could be shown. */
export function damagedPng(width, height, noise) {
  return Buffer.concat([PNG, pngHead(width, height), pngChunk('IDAT', Buffer.from(`this is not what zlib writes ${noise}`)), pngChunk('IEND', Buffer.alloc(0))])
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function pngHead(width, height) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return pngChunk('IHDR', head)
}

function pngChunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A BMP of one colour. */
export function bmp(width, height, [red, green, blue]) {
  const stride = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + stride * height)
  file.write('BM', 'latin1')
  for (const [at, value] of [[2, file.length], [10, 54], [14, 40], [18, width], [22, height]]) file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y += 1) file.fill(Buffer.from([blue, green, red]), 54 + y * stride, 54 + y * stride + width * 3)
  return file
}

/** A GIF of one colour, and of several frames if wanted; each pixel has a code of its own. */
export function gif(width, height, [red, green, blue], frames = 1) {
  const head = Buffer.from([...Buffer.from('GIF89a'), width & 255, width >> 8, height & 255, height >> 8, 0x80, 0, 0, red, green, blue, 255 - red, 255 - green, 255 - blue])
  const image = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 0, 2]), blocks(codes(width * height)), Buffer.from([0])])
  const delay = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0])
  return Buffer.concat([head, ...Array.from({ length: frames }, () => Buffer.concat([delay, image])), Buffer.from([0x3b])])
}

/** Codes of three bits: the table is cleared before they would get longer. */
function codes(pixels) {
  const bits = []
  const add = (code) => bits.push(code & 1, (code >> 1) & 1, (code >> 2) & 1)
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    if (pixel % 2 === 0) add(4)
    add(0)
  }
  add(5)
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  bits.forEach((bit, at) => (bytes[at >> 3] |= bit << (at & 7)))
  return bytes
}

function blocks(data) {
  const parts = []
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

/** A WebP of one pixel, with something in its metadata that makes it unlike others. */
export function webp(note) {
  const pixel = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64').subarray(12)
  const extended = riffChunk('VP8X', Buffer.from([0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const xmp = riffChunk('XMP ', Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${note} --></x:xmpmeta>`))
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), extended, pixel, xmp])
  return riffChunk('RIFF', body)
}

function riffChunk(kind, data) {
  const head = Buffer.alloc(8)
  head.write(kind, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
