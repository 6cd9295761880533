// When photos were taken: a camera with a wrong clock is corrected by its owner, for many and for one.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { assertClean } from './support/axe.mjs'
import { launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { ROOT, Server } from './support/server.mjs'
import { search, tiles, viewer } from './support/steps.mjs'

const PICTURES = join(ROOT, 'target/dates')

let browser
let server
let ada
let wrong

before(async () => {
  mkdirSync(PICTURES, { recursive: true })
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  // The clock of the camera is twelve years ahead.
  wrong = await ada.library([
    { path: photo('first.jpg', { seed: 91, takenAt: '2038-01-01T10:00:00' }), title: 'harbour first' },
    { path: photo('second.jpg', { seed: 92, takenAt: '2038-01-02T11:30:00' }), title: 'harbour second' },
  ])
  await ada.library([{ path: photo('right.jpg', { seed: 93, takenAt: '2025-05-04T10:20:30' }), title: 'harbour right' }])
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const RIGHT = 'Sun, 4 May 2025'
const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block', signedInAs: ADA }
const takenOf = async ({ id }) => (await ada.get(`/images/${id}`)).taken?.at
const days = (page) => page.locator('h2 button').allInnerTexts()
const picture = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.png`) })
const dialogOf = (page) => page.getByRole('dialog', { name: 'When it was taken' })

async function selectDay(page, day) {
  await page.locator('h2 button').getByText(day, { exact: true }).click()
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
}

async function changeDate(page) {
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change the date…' }).click()
  await dialogOf(page).getByText('First photo, now').waitFor()
}

scene('a camera with a wrong clock leads no timeline, is shifted for many, and the shift is undone', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await until(async () => (await days(page)).join('|') === `Today|${RIGHT}`, 'no photo to be of 2038')

  await selectDay(page, 'Today')
  await changeDate(page)
  const dialog = dialogOf(page)
  await dialog.getByText(/January 2038/).first().waitFor()
  const really = dialog.getByLabel('The first photo was really taken at')
  const before = await really.inputValue()
  assert.match(before, /^2038-01-0[12]T/)
  // Twelve years less, to the day.
  await really.fill(before.replace('2038', '2026'))
  assert.equal(await dialog.getByLabel('Days').inputValue(), '-4383')
  await dialog.locator('.then').getByText(/[12] January 2026/).waitFor()
  await assertClean(page, 'changing dates')
  await picture(page, 'shift-desk')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()

  await page.getByText('2 photos have other dates.').waitFor()
  assert.deepEqual(await Promise.all(wrong.map(takenOf)), ['2026-01-01T10:00:00.000', '2026-01-02T11:30:00.000'])
  await until(async () => (await days(page)).length === 3 && !(await days(page)).includes('Today'), 'the photos to stand on their days')

  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await days(page)).join('|') === `Today|${RIGHT}`, 'the photos to be back')
  assert.deepEqual(await Promise.all(wrong.map(takenOf)), [undefined, undefined])
})

scene('in its details a photo says whose date it is, and the owner sets another one by keyboard', inGallery, async ({ page, server }) => {
  const [first] = wrong
  await page.goto(`${server.url}/photos?photo=${first.id}`)
  await viewer(page).locator('img').first().waitFor()
  await page.getByRole('button', { name: 'Details', exact: true }).click()
  await viewer(page).getByText(/which cannot be: its clock was wrong/).waitFor()
  await picture(page, 'details-desk')

  await viewer(page).getByRole('button', { name: 'Change the date' }).press('Enter')
  const dialog = dialogOf(page)
  await dialog.getByLabel('Date and time there').fill('2024-07-08T09:10:11')
  await dialog.getByLabel('Time zone').last().selectOption({ label: 'UTC+09:00' })
  await dialog.locator('.then').getByText(/8 July 2024 at 09:10:11 \(UTC\+09:00\)/).waitFor()
  await dialog.getByLabel('Date and time there').press('Enter')
  await viewer(page).getByText('As its owner said').waitFor()
  assert.equal(await takenOf(first), '2024-07-08T09:10:11.000+09:00')

  // And back to what the file says.
  await viewer(page).getByRole('button', { name: 'Change the date' }).click()
  await dialog.getByText('As in the file').click()
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await viewer(page).getByText('Not known when it was taken').waitFor()
})

scene('results stand by date taken under its days, or by upload under theirs', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await search(page, 'harbour')
  await until(async () => (await days(page)).join('|') === `Today|${RIGHT}`, 'results by date taken')
  await page.getByRole('button', { name: 'Size of the photos' }).click()
  await page.getByRole('menuitemradio', { name: 'By upload' }).click()
  await until(async () => (await days(page)).join('|') === 'Today' && (await tiles(page).count()) === 3, 'results by upload')
  await page.getByRole('button', { name: 'Size of the photos' }).click()
  await page.getByRole('menuitemradio', { name: 'By date taken' }).click()
  await until(async () => (await days(page)).join('|') === `Today|${RIGHT}`, 'results by date taken')
})

scene('on a phone the dialog fits', { ...inGallery, size: PHONE, colorScheme: 'dark' }, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await selectDay(page, 'Today')
  await changeDate(page)
  await dialogOf(page).getByText('Time zone', { exact: true }).click()
  await dialogOf(page).getByLabel('The clock showed the time of').waitFor()
  await picture(page, 'zone-phone')
  const wide = await page.evaluate(() => document.querySelector('dialog[open] .body').scrollWidth - document.querySelector('dialog[open] .body').clientWidth)
  assert.ok(wide <= 0, 'nothing is cut off')
})
