// How the gallery begins: something is seen at once, and nothing waits for what it does not need.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { photosAre } from './support/steps.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = await Server.start()
  const ada = await Client.setUp(server)
  await ada.library([{ path: photo('start.jpg', { seed: 91 }), title: 'start' }])
})
after(async () => {
  await browser?.close()
  await server?.close()
})

// What the service worker keeps would not be asked for.
const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block' }

/** The paths that a page asks for from now on. */
function asked(page) {
  const paths = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname + new URL(request.url()).search))
  return paths
}

scene('what the photos need is asked for once, and while the app is still on its way', { ...inGallery, signedInAs: ADA }, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await photosAre(page, 1)

  const paths = asked(page)
  let arrive
  const arrived = new Promise((done) => (arrive = done))
  await page.route(/\/assets\/app-[^/]+\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.locator('.splash').getByText('Ferrotype').waitFor()
  for (const early of ['/api/v1/me', '/api/v1/service', '/api/v1/timeline?by=taken', /\/assets\/photos-/i, /\/assets\/texts-/]) {
    const is = (path) => (typeof early === 'string' ? path === early : early.test(path))
    await until(() => paths.some(is), `${early} to be asked for without the app`, 10_000)
  }
  arrive()
  await photosAre(page, 1)
  assert.equal(await page.locator('.splash').count(), 0)
  for (const path of ['/api/v1/me', '/api/v1/service', '/api/v1/timeline?by=taken']) {
    assert.equal(paths.filter((other) => other === path).length, 1, `${path} was asked for more than once`)
  }
})

scene('another language and another order are known as early', { ...inGallery, signedInAs: ADA }, async ({ page, server }) => {
  await page.addInitScript(() => {
    localStorage.setItem('ferrotype.language', 'de')
    localStorage.setItem('ferrotype.grid', JSON.stringify({ size: 'medium', by: 'uploaded' }))
  })
  await page.goto(`${server.url}/photos`)
  await page.getByRole('heading', { name: 'Fotos', level: 1 }).waitFor()
  const paths = asked(page)
  await page.reload()
  await photosAre(page, 1)
  assert.deepEqual(paths.filter((path) => path.startsWith('/api/v1/timeline?')), ['/api/v1/timeline?by=uploaded'])
  assert.equal(paths.filter((path) => path.includes('/assets/texts-')).length, 1)
})

scene('pages with all texts begin in the language that was chosen', inGallery, async ({ page, server }) => {
  await page.addInitScript(() => localStorage.setItem('ferrotype.language', 'de'))
  await page.goto(`${server.url}/signin`)
  await page.getByRole('heading', { name: 'Willkommen zurück' }).waitFor()
  await page.getByRole('button', { name: 'Passwort zeigen' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
})
