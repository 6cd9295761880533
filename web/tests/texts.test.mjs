// Every page and every dialog, opened at once after the load over a slow network: nobody is ever shown
// the key of a text. What is looked at, and by whom, is in support/keys.mjs: every test does it.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { settled } from './support/axe.mjs'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { allKeys } from './support/keys.mjs'
import { slowDown } from './support/network.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { viewer } from './support/steps.mjs'

let browser
let server
let album
let link
let image

before(async () => {
  browser = await launch()
  server = await Server.start()
  const ada = await Client.setUp(server)
  const images = await ada.library(['alpine', 'evening', 'coast'].map((mood, index) => ({ path: photo(`${mood}.jpg`, { seed: index + 31, mood }), title: mood, tags: 'trip' })))
  image = images[0].id
  album = (await ada.post('/albums', { title: 'Lakes' })).id
  await ada.post(`/albums/${album}/images`, { add: images.map(({ id }) => id) })
  link = await ada.post('/links', { album })
  await ada.post('/me/keys', { name: 'a camera', scopes: ['write'] })
  await ada.post('/users', { name: 'Bob', email: 'bob@example.org', password: 'correct horse battery' })
  const gone = await ada.upload(photo('gone.jpg', { seed: 39 }))
  await ada.delete(`/images/${gone.id}`)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block', signedInAs: ADA }

const press = (name, exact = true) => (page) => page.locator('main, [role=toolbar]').getByRole('button', { name, exact }).first().click()
const key = (letter) => (page) => page.keyboard.press(letter)
const fromMenu = (menu, item) => async (page) => {
  await page.locator('main').getByRole('button', { name: menu, exact: true }).first().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const selected = (open) => async (page) => {
  // What is not known yet cannot be selected.
  await page.locator('a[data-index][href]').first().focus()
  if ((await page.getByRole('toolbar').count()) === 0) await page.keyboard.press('x')
  await open(page)
}

/** Pages, and what opens above each of them: the title of the dialog, and how one comes to it. */
const places = () => [
  ['/photos', ['Upload photos', key('u')]],
  ['/photos', ['Keyboard shortcuts', key('?')]],
  ['/photos', ['Add to an album', selected(press('Add to album'))], ['Tag photos', selected(press('Tag'))], [/^Share/, selected(press('Share by link'))]],
  ['/feed'],
  ['/favourites'],
  ['/trash', ['Empty the trash?', press('Empty the trash')], ['Delete for good?', selected(press('Delete for good'))]],
  ['/albums', ['New album', press('New album')]],
  [
    `/albums/${album}`,
    ['Add photos to “Lakes”', press('Add photos')],
    ['Share “Lakes”', press('Share')],
    ['Edit album', fromMenu('More', 'Edit album')],
    ['New album in this one', fromMenu('More', 'New album in this one')],
    ['Delete “Lakes”?', fromMenu('More', 'Delete album')],
  ],
  ['/people'],
  ['/tags'],
  ['/tags/trip', ['Rename “trip”', press('Rename')]],
  ['/tagging'],
  ['/search'],
  ['/search?q=tag%3Atrip'],
  ['/search?q=is%3Anothing'],
  ['/profile', ['Choose a picture', press('Choose a picture')]],
  ['/profile/security'],
  ['/profile/keys', ['New key', press('New key')], ['Delete “a camera”?', press('Delete key: a camera')]],
  ['/profile/look'],
  ['/profile/account', ['Delete your account?', press('Delete my account')]],
  ['/admin'],
  ['/admin/users', ['New user', press('New user')], ['Delete Bob?', fromMenu('Edit Bob', 'Delete user')], ['New password for Bob', fromMenu('Edit Bob', 'New password')], [/Bob/, fromMenu('Edit Bob', 'Edit')]],
  ['/admin/invitations', ['Invite somebody', press('Invite')]],
  ['/admin/work'],
  ['/nowhere/at/all'],
]

scene('no page and no dialog shows a key, however slow the network is', inGallery, async ({ page, server }) => {
  assert.ok(allKeys().includes('upload.title') && allKeys().includes('failedFor'), 'the keys are known')
  await slowDown(page)
  for (const [path, ...dialogs] of places()) {
    await page.goto(server.url + path, { waitUntil: 'commit' })
    // Not waited for until everything is there: at once.
    await page.locator('h1').first().waitFor({ state: 'attached' })
    for (const [name, open] of dialogs) {
      await open(page)
      const dialog = page.getByRole('dialog', { name, exact: true })
      await dialog.waitFor().catch(() => assert.fail(`${path}: no dialog ${name}`))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  }
})

scene('no key in the viewer, its details and its dialogs', inGallery, async ({ page, server }) => {
  await slowDown(page)
  await page.goto(`${server.url}/photos/${image}`, { waitUntil: 'commit' })
  await viewer(page).waitFor()
  await page.keyboard.press('i')
  await viewer(page).getByRole('heading', { name: 'Details' }).waitFor()
  await viewer(page).getByRole('button', { name: 'Share by link' }).click()
  await page.getByRole('dialog', { name: 'Share this photo' }).waitFor()
})

scene('no key on the pages for visitors, in another language', { ...inGallery, signedInAs: undefined }, async ({ page, server }) => {
  await page.addInitScript(() => localStorage.setItem('ferrotype.language', 'de'))
  await slowDown(page)
  for (const path of ['/signin', '/signup?invitation=nothing', '/setup', new URL(link.url, server.url).pathname]) {
    await page.goto(server.url + path)
    await settled(page)
  }
})
