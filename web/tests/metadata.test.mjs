// What photo programs wrote into photos and beside them: uploaded with a folder, shown in the
// details, rated, found; and names beside faces, as answers to "who is this?".

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before } from 'node:test'
import { assertClean } from './support/axe.mjs'
import { launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { ROOT, Server } from './support/server.mjs'
import { photosAre, tiles, uploadFolder, uploads, viewer } from './support/steps.mjs'

const TOOLS = resolve(ROOT, process.env.FERROTYPE_TOOLS ?? '.tools')
const FACES = join(TOOLS, 'test-faces')
const SHOTS = join(ROOT, 'target/metadata')
let browser
let server
let ada

const exiftool = (...args) => execFileSync('exiftool', ['-q', ...args])

before(async () => {
  assert.ok(existsSync(FACES), `${FACES} is missing: run scripts/setup test`)
  mkdirSync(SHOTS, { recursive: true })
  browser = await launch()
  server = await Server.start({ PEOPLE_ENABLED: 'on', PEOPLE_MODELS: join(TOOLS, 'models') })
  ada = await Client.setUp(server)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block', signedInAs: ADA }

/** A folder with two photos, one of which has a sidecar, and a sidecar of nothing. */
function folder() {
  const path = mkdtempSync(join(tmpdir(), 'ferrotype-metadata-'))
  copyFileSync(photo('harbour.jpg', { seed: 91 }), join(path, 'harbour.jpg'))
  copyFileSync(photo('hills.jpg', { seed: 92 }), join(path, 'hills.jpg'))
  exiftool(
    '-XMP-dc:Title=Harbour at dusk', '-XMP-dc:Subject=ships', '-XMP-dc:Subject=Evening Sun', '-XMP-xmp:Rating=4',
    '-XMP-dc:Creator=Ansel Adams', '-XMP-dc:Rights=The estate', '-XMP-photoshop:City=Hamburg', '-XMP-photoshop:Country=Germany',
    '-overwrite_original', join(path, 'harbour.jpg'),
  )
  exiftool('-XMP-dc:Title=Hills beside', '-XMP-dc:Description=Told by a sidecar', '-XMP-xmp:Rating=2', join(path, 'hills.xmp'))
  exiftool('-XMP-dc:Title=Nothing', join(path, 'lost.xmp'))
  return path
}

/** Opens the photo of this title with its details. */
async function open(page, url, title) {
  const found = await until(async () => (await ada.get('/images')).items.find((image) => image.title === title), title)
  await page.goto(`${url}/photos?photo=${found.id}`)
  const details = viewer(page).getByRole('complementary', { name: 'Details' })
  // Whether the details are open is remembered.
  const button = viewer(page).getByRole('button', { name: 'Details', exact: true })
  await button.waitFor()
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click()
  await details.getByText(title).first().waitFor()
  return details
}

scene('a folder brings what was written in its photos and beside them', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await uploadFolder(page, folder())
  await uploads(page).getByRole('heading', { name: '2 photos uploaded' }).waitFor({ timeout: 90_000 })
  await uploads(page).getByText('1 file was not uploaded').click()
  await uploads(page).getByText('An XMP file without its photo').waitFor()
  await page.getByRole('button', { name: 'Close uploads' }).click()
  await photosAre(page, 2)

  const details = await open(page, server.url, 'Harbour at dusk')
  for (const text of ['ships', 'evening sun', 'Ansel Adams', '© The estate', 'Hamburg, Germany']) await details.getByText(text).first().waitFor()
  assert.equal(await details.getByRole('button', { name: '4 stars' }).getAttribute('aria-pressed'), 'true')
  await assertClean(page, 'the details of what is written in a photo')
  await page.screenshot({ path: join(SHOTS, 'details-1440.png') })

  await details.getByRole('button', { name: '5 stars' }).click()
  await until(async () => (await ada.get('/search?q=rating%3A5')).items.length === 1, 'five stars to be found')
  await details.getByRole('button', { name: '5 stars' }).click()
  await until(async () => (await ada.get('/search?q=rating%3A1..')).items.length === 1, 'only the other to have stars')

  const beside = await open(page, server.url, 'Hills beside')
  await beside.getByText('Told by a sidecar').waitFor()
  assert.equal(await beside.getByRole('button', { name: '2 stars' }).getAttribute('aria-pressed'), 'true')

  await page.goto(`${server.url}/search?q=hamburg`)
  await tiles(page).first().waitFor()
  assert.equal(await tiles(page).count(), 1)
})

scene('on a phone the details have the same', { ...inGallery, size: PHONE }, async ({ page, server }) => {
  const details = await open(page, server.url, 'Hills beside')
  await details.getByRole('button', { name: '2 stars' }).waitFor()
  await page.screenshot({ path: join(SHOTS, 'details-390.png') })
  await assertClean(page, 'the details on a phone')
})

scene('a name that is written beside a face is asked, and given by one click', inGallery, async ({ page, server }) => {
  const path = mkdtempSync(join(tmpdir(), 'ferrotype-metadata-'))
  const files = ['marked.jpg', 'plain.jpg'].map((name) => join(path, name))
  for (const file of files) copyFileSync(join(FACES, 'grace_hopper.jpg'), file)
  exiftool(
    '-XMP-mwg-rs:RegionAppliedToDimensionsW=512', '-XMP-mwg-rs:RegionAppliedToDimensionsH=600', '-XMP-mwg-rs:RegionAppliedToDimensionsUnit=pixel',
    '-XMP-mwg-rs:RegionInfo={RegionList=[{Area={X=0.5,Y=0.3,W=0.4,H=0.4,Unit=normalized},Name=Grace Hopper,Type=Face}]}',
    '-XMP-dc:Title=Marked', '-overwrite_original', files[0],
  )
  exiftool('-XMP-dc:Title=Plain', '-overwrite_original', files[1])
  await ada.library(files.map((path) => ({ path })))
  await until(async () => (await ada.get('/persons/suggestions/names')).items.length > 0, 'a name to be offered', 120_000)

  const details = await open(page, server.url, 'Marked')
  await details.getByText('Is this Grace Hopper?').waitFor()
  await page.screenshot({ path: join(SHOTS, 'asked-1440.png') })

  await page.goto(`${server.url}/people`)
  await page.getByRole('heading', { name: 'Who is this?' }).waitFor()
  await assertClean(page, 'names that are asked')
  await page.screenshot({ path: join(SHOTS, 'names-1440.png') })
  await page.getByRole('button', { name: 'Yes, this is Grace Hopper' }).click()
  await page.getByText('Called Grace Hopper now.').waitFor()
  await page.getByRole('group', { name: 'Grace Hopper' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Who is this?' }).count(), 0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: 'Yes, this is Grace Hopper' }).waitFor()

  // In the details as well.
  const again = await open(page, server.url, 'Marked')
  await again.getByRole('button', { name: 'Yes, this is Grace Hopper' }).click()
  await again.getByRole('link', { name: 'Grace Hopper' }).waitFor()
})
