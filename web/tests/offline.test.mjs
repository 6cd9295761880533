// What was looked at is there without a connection.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { photosAre, viewer } from './support/steps.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = await Server.start()
  const ada = await Client.setUp(server)
  await ada.library(['alpine', 'evening', 'coast'].map((mood, index) => ({ path: photo(`offline-${mood}.jpg`, { seed: index + 71, mood }), title: mood })))
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const pictures = (page) => page.locator('a[data-index] img.shown').count()
/** How many answers the service worker keeps. */
const kept = (page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const counts = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
    return Object.fromEntries(names.map((name, index) => [name.replace(/-.*/, ''), counts[index]]))
  })

scene('the gallery opens without a connection and shows what was looked at', { browser: () => browser, server: () => server, signedInAs: ADA }, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await photosAre(page, 3)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  // The first visit is over before the worker is there; the second goes through it.
  await page.reload()
  await page.waitForFunction(() => document.querySelectorAll('a[data-index] img.shown').length === 3)
  await page.waitForFunction(async () => (await (await caches.open('pictures-1')).keys()).length >= 3)
  assert.ok((await kept(page)).app > 10)

  await page.context().setOffline(true)
  await page.reload()
  await photosAre(page, 3)
  await page.waitForFunction(() => document.querySelectorAll('a[data-index] img.shown').length === 3)
  await page.locator('a[data-index="1"]').click()
  await viewer(page).getByRole('heading', { name: 'evening' }).waitFor()
  await page.goBack()
  assert.equal(await pictures(page), 3)

  // Whoever signs out leaves nothing behind.
  await page.context().setOffline(false)
  await page.reload()
  await photosAre(page, 3)
  await page.getByRole('button', { name: `Account of ${ADA.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await page.waitForFunction(async () => {
    const names = await caches.keys()
    const data = names.filter((name) => !name.startsWith('app'))
    const counts = await Promise.all(data.map(async (name) => (await (await caches.open(name)).keys()).length))
    return counts.every((count) => count === 0)
  })
})
