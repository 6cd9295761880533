// Saving photos: one as its file, a selection as one archive of originals.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { photosAre } from './support/steps.mjs'

const MOODS = ['alpine', 'evening', 'coast', 'night']
const files = MOODS.map((mood, index) => photo(`${mood}.jpg`, { seed: index + 161, mood }))
let browser
let server
let ada
let images

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  images = await ada.library(files.map((path, index) => ({ path, title: MOODS[index] })))
})
after(async () => {
  await browser?.close()
  await server?.close()
})

for (const [name, size] of [
  ['wide', DESKTOP],
  ['phone', PHONE],
]) {
  scene(`${name}: a selection is saved as one archive`, { browser: () => browser, server: () => server, size, signedInAs: ADA }, async ({ page, server }) => {
    await open(page, server)
    await select(page, ['night', 'coast', 'evening'])
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()])
    assert.equal(download.suggestedFilename(), 'images.zip')
    const archive = readFileSync(await download.path())
    const inside = unzip(archive)
    areOriginals(inside, ['coast', 'evening', 'night'])
    await page.getByText('3 photos are being downloaded as one file.').waitFor()
    // The page is where it was, without the selection.
    assert.equal(new URL(page.url()).pathname, '/photos')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })
}

for (const [name, size] of [
  ['wide', DESKTOP],
  ['phone', PHONE],
]) {
  scene(`${name}: a whole library, a search and an album are saved as one archive each`, { browser: () => browser, server: () => server, size, signedInAs: ADA }, async ({ page, server }) => {
    await open(page, server)
    areOriginals(await downloadAll(page), MOODS)
    await page.getByText('All photos are being downloaded as one file.').waitFor()
    assert.equal(new URL(page.url()).pathname, '/photos')
    await page.goto(`${server.url}/search?q=${encodeURIComponent('coast')}`)
    await photosAre(page, 1)
    areOriginals(await downloadAll(page), ['coast'])
    const trip = await ada.post('/albums', { title: `Trip ${name}` })
    const hut = await ada.post('/albums', { title: 'Hut', parent: trip.id })
    await ada.post(`/albums/${hut.id}/images`, { add: [images[3].id] })
    await page.goto(`${server.url}/albums/${trip.id}`)
    await page.getByRole('heading', { name: trip.title }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download as ZIP' }).click()])
    const inside = unzip(readFileSync(await download.path()))
    assert.deepEqual([...inside.keys()], ['Hut/night.jpg'])
  })
}

scene('one photo is saved as its file', { browser: () => browser, server: () => server, signedInAs: ADA }, async ({ page, server }) => {
  await open(page, server)
  await select(page, ['night'])
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()])
  assert.equal(download.suggestedFilename(), 'night.jpg')
  assert.ok(readFileSync(await download.path()).equals(readFileSync(files[3])))
})

scene('who downloads a photo that is gone is told so and stays on the page', { browser: () => browser, server: () => server, signedInAs: ADA, serviceWorkers: 'block' }, async ({ page, server }) => {
  // The page learns nothing of it: the stream of changes is cut.
  await page.route('**/api/v1/changes**', (route) => route.abort())
  await open(page, server)
  await select(page, ['alpine', 'coast'])
  await ada.delete(`/images/${images[0].id}?permanent=true`)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.locator('.toast.error').waitFor()
  assert.equal(new URL(page.url()).pathname, '/photos')
  assert.equal(page.frames().length, 1, 'nothing was sent by a form')
})

async function downloadAll(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download all' }).click()])
  return unzip(readFileSync(await download.path()))
}

/** These photos as they were uploaded, each in the folder of a month. */
function areOriginals(inside, moods) {
  const found = new Map([...inside].map(([path, bytes]) => [path.replace(/^(\d{4})\/\1-\d\d\//, ''), bytes]))
  assert.deepEqual([...found.keys()].sort(), moods.map((mood) => `${mood}.jpg`).sort())
  for (const [file, bytes] of found) assert.ok(bytes.equals(readFileSync(files[MOODS.indexOf(file.slice(0, -4))])), `${file} is the original`)
}

async function open(page, server) {
  await page.goto(`${server.url}/photos`)
  await photosAre(page, 4)
}

/** By keyboard, which also works where nothing can be hovered over. */
async function select(page, titles) {
  for (const title of titles) {
    await page.getByRole('link', { name: title }).focus()
    await page.keyboard.press('x')
  }
  await page.getByRole('toolbar').getByText(`${titles.length} selected`).waitFor()
}

/** The files of an archive by name, by its directory at the end; they are stored as they are. */
function unzip(archive) {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const found = new Map()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extraLength, offset] = [archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30), archive.readUInt32LE(at + 42)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
    found.set(name, archive.subarray(start, start + size))
    at += 46 + nameLength + extraLength + archive.readUInt16LE(at + 32)
  }
  return found
}
