// axe finds nothing to complain about, on any page, light and dark, on a desk and on a phone.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { openPhoto, tiles, viewer } from './support/steps.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let browser
let server
let album
let link

before(async () => {
  browser = await launch()
  server = await Server.start()
  const ada = await Client.setUp(server)
  const moods = ['alpine', 'evening', 'coast', 'night']
  const images = await ada.library(
    moods.map((mood, index) => ({ path: photo(`${mood}.jpg`, { seed: index + 41, mood }), title: mood, tags: 'trip,light' })),
  )
  album = await ada.post('/albums', { title: 'A long weekend', description: 'By the sea' })
  await ada.post(`/albums/${album.id}/images`, { add: images.map(({ id }) => id) })
  await ada.post('/albums', { title: 'Nested', parent: album.id })
  link = await ada.post('/links', { album: album.id })
  await ada.put(`/images/${images[0].id}/favourite`)
  await ada.patch(`/images/${images[1].id}`, { visibility: 'shared', version: (await ada.get(`/images/${images[1].id}`)).version })
  const thrownAway = await ada.upload(photo('gone.jpg', { seed: 49 }))
  await ada.delete(`/images/${thrownAway.id}`)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const pages = () => [
  '/photos',
  '/feed',
  '/favourites',
  '/trash',
  '/albums',
  `/albums/${album.id}`,
  '/people',
  '/tags',
  '/tags/trip',
  '/tagging',
  '/search',
  '/search?q=tag%3Atrip',
  '/profile',
  '/profile/security',
  '/profile/keys',
  '/profile/look',
  '/profile/account',
  '/admin',
  '/admin/users',
  '/admin/invitations',
  '/admin/work',
  '/nowhere/at/all',
]
const plainPages = () => ['/signin', '/signup', '/setup', new URL(link.url, server.url).pathname]

for (const colorScheme of ['light', 'dark']) {
  const inGallery = { browser: () => browser, server: () => server, colorScheme }

  scene(`every page in ${colorScheme}`, { ...inGallery, signedInAs: ADA }, async ({ page }) => {
    await axe(page, pages())
  })

  scene(`the pages for visitors in ${colorScheme}`, inGallery, async ({ page }) => {
    await axe(page, plainPages())
  })

  scene(`the main pages on a phone in ${colorScheme}`, { ...inGallery, size: PHONE, signedInAs: ADA }, async ({ page }) => {
    await axe(page, ['/photos', '/albums', `/albums/${album.id}`, '/search?q=tag%3Atrip', '/profile', '/admin/users'])
  })

  scene(`what opens above the pages in ${colorScheme}`, { ...inGallery, size: DESKTOP, signedInAs: ADA }, async ({ page, server }) => {
    await page.goto(`${server.url}/photos`)
    await openPhoto(page, 0)
    await assertClean(page, 'the viewer')
    await page.getByRole('button', { name: 'Details', exact: true }).click()
    await page.getByLabel('Add a tag', { exact: true }).waitFor()
    await assertClean(page, 'the viewer with details')
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.getByRole('dialog', { name: 'Upload photos' }).waitFor()
    await assertClean(page, 'the dialog to upload')
    await page
      .locator('input[data-upload=photos]')
      .setInputFiles([photo('alpine.jpg', { seed: 41 }), photo('new.jpg', { seed: colorScheme === 'dark' ? 57 : 58 })])
    await page.getByRole('heading', { name: '1 photo uploaded' }).waitFor()
    await assertClean(page, 'the panel of uploads')
    await page.getByRole('button', { name: 'Close uploads' }).click()
    await tiles(page).first().focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').waitFor()
    await assertClean(page, 'selected photos')
    await page.getByRole('button', { name: `Account of ${ADA.name}` }).click()
    await assertClean(page, 'the menu of the account')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertClean(page, 'the list of shortcuts')
  })
}

async function axe(page, paths) {
  const found = []
  for (const path of paths) {
    await page.goto(server.url + path)
    await settled(page)
    found.push(...(await violations(page, path)))
  }
  assert.deepEqual(found, [])
}

async function assertClean(page, where) {
  assert.deepEqual(await violations(page, where), [])
}

/** Waits for the heading of the page and for what it loads, so that not the wait is looked at. */
async function settled(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page
    .locator('[role=status], .spinner')
    .getByText('Loading…')
    .waitFor({ state: 'detached' })
    .catch(() => {})
  await page.waitForLoadState('load')
}

/** Each violation in a line that says where and what to do. */
async function violations(page, where) {
  // Through the debugger, which no content security policy keeps out.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    (rules) => globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] }),
    RULES,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id}: ${help}: ${target.join(' ')} ${failureSummary}`),
  )
}
