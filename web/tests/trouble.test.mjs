// A server in trouble: an answer that is no answer does not sign anybody out, and nothing ends silently.

import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { png } from './support/files.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import { photosAre, tiles } from './support/steps.mjs'

const COUNT = 24

let browser
let server
let ada
let limited

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
  const folder = mkdtempSync(join(tmpdir(), 'ferrotype-trouble-'))
  const files = Array.from({ length: COUNT }, (_, index) => join(folder, `${index}.png`))
  for (const [index, path] of files.entries()) writeFileSync(path, png(64, 48, [index * 10, 90, 160]))
  await ada.library(files.map((path) => ({ path })))
  limited = await limitedServer(folder)
})
after(async () => {
  await browser?.close()
  await server?.close()
  await limited?.close()
})

/** A server with sixty photos, which then allows sixty requests a minute. */
async function limitedServer(folder) {
  const made = await Server.start()
  const owner = await Client.setUp(made)
  const files = Array.from({ length: 60 }, (_, index) => join(folder, `limited-${index}.png`))
  for (const [index, path] of files.entries()) writeFileSync(path, png(64, 48, [index * 4, 40, 90]))
  await owner.library(files.map((path) => ({ path })))
  await made.kill()
  made.settings = { RATE_LIMITS_ENABLED: 'true', RATE_LIMITS_USER: '60' }
  await made.restart()
  return made
}

const inGallery = { browser: () => browser, server: () => server, serviceWorkers: 'block', signedInAs: ADA }

const refusal = (status, code, headers = {}) => ({ status, headers, json: { error: { code, message: `it is ${code}` } } })

/** Lets so many requests through, and then none until the pause that it asks for is over. */
function limit(page, method, path, budget, seconds = 1) {
  let left = budget
  let until = 0
  const refused = { count: 0 }
  return page
    .route(path, async (route) => {
      if (route.request().method() !== method) return route.fallback()
      if (left === 0 && Date.now() >= until) left = budget
      if (left > 0) {
        left -= 1
        if (left === 0) until = Date.now() + seconds * 1000
        return route.fallback()
      }
      refused.count += 1
      return route.fulfill(refusal(429, 'rate_limited', { 'retry-after': String(seconds) }))
    })
    .then(() => refused)
}

/** All photos are there; the grid draws only those that are near. */
async function all(page, count = COUNT) {
  await page.getByText(`${count} photos`, { exact: true }).waitFor()
  await page.locator('a[data-index] img.shown').first().waitFor()
}

async function selectAll(page) {
  await tiles(page).first().focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar').getByText(`${COUNT} selected`).waitFor()
}

for (const [why, answer, words] of [
  ['limits its requests', refusal(429, 'rate_limited', { 'retry-after': '2' }), 'That was too much at once.'],
  ['is in trouble', refusal(503, 'unavailable'), 'The server cannot do this now.'],
  ['is behind a proxy that does not reach it', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, 'The server cannot do this now.'],
  ['cannot be reached', undefined, 'The server cannot be reached.'],
]) {
  scene(`a reload while the server ${why} is not a sign-out: it says so and goes on by itself`, inGallery, async ({ page, server }) => {
    let isWell = false
    await page.route('**/api/v1/me', (route) => (isWell ? route.fallback() : answer ? route.fulfill(answer) : route.abort()))
    await page.goto(`${server.url}/albums`)
    await page.getByRole('heading', { name: 'The server does not answer as it should' }).waitFor()
    await page.getByText(words).waitFor()
    assert.equal(new URL(page.url()).pathname, '/albums')
    isWell = true
    await page.getByRole('heading', { name: 'Albums', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/albums')
  })
}

scene('only the word of the server itself is a sign-out', inGallery, async ({ page, server, window }) => {
  await page.goto(`${server.url}/albums`)
  await page.getByRole('heading', { name: 'Albums', level: 1 }).waitFor()
  await window.clearCookies()
  await page.goto(`${server.url}/albums`)
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
})

scene('throwing many away at a rate limit waits as it is asked to, and does them all', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await all(page)
  const refused = await limit(page, 'DELETE', '**/api/v1/images/*', 10)
  await selectAll(page)
  await page.keyboard.press('Delete')
  await page.getByText('The server asks to slow down. It goes on by itself').first().waitFor()
  await page.getByText(`${COUNT} photos are in the trash.`).waitFor()
  assert.ok(refused.count > 0)
  const { items } = await ada.get('/trash?limit=100')
  assert.equal(items.length, COUNT)
  await page.getByRole('button', { name: 'Undo' }).click()
  await all(page)
})

scene('sixty photos are thrown away at the limit of the server itself, and a reload is no sign-out', { ...inGallery, server: () => limited }, async ({ page, server, watch }) => {
  await page.goto(`${server.url}/photos`)
  await all(page, 60)
  await tiles(page).first().focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar').getByText('60 selected').waitFor()
  await page.keyboard.press('Delete')
  await page.getByText('The server asks to slow down. It goes on by itself').first().waitFor()
  assert.ok(watch.lines.some((line) => line.startsWith('429: DELETE')), 'the server has refused some')
  await page.getByText('60 photos are in the trash.').waitFor({ timeout: 100_000 })
  await page.reload()
  // Refused or not, it is not the page to sign in.
  await page.getByText(/Your photos will be here|The server does not answer as it should/).first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/photos')
  assert.equal(await page.getByRole('heading', { name: 'Welcome back' }).count(), 0)
})

scene('what fails for some says for how many and why, and they are there again', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await all(page)
  let asked = 0
  await page.route('**/api/v1/images/*', (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    asked += 1
    return asked <= 3 ? route.fulfill(refusal(403, 'scope_missing')) : route.fallback()
  })
  await selectAll(page)
  await page.keyboard.press('Delete')
  await page.getByText('It did not work for 3 photos: it is scope_missing').waitFor()
  await page.getByText(`${COUNT - 3} photos are in the trash.`).waitFor()
  await photosAre(page, 3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await all(page)
})

scene('the panel of uploads says what is true of a server that limits, is in trouble or is away', inGallery, async ({ page, server }) => {
  await page.goto(`${server.url}/photos`)
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  let answer = refusal(429, 'rate_limited', { 'retry-after': '2' })
  // Whatever way files take to the server.
  await page.route(/\/api\/v1\/(uploads|images)(\/|\?|$)/, (route) => {
    if (route.request().method() === 'GET' || answer === undefined) return route.fallback()
    return answer === 'away' ? route.abort() : route.fulfill(answer)
  })
  await page.locator('input[data-upload=photos]').setInputFiles(photo('later.jpg', { seed: 760, width: 64, height: 48 }))
  const panel = page.getByRole('region', { name: 'Uploads' })
  await panel.getByText('The server asks to slow down.').waitFor()
  assert.equal(await panel.getByText('cannot be reached').count(), 0)
  answer = 'away'
  await panel.getByRole('button', { name: 'Try now' }).click()
  await panel.getByText('The server cannot be reached.').waitFor()
  answer = refusal(503, 'unavailable')
  await panel.getByRole('button', { name: 'Try now' }).click()
  await panel.getByText('The server is in trouble.').waitFor()
  answer = undefined
  await panel.getByRole('button', { name: 'Try now' }).click()
  await panel.getByRole('heading', { name: '1 photo uploaded' }).waitFor()
})
