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

/**
 * What is made of the portraits: which, when, which part (left, top, width and height of 1), and how
 * it is developed.
 */
const PHOTOS = [
  { of: [COLLINS], day: '2026-07-18T09:10:00' },
  { of: [COLLINS], day: '2026-07-18T09:24:00', part: [0.12, 0, 0.6, 0.8], filter: 'grayscale(1) contrast(1.1)' },
  { of: [COLLINS], day: '2026-07-19T15:40:00', part: [0, 0, 0.9, 0.62], filter: 'saturate(1.25) brightness(1.05)' },
  { of: [COLLINS], day: '2026-07-19T16:05:00', part: [0.2, 0, 0.5, 0.5], mirrored: true, filter: 'sepia(0.35)' },
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
async function develop({ sources, part = [0, 0, 1, 1], mirrored = false, filter = 'none' }) {
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
  const { data } = context.getImageData(0, 0, canvas.width, height)
  let text = ''
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000))
  return { width: canvas.width, height, data: btoa(text) }
}
