// axe finds nothing to complain about, on any page, light and dark, on a desk and on a phone.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { assertClean, settled, violations } from './support/axe.mjs'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { openPhoto, tiles, viewer } from './support/steps.mjs'

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
