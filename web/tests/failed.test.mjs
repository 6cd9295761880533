// Photos that could not be shown: they say so, and something can be done about them.

import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { assertClean } from './support/axe.mjs'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { damagedPng } from './support/files.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { search, tiles, viewer } from './support/steps.mjs'

let browser
let server
let ada
const failed = []

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  await ada.library([{ path: photo('fine.jpg', { seed: 81 }), title: 'fine' }])
  const folder = mkdtempSync(join(tmpdir(), 'ferrotype-failed-'))
  for (const name of ['torn.png', 'worn.png']) {
    writeFileSync(join(folder, name), damagedPng(640, 480, name))
    const { id } = await ada.upload(join(folder, name))
    failed.push(id)
    await until(async () => (await ada.get(`/images/${id}`)).status === 'failed', `${name} to fail`)
  }
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block', signedInAs: ADA }
const panel = (page) => viewer(page).getByRole('region', { name: 'This photo could not be shown' })

scene('a tile says that its photo could not be shown, to those who see it and to those who hear it', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await page.getByRole('link', { name: /Not shown/ }).first().waitFor()
  assert.equal(await page.getByRole('link', { name: /Not shown/ }).count(), 2)
  assert.equal(await page.locator('a[data-index] small').getByText('Not shown').count(), 2)
  await assertClean(page, 'tiles of photos that could not be shown')
})

scene('the viewer says why, and lets one try again, take the original and throw it away', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos?photo=${failed[0]}`)
  await panel(page).getByText('The file is damaged.').waitFor()
  await panel(page).getByText('torn.png').waitFor()
  await assertClean(page, 'the viewer of a photo that could not be shown')

  const download = page.waitForEvent('download')
  await panel(page).getByRole('button', { name: 'Download original' }).click()
  assert.equal((await download).suggestedFilename(), 'torn.png')

  const retried = page.waitForResponse((answer) => answer.url().endsWith(`/images/${failed[0]}/retry`))
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  assert.equal((await retried).status(), 200)
  await page.getByText('1 photo is tried again.').waitFor()
  // It is as damaged as before, and says so again by itself.
  await panel(page).getByText('The file is damaged.').waitFor()

  await panel(page).getByRole('button', { name: 'Throw away' }).click()
  await page.getByText('1 photo is in the trash.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await ada.get(`/images/${failed[0]}`)).trashedAt === undefined, 'the photo to be back')
})

scene('all that could not be shown are found, selected and tried again', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await search(page, 'is:failed')
  await until(async () => (await tiles(page).count()) === 2, 'both to be found')
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await page.getByText('2 photos are tried again.').waitFor()
})

scene('administrators see the name of the file, whose it is and why', inGallery, async ({ page, server }) => {
  await until(async () => (await ada.get('/admin/dead-work')).items.length === 2, 'both to be given up')
  await page.goto(`${server.url}/admin/work`)
  const work = page.getByRole('listitem').filter({ hasText: 'worn.png' })
  await work.getByText('The file is damaged.').waitFor()
  await work.getByRole('link', { name: ADA.name }).waitFor()
  assert.equal(await page.getByText(/01[0-9A-Z]{24}/).count(), 0, 'no id is shown')
})
