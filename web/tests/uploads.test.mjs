// Uploads in a real browser: what is chosen, dropped and pasted, interrupted and refused.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { folderOfPhotos, largeFile, photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'

let browser
let server
let ada
/** One that limits requests, and lets two files on their way at once. */
let limited

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  limited = await Server.start({ RATE_LIMITS_ENABLED: 'true', RATE_LIMITS_TRANSFERS: '2' })
  await Client.setUp(limited)
})
after(async () => {
  await browser?.close()
  await server?.close()
  await limited?.close()
})

const inGallery = { browser: () => browser, server: () => server, signedInAs: ADA }
const panel = (page) => page.getByRole('region', { name: 'Uploads' })
const row = (page, name) => panel(page).getByRole('listitem').filter({ hasText: name })

async function choose(page, files, kind = 'photos') {
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('dialog', { name: 'Upload photos' }).waitFor()
  await page.locator(`input[data-upload=${kind}]`).setInputFiles(files)
}

/** Lets so many bytes per second leave the browser. */
async function throttle(window, page, bytesPerSecond) {
  const session = await window.newCDPSession(page)
  await session.send('Network.enable')
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond }
  await session.send('Network.emulateNetworkConditions', conditions)
}

scene('a folder is uploaded, processed and shown as ready', inGallery, async ({ page, server }) => {
  const { folder, files } = folderOfPhotos('holiday', 4)
  await page.goto(server.url)
  await choose(page, folder, 'folder')
  await panel(page).getByRole('heading', { name: '4 photos uploaded' }).waitFor()
  for (const index of files.keys())
    await row(page, `photo-${index + 1}.jpg`)
      .getByText('Ready')
      .waitFor()
  assert.equal(await panel(page).locator('li img').count(), 4)
  await page.getByRole('button', { name: 'Close uploads' }).click()
  await panel(page).waitFor({ state: 'detached' })
})

scene('a photo that is here already is said to be', inGallery, async ({ page, server }) => {
  const file = photo('again.jpg', { seed: 7 })
  const { id } = await ada.upload(file)
  await page.goto(server.url)
  await choose(page, file)
  await row(page, 'again.jpg').getByText('You had this photo already').waitFor()
  assert.equal(await row(page, 'again.jpg').getByRole('link').getAttribute('href'), `/photos/${id}`)
})

scene('what is dropped and pasted is uploaded, and what is no image is left out', inGallery, async ({ page, server }) => {
  await page.goto(server.url)
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).waitFor()
  const bytes = (seed) => readFileSync(photo('x.jpg', { seed })).toString('base64')
  await page.evaluate(give, {
    type: 'drop',
    files: [
      ['dropped.jpg', 'image/jpeg', bytes(11)],
      ['notes.txt', 'text/plain', 'aGVsbG8='],
    ],
  })
  await row(page, 'dropped.jpg').getByText('Ready').waitFor()
  await panel(page).getByText('1 file was not uploaded').click()
  await panel(page).getByText('Not a photo').click()
  await panel(page).getByText('notes.txt').waitFor()
  await page.evaluate(give, { type: 'paste', files: [['image.png', 'image/png', bytes(12)]] })
  await row(page, 'pasted-').getByText('Ready').waitFor()
})

scene('files go into the album that was chosen', inGallery, async ({ page, server }) => {
  const album = await ada.post('/albums', { title: 'Lakes' })
  await page.goto(server.url)
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await page.getByLabel('Put them into').selectOption({ label: 'Lakes' })
  await page.locator('input[data-upload=photos]').setInputFiles([photo('lake-1.jpg', { seed: 21 }), photo('lake-2.jpg', { seed: 22 })])
  for (const name of ['lake-1.jpg', 'lake-2.jpg']) await row(page, name).getByText('Ready · in “Lakes”').waitFor()
  assert.equal((await ada.get(`/albums/${album.id}`)).imageCount, 2)
})

scene('what is refused says why, and can be tried again', inGallery, async ({ page, server }) => {
  const me = await ada.get('/me')
  await ada.put(`/users/${me.id}/quota`, { imagesMax: 0, bytesMax: me.quota.bytesMax })
  await page.goto(server.url)
  const file = (name, buffer) => ({ name, mimeType: 'image/jpeg', buffer })
  await choose(page, [
    file('full.jpg', readFileSync(photo('full.jpg', { seed: 31 }))),
    file('broken.jpg', Buffer.from('no image '.repeat(100))),
  ])
  await row(page, 'full.jpg').getByText('You may keep no more photos').waitFor()
  await row(page, 'broken.jpg').getByText('You may keep no more photos').waitFor()
  await ada.put(`/users/${me.id}/quota`, { imagesMax: me.quota.imagesMax, bytesMax: me.quota.bytesMax })
  await page.getByRole('button', { name: 'Try all again' }).click()
  await row(page, 'full.jpg').getByText('Ready').waitFor()
  await row(page, 'broken.jpg').getByText('Not an image of a kind that is taken').waitFor()
  await page.getByRole('button', { name: 'Take broken.jpg off the list' }).click()
  await row(page, 'broken.jpg').waitFor({ state: 'detached' })
})

