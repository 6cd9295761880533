// The walk of a new user with a library as people have them: set-up, the first sign-in, two thousand mixed
// files at the limits that every server has, what was left out, looking and searching, and a second user
// by invitation, on a phone with a slow connection. Screenshots are in target/walk.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, until } from './support/client.mjs'
import { watchWords } from './support/keys.mjs'
import { MIXED, mixedFolder, mixedLeftOut, mixedPhotos } from './support/mixedFolder.mjs'
import { slowDown } from './support/network.mjs'
import { ROOT, Server } from './support/server.mjs'
import * as on from './support/steps.mjs'

const BOB = { name: 'Bob Byrne', email: 'bob@example.org', password: 'another horse battery' }
const PICTURES = join(ROOT, 'target/walk')

let browser
let server
let invitation

before(async () => {
  rmSync(PICTURES, { recursive: true, force: true })
  mkdirSync(PICTURES, { recursive: true })
  mixedFolder()
  browser = await launch()
  // As it comes: nobody who sets a server up changes its limits first.
  server = await Server.start({ RATE_LIMITS_ENABLED: 'true' })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const inGallery = { browser: () => browser, server: () => server, size: DESKTOP }

/** A scene in which nothing may go wrong that anybody could see, hear or find in the console. */
function walk(name, options, act) {
  scene(name, options, async (its) => {
    await watchWords(its.window, 'cannot be reached|too much at once|slow down|is in trouble')
    await act(its)
    const isNews = (line) => /^(429|5\d\d): |^error: /.test(line) && !isExpected(line)
    assert.deepEqual(its.watch.lines.filter(isNews), [], 'nothing went wrong')
  })
}

/** Whoever is not signed in is told so when the page asks who is. */
const isExpected = (line) => /status of 401/.test(line)

let shot = 0
const look = (page, name) => page.screenshot({ path: join(PICTURES, `${String((shot += 1)).padStart(2, '0')}-${name}.png`) })

/** How many photos the head of the page says there are. */
async function countIs(page, count) {
  await page.getByText(`${count.toLocaleString('en-GB')} photos`, { exact: true }).waitFor({ timeout: 60_000 })
}

walk('a new user sets the server up, signs in and uploads two thousand mixed files', inGallery, async ({ page, server }) => {
  await page.goto(server.setUpUrl)
  await page.getByLabel('Your name').waitFor()
  await look(page, 'set-up')
  await on.setUp(page, server.setUpUrl, ADA)
  await page.getByText('Your photos will be here').waitFor()
  await on.signOut(page, ADA.name)
  await page.getByLabel('E-mail address').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your photos will be here').waitFor()
  await look(page, 'first-sign-in')

  await on.uploadFolder(page, mixedFolder())
  await on.uploads(page).getByText(/ of .* uploaded/).first().waitFor()
  await look(page, 'uploading')
  // The gallery answers all the while.
  await on.goTo(page, 'Albums')
  await page.getByRole('heading', { name: 'Albums', level: 1 }).waitFor()
  await on.goTo(page, 'Photos')
  // They have their places at once; their pictures are made when fewer files come.
  await page.locator('a[data-index]').first().waitFor()
  await page.getByText(/^[\d,]{3,} photos$/).waitFor()
  await look(page, 'photos-while-uploading')

  const sent = on.uploads(page).getByRole('heading', { name: /photos are being processed|photos uploaded/ })
  await sent.waitFor({ timeout: 120_000 })
  await on.uploads(page).getByText(`${mixedLeftOut() + MIXED.duplicates} files were not uploaded`).click()
  await leftOutAre(page, {
    'Not a photo': MIXED.text,
    'A video, which is not taken here': MIXED.video,
    'A hidden file of the system': MIXED.hidden,
    'There is nothing in the file': MIXED.empty,
    'Here already': MIXED.duplicates,
  })
  await on.uploads(page).getByText('A video, which is not taken here').click()
  await on.uploads(page).getByText('clips/clip-1.mp4').first().waitFor()
  await look(page, 'what-was-left-out')
})

async function leftOutAre(page, groups) {
  for (const [reason, count] of Object.entries(groups)) {
    const row = on.uploads(page).locator('summary').filter({ hasText: reason })
    assert.match(await row.innerText(), new RegExp(`${count}$`), reason)
  }
}

walk('the photos are there: in the timeline, in the viewer and in searches', { ...inGallery, signedInAs: ADA }, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await countIs(page, mixedPhotos())
  await page.locator('a[data-index] img.shown').first().waitFor()
  await look(page, 'timeline')
  await page.locator('a[data-index]').first().focus()
  await page.keyboard.press('End')
  await until(async () => (await page.locator(`a[data-index="${mixedPhotos() - 1}"]`).count()) === 1, 'the oldest photo')
  await page.locator('a[data-index] img.shown').first().waitFor()
  await look(page, 'timeline-end')
  await page.keyboard.press('Enter')
  await on.viewer(page).locator('img').first().waitFor({ timeout: 90_000 })
  await page.keyboard.press('i')
  await on.viewer(page).getByRole('heading', { name: 'Details' }).waitFor()
  await look(page, 'viewer')
  await page.keyboard.press('ArrowLeft')
  await on.closePhoto(page)

  await on.search(page, 'type:gif')
  await page.locator('a[data-index] img.shown').first().waitFor()
  await look(page, 'search')
  await on.search(page, 'is:failed')
  await until(async () => (await on.tiles(page).count()) === MIXED.damaged, 'those that could not be shown')
  await look(page, 'search-failed')
  await on.tiles(page).first().click()
  await on.viewer(page).getByText('The file is damaged.').first().waitFor()
  await look(page, 'viewer-failed')
})

walk('an album is shared with somebody who is invited', { ...inGallery, signedInAs: ADA }, async ({ page, server }) => {
  await page.goto(`${server.url}/admin/invitations`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  invitation = await dialog.locator('code').innerText()
  await look(page, 'invitation')
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.goto(`${server.url}/search?q=type%3Abmp`)
  await page.locator('a[data-index] img.shown').first().waitFor()
  await page.locator('a[data-index]').first().focus()
  await page.keyboard.press('x')
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('toolbar').getByText('6 selected').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Add to album' }).click()
  await page.getByLabel('Find an album').fill('For Bob')
  await page.getByRole('button', { name: 'New album “For Bob”' }).click()
  await page.getByText('In “For Bob” now: 6 photos.').waitFor()
})

walk('the second user comes by a phone over a slow network, and sees the album', { ...inGallery, size: PHONE }, async ({ page, server }) => {
  await slowDown(page)
  await page.goto(invitation)
  await page.getByLabel('Your name').fill(BOB.name)
  await page.getByLabel('E-mail address').fill(BOB.email)
  await page.getByLabel('Password', { exact: true }).fill(BOB.password)
  await look(page, 'phone-sign-up')
  await page.locator('form button[type=submit]').click()
  await page.getByText('Your photos will be here').waitFor()
  await look(page, 'phone-photos')
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('dialog', { name: 'Upload photos' }).waitFor()
  await look(page, 'phone-upload-dialog')
  await page.keyboard.press('Escape')

  await shareWithBob(server)
  await on.goTo(page, 'Albums')
  await page.getByRole('link', { name: /For Bob/ }).first().click()
  await page.getByRole('heading', { name: 'For Bob', level: 1 }).waitFor()
  await on.photosAre(page, 6)
  await look(page, 'phone-shared-album')
  await on.openPhoto(page, 0)
  await look(page, 'phone-viewer')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing is wider than the phone')
})

/** As Ada does it, at her own desk. */
async function shareWithBob(server) {
  const window = await browser.newContext({ locale: 'en-GB', ...DESKTOP })
  window.setDefaultTimeout(20_000)
  const answer = await window.request.post(`${server.url}/api/v1/session`, { data: { email: ADA.email, password: ADA.password, kind: 'cookie' }, headers: { origin: server.url } })
  assert.equal(answer.status(), 201)
  const page = await window.newPage()
  await page.goto(`${server.url}/albums`)
  await page.getByRole('link', { name: /For Bob/ }).first().click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “For Bob”' })
  await dialog.getByRole('combobox').first().fill(BOB.email)
  await dialog.getByRole('option').filter({ hasText: BOB.name }).click()
  await dialog.getByText(BOB.name).first().waitFor()
  await look(page, 'share-with-bob')
  await window.close()
}
