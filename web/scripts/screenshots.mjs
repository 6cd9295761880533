// Writes docs/screenshots/: the main pages with a made-up library, wide and narrow, light and dark.
//
//   npm run screenshots            all
//   npm run screenshots -- photos  those whose name begins so

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DESKTOP, launch, PHONE, signIn } from '../tests/support/browser.mjs'
import { ADA, Client, until } from '../tests/support/client.mjs'
import { photo } from '../tests/support/photos.mjs'
import { ROOT, Server } from '../tests/support/server.mjs'
import { openPhoto } from '../tests/support/steps.mjs'
import { library } from './screenshots-library.mjs'
import { MODELS, portraits } from './screenshots-portraits.mjs'

const OUT = join(ROOT, 'docs/screenshots')
/** A file that takes longer to load than the text around it helps nobody. */
const BYTES_MAX = 200_000
const wanted = process.argv.slice(2)

const shots = (albums, people) => [
  { name: 'photos', path: '/photos', see: picturesAreThere },
  { name: 'viewer', path: '/photos', see: showViewer },
  { name: 'album', path: `/albums/${albums.get('Islands').id}`, see: picturesAreThere },
  { name: 'albums', path: '/albums', see: rest },
  { name: 'search', path: '/search?q=tag%3Alake', see: picturesAreThere },
  { name: 'tags', path: '/tags', see: rest },
  { name: 'people', path: '/people', see: rest },
  { name: 'person', path: `/people/${people.person}`, see: picturesAreThere },
  { name: 'faces', path: `/people/${people.person}?photo=${people.together}`, see: showFaces },
  { name: 'admin', path: '/admin', see: rest },
  { name: 'upload', path: '/photos', see: showUploads, leave: cancelUploads },
]

const browser = await launch()
// Before there is a server, which would not wait with an idle connection for as long as it takes.
const [landscapes, faces] = [library(), await portraits(browser)]
const server = await Server.start({ PEOPLE_ENABLED: 'on', PEOPLE_MODELS: MODELS })
try {
  const ada = await Client.setUp(server)
  const albums = await fill(ada, landscapes)
  const people = await meet(ada, faces)
  mkdirSync(OUT, { recursive: true })
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, size] of [
      [1440, DESKTOP],
      [390, PHONE],
    ]) {
      for (const shot of shots(albums, people)) {
        if (wanted.length === 0 || wanted.some((part) => shot.name.startsWith(part))) await take(shot, width, size, colorScheme)
      }
    }
  }
} finally {
  await browser.close()
  await server.close()
}

async function take({ name, path, see, leave }, width, size, colorScheme) {
  const window = await browser.newContext({ ...size, colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' })
  await signIn(window, server.url, ADA)
  const page = await window.newPage()
  await page.goto(server.url + path)
  await see(page, width)
  await page.waitForTimeout(600)
  const session = await window.newCDPSession(page)
  const bytes = await encoded(session)
  writeFileSync(join(OUT, `${name}-${width}-${colorScheme}.webp`), bytes)
  console.log(`${name}-${width}-${colorScheme}.webp ${Math.round(bytes.length / 1000)} KB`)
  await leave?.(page)
  await window.close()
}

/** As good as fits. */
async function encoded(session) {
  for (let quality = 84; ; quality -= 8) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length <= BYTES_MAX || quality < 40) return bytes
  }
}

/** Uploads the library, makes its albums, marks favourites; the albums by title. */
async function fill(ada, photos) {
  const images = await ada.library(photos.map(({ path, tags }) => ({ path, tags })))
  const albums = new Map()
  for (const [index, { album: title }] of photos.entries()) {
    if (title === undefined) continue
    if (!albums.has(title)) albums.set(title, await ada.post('/albums', { title, sort: 'taken' }))
    await ada.post(`/albums/${albums.get(title).id}/images`, { add: [images[index].id] })
  }
  for (const [title, album] of albums) {
    const cover = images[photos.findIndex((one) => one.album === title) + 1].id
    albums.set(title, await ada.patch(`/albums/${album.id}`, { cover, version: album.version }))
  }
  for (const index of [1, 8, 17, 26, 33]) await ada.put(`/images/${images[index].id}/favourite`)
  const shown = images[34].id
  const { version } = await ada.get(`/images/${shown}`)
  await ada.patch(`/images/${shown}`, { title: 'The lake, last light', description: 'From the path above the northern shore.', version })
  return albums
}

/** Uploads the portraits, and names who is in them; who it is about, and the photo of both. */
async function meet(ada, files) {
  const images = await ada.library(files.map(({ path, tags }) => ({ path, tags })))
  const together = images[files.findIndex((file) => file.together)].id
  const inPhoto = async (image) => (await ada.get(`/images/${image}/persons`)).items
  const both = await until(async () => {
    const faces = await inPhoto(together)
    return faces.length === 2 && faces.every(({ person }) => person) ? faces : undefined
  }, 'both people to be found', 120_000)
  // From left to right.
  both.sort((one, other) => one.box.left - other.box.left)
  for (const [index, name] of ['Grace Hopper', 'Eileen Collins'].entries()) {
    const { id } = both[index].person
    const { version } = await ada.get(`/persons/${id}`)
    await ada.patch(`/persons/${id}`, { name, version })
  }
  return { person: both[1].person.id, together }
}

async function picturesAreThere(page) {
  await page.locator('a[data-index] img.shown').first().waitFor()
  await page.waitForFunction(() => [...document.querySelectorAll('a[data-index] img')].every((image) => image.classList.contains('shown')))
}

async function showViewer(page, width) {
  await picturesAreThere(page)
  await openPhoto(page, 5)
  if (width > 900) await page.keyboard.press('i')
  await page.waitForTimeout(1_500)
}

/** The boxes around faces, in the photo that the address opens. */
async function showFaces(page, width) {
  await page.getByRole('dialog', { name: 'Photo', exact: true }).locator('img').first().waitFor()
  if (width > 900) await page.keyboard.press('i')
  await page.waitForTimeout(1_000)
  await page.keyboard.press('p')
  await page.getByText('Grace Hopper').first().waitFor()
}

async function showUploads(page) {
  await picturesAreThere(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 40_000 })
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  const files = ['alpine', 'coast', 'autumn', 'evening', 'dunes'].map((mood, index) =>
    photo(`IMG_${5001 + index}.jpg`, { seed: 600 + index, mood, width: 1080, height: 720 }),
  )
  await page.locator('input[data-upload=photos]').setInputFiles(files)
  await page.waitForTimeout(4_000)
}

/** So that the next screenshot has the same library. */
async function cancelUploads(page) {
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })
}

async function rest(page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.waitForTimeout(800)
}
