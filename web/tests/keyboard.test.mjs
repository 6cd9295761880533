// Everything without a mouse: nothing here clicks.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { photosAre, tiles, viewer } from './support/steps.mjs'

let browser
let server
let ada

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  const moods = ['alpine', 'evening', 'coast', 'night', 'dunes']
  await ada.library(moods.map((mood, index) => ({ path: photo(`${mood}.jpg`, { seed: index + 61, mood }), title: mood })))
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const inGallery = { browser: () => browser, server: () => server }
const focused = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '')

/** Presses Tab until something of this name has the focus. */
async function tabTo(page, name) {
  const seen = []
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now.includes(name)) return
    seen.push(now)
  }
  assert.fail(`${name} is not reached by Tab; it came past ${seen.join(' | ')}`)
}

scene('signing in, looking, tagging, selecting and throwing away by keyboard alone', inGallery, async ({ page, server }) => {
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type(ADA.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADA.password)
  await page.keyboard.press('Enter')
  await photosAre(page, 5)

  // Into the photos, along them, and into one.
  await tabTo(page, 'dunes')
  await page.keyboard.press('ArrowRight')
  assert.match(await focused(page), /night/)
  await page.keyboard.press('Enter')
  await viewer(page).waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer(page).getByRole('heading', { name: 'coast' }).waitFor()
  await page.keyboard.press('f')
  await page.getByText('It is a favourite now.').waitFor({ state: 'attached' })
  await page.keyboard.press('i')
  await tabTo(page, 'Add a tag')
  await page.keyboard.type('beach')
  await page.keyboard.press('Enter')
  await viewer(page).getByRole('link', { name: 'beach' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  assert.match(await focused(page), /coast/, 'the focus comes back to the photo')

  // Three selected, thrown away, brought back.
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('toolbar').getByText('3 selected').waitFor()
  await tabTo(page, 'Into the trash')
  await page.keyboard.press('Enter')
  await page.getByText('3 photos are in the trash.').waitFor()
  await photosAre(page, 2)
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await photosAre(page, 5)

  // By letters to search, and to other pages.
  await page.keyboard.press('Escape')
  await page.locator('h1').first().focus()
  await page.keyboard.press('/')
  await page.keyboard.type('tag:beach')
  await page.keyboard.press('Enter')
  await photosAre(page, 1)
  await tiles(page).first().focus()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Albums', level: 1 }).waitFor()
})

scene('Delete throws a selection away, with a way back, and in the trash asks before it is for good', { ...inGallery, signedInAs: ADA }, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await photosAre(page, 5)
  await tiles(page).first().focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await page.keyboard.press('Delete')
  await page.getByText('2 photos are in the trash.').waitFor()
  await photosAre(page, 3)
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await photosAre(page, 5)

  await tiles(page).first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Delete')
  await page.getByText('1 photo is in the trash.').waitFor()
  await page.goto(`${server.url}/trash`)
  await photosAre(page, 1)
  await tiles(page).first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Delete for good?' })
  await question.waitFor()
  assert.equal(await tiles(page).count(), 1, 'nothing is gone before the answer')
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await tiles(page).first().focus()
  await page.keyboard.press('Delete')
  await question.getByRole('button', { name: 'Delete for good' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 photo is deleted.').waitFor()
  await photosAre(page, 0)
})