const limits = { ...inGallery, server: () => limited }

scene('many small photos are asked about together, sent with one request each, and hinder nobody', limits, async ({ page, server }) => {
  const requests = []
  const refused = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  page.on('response', (response) => response.status() >= 429 && refused.push(`${response.status()} ${response.url()}`))
  await page.goto(server.url)
  const files = Array.from({ length: 120 }, (_, n) => ({ name: `small-${n}.bmp`, mimeType: 'image/bmp', buffer: bitmap(n) }))
  await choose(page, files)
  await panel(page).getByRole('heading', { name: '120 photos uploaded' }).waitFor({ timeout: 60_000 })
  const count = (what) => requests.filter((request) => request === what).length
  assert.equal(count('POST /api/v1/images'), 120)
  assert.ok(count('POST /api/v1/images/exists') <= 2, 'asked about together')
  assert.equal(count('POST /api/v1/uploads'), 0)
  assert.deepEqual(refused, [])
})

/** A picture of eight by four pixels that no other number gives. */
function bitmap(n) {
  const file = Buffer.alloc(54 + 96, n)
  file.write('BM')
  for (const [at, value] of [[2, 150], [6, 0], [10, 54], [14, 40], [18, 8], [22, 4]]) file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.fill(0, 30, 54)
  file.writeUInt32LE(n * 2654435761 % 2 ** 32, 60)
  return file
}

scene('an upload is paused, goes on, and is cancelled without a trace', inGallery, async ({ page, window, server }) => {
  const used = (await ada.get('/me')).quota.imagesUsed
  await page.goto(server.url)
  await throttle(window, page, 4_000_000)
  await choose(page, largeFile('cancelled.bmp', 24))
  await page.getByRole('button', { name: 'Pause cancelled.bmp' }).click()
  await row(page, 'cancelled.bmp')
    .getByText(/Paused at/)
    .waitFor()
  await page.getByRole('button', { name: 'Go on with cancelled.bmp' }).click()
  await row(page, 'cancelled.bmp')
    .getByText(/% of 24/)
    .waitFor()
  assert.equal((await ada.get('/me')).quota.imagesUsed, used + 1)
  await page.getByRole('button', { name: 'Cancel cancelled.bmp' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await until(async () => (await ada.get('/me')).quota.imagesUsed === used, 'the place to be given back')
})

scene('a page that is loaded again goes on with the file that is chosen again', inGallery, async ({ page, window, server }) => {
  const file = largeFile('reloaded.bmp', 32)
  const uploads = []
  page.on('request', (request) => request.url().endsWith('/api/v1/uploads') && uploads.push(request.method()))
  await page.goto(server.url)
  await throttle(window, page, 6_000_000)
  await choose(page, file)
  await until(async () => ((await progressOf(page, 'reloaded.bmp')) > 0.4 ? true : undefined), 'the first pieces')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await row(page, 'reloaded.bmp').getByText('Choose the file again to go on').waitFor()
  await page.locator('input[data-upload=again]').setInputFiles(file)
  await row(page, 'reloaded.bmp').getByText('Ready').waitFor({ timeout: 90_000 })
  assert.deepEqual(uploads, ['POST'], 'one upload, resumed')
})

scene('an upload outlives a server that is killed', inGallery, async ({ page, window, server }) => {
  const file = largeFile('survivor.bmp', 40)
  await page.goto(server.url)
  await throttle(window, page, 8_000_000)
  await choose(page, file)
  await until(async () => ((await progressOf(page, 'survivor.bmp')) > 0.3 ? true : undefined), 'the first pieces')
  await server.kill()
  await panel(page).getByText('The server cannot be reached').waitFor()
  await server.restart()
  await row(page, 'survivor.bmp').getByText('Ready').waitFor({ timeout: 90_000 })
  const found = (await ada.get('/images?limit=10')).items.filter((image) => image.filename === 'survivor.bmp')
  assert.equal(found.length, 1)
  assert.equal(found[0].sizeBytes, readFileSync(file).length)
})

async function progressOf(page, name) {
  const bar = row(page, name).locator('progress')
  return (await bar.count()) === 0 ? 0 : bar.evaluate((element) => element.value).catch(() => 0)
}

/** Runs in the page: files arrive by an event that only people can make otherwise. */
function give({ type, files }) {
  const transfer = new DataTransfer()
  for (const [name, mime, base64] of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    transfer.items.add(new File([bytes], name, { type: mime }))
  }
  const event =
    type === 'drop'
      ? new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer })
      : new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer })
  document.body.dispatchEvent(event)
}
