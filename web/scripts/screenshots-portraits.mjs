// Photos of two people for the screenshots, made of one portrait of each: of Grace Hopper by the US
// Navy and of Eileen Collins by NASA, both in the public domain. `scripts/setup test` gets them.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { toJpeg } from '../tests/support/jpeg.mjs'
import { ROOT } from '../tests/support/server.mjs'

const TOOLS = resolve(ROOT, process.env.FERROTYPE_TOOLS ?? '.tools')
export const MODELS = join(TOOLS, 'models')
const FACES = join(TOOLS, 'test-faces')
const OUT = join(ROOT, 'target/browser-photos/portraits')
const TYPES = { '.jpg': 'image/jpeg', '.png': 'image/png' }

const HOPPER = 'grace_hopper.jpg'
const COLLINS = 'astronaut.png'
/** The eyes in that portrait, and how far sunglasses reach around them. */
const EYES = { points: [[203, 102], [247, 104]], radius: 20 }

/**
 * What is made of the portraits: which, when, which part (left, top, width and height of 1), and how
 * it is developed. With sunglasses somebody looks alike, but not surely the same.
 */
const PHOTOS = [
  { of: [COLLINS], day: '2026-07-18T09:10:00' },
  { of: [COLLINS], day: '2026-07-18T09:24:00', part: [0.12, 0, 0.6, 0.8], filter: 'grayscale(1) contrast(1.1)' },
  { of: [COLLINS], day: '2026-07-19T15:40:00', part: [0, 0, 0.9, 0.62], filter: 'saturate(1.25) brightness(1.05)' },
  { of: [COLLINS], day: '2026-07-19T16:05:00', part: [0.2, 0, 0.5, 0.5], mirrored: true, filter: 'sepia(0.35)' },
  { of: [COLLINS], day: '2026-07-25T12:00:00', part: [0.05, 0, 0.8, 0.75], sunglasses: EYES },
  { of: [COLLINS], day: '2026-07-25T12:20:00', part: [0.18, 0, 0.52, 0.56], sunglasses: EYES, mirrored: true, filter: 'saturate(1.2) brightness(1.06)' },
  { of: [HOPPER], day: '2026-08-02T11:00:00' },
  { of: [HOPPER], day: '2026-08-02T11:12:00', part: [0.1, 0, 0.8, 0.62], filter: 'grayscale(1) contrast(1.15)' },
  { of: [HOPPER], day: '2026-08-02T11:30:00', mirrored: true, filter: 'brightness(1.08)' },
  { of: [HOPPER, COLLINS], day: '2026-08-03T18:20:00' },
  { of: [COLLINS, HOPPER], day: '2026-08-03T18:45:00', filter: 'grayscale(1)' },
]
const TOGETHER = PHOTOS.findIndex(({ of }) => of.length === 2)

/** The files, the first taken first; one of them shows both, Grace Hopper on the left. */
export async function portraits(browser) {
  for (const name of [HOPPER, COLLINS]) {
    if (!existsSync(join(FACES, name))) throw new Error(`${join(FACES, name)} is missing: run scripts/setup test`)
  }
  mkdirSync(OUT, { recursive: true })
  const page = await browser.newPage()
  try {
    const files = []
    for (const [index, { day, ...photo }] of PHOTOS.entries()) {
      const sources = photo.of.map((name) => `data:${TYPES[extname(name)]};base64,${readFileSync(join(FACES, name), 'base64')}`)
      const { width, height, data } = await page.evaluate(develop, { ...photo, sources })
      const path = join(OUT, `IMG_${4900 + index}.jpg`)
      const picture = { width, height, data: Buffer.from(data, 'base64') }
      writeFileSync(path, toJpeg(picture, { quality: 92, exif: { takenAt: day, lens: 'F 85mm F1.8' } }))
      files.push({ path, tags: 'portrait', together: index === TOGETHER })
    }
    return files
  } finally {
    await page.close()
  }
}

/** Runs in the page: the pixels of a part of each portrait, side by side. */
async function develop({ sources, part = [0, 0, 1, 1], mirrored = false, filter = 'none', sunglasses }) {
  const images = await Promise.all(
    sources.map(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      return image
    }),
  )
  const [left, top, wide, high] = part
  const height = 900
  const widths = images.map((image) => Math.round((height * image.width * wide) / (image.height * high)))
  const canvas = new OffscreenCanvas(
    widths.reduce((sum, width) => sum + width, 0),
    height,
  )
  const context = canvas.getContext('2d')
  context.filter = filter
  if (mirrored) context.setTransform(-1, 0, 0, 1, canvas.width, 0)
  images.reduce((x, image, index) => {
    context.drawImage(image, image.width * left, image.height * top, image.width * wide, image.height * high, x, 0, widths[index], height)
    return x + widths[index]
  }, 0)
  if (sunglasses) {
    // In the coordinates of the portrait.
    const scale = height / (images[0].height * high)
    context.scale(scale, scale)
    context.translate(-images[0].width * left, -images[0].height * top)
    const [[x, y], [otherX, otherY]] = sunglasses.points
    const { radius } = sunglasses
    context.strokeStyle = '#17110d'
    context.lineWidth = 3
    context.beginPath()
    context.moveTo(x - radius - 8, y - 6)
    context.quadraticCurveTo((x + otherX) / 2, y - radius * 0.7, otherX + radius + 8, otherY - 6)
    context.stroke()
    for (const [middle, level] of sunglasses.points) {
      const glass = context.createLinearGradient(middle, level - radius, middle, level + radius)
      glass.addColorStop(0, '#0e0a08')
      glass.addColorStop(1, '#3a2a20')
      context.fillStyle = glass
      context.beginPath()
      context.roundRect(middle - radius, level - radius * 0.72, radius * 2, radius * 1.5, [radius * 0.45, radius * 0.45, radius * 0.9, radius * 0.9])
      context.fill()
      context.stroke()
    }
  }
  const { data } = context.getImageData(0, 0, canvas.width, height)
  let text = ''
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000))
  return { width: canvas.width, height, data: btoa(text) }
}
