// Pages of another site, in a real browser: what they may show and read of ours.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { launch } from './support/browser.mjs'
import { Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { freePort, Server } from './support/server.mjs'

let browser
let other
let closed
let open
let image
let ada

before(async () => {
  browser = await launch()
  // Another site is another host: a port alone would be another origin of the same site.
  const port = await freePort()
  other = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Another site</title>'))
  await new Promise((done) => other.listen(port, '127.0.0.1', done))
  other.url = `http://localhost:${port}`
  closed = await Server.start()
  open = await Server.start({ CORS_ORIGINS: other.url, RATE_LIMITS_ENABLED: 'true' })
  closed.image = await onePhoto(closed)
  image = await onePhoto(open)
})
after(async () => {
  await browser?.close()
  other?.close()
  await closed?.close()
  await open?.close()
})

async function onePhoto(server) {
  ada = await Client.setUp(server)
  const [{ id }] = await ada.library([{ path: photo('elsewhere.jpg', { seed: 31, width: 320, height: 200 }) }])
  return ada.get(`/images/${id}`)
}

async function onOtherSite(act) {
  const page = await browser.newPage()
  try {
    await page.goto(other.url)
    return await act(page)
  } finally {
    await page.close()
  }
}

/** The width of a picture on the page, or nothing if it is not shown. */
const shown = (page, src) =>
  page.evaluate((address) => new Promise((done) => {
    const picture = document.createElement('img')
    picture.onload = () => done(picture.naturalWidth)
    picture.onerror = () => done(0)
    picture.src = address
    document.body.append(picture)
  }), src)

const whole = (server, path) => new URL(path, server.url).href

for (const [name, server, picture] of [
  ['no other site may use the API', () => closed, () => closed.image],
  ['this one may', () => open, () => image],
]) {
  test(`a plain <img> of another site shows a signed picture, where ${name}`, () =>
    onOtherSite(async (page) => {
      const { sizes, originalUrl } = picture()
      for (const url of [sizes.thumb.url, sizes.large.url, originalUrl]) {
        assert.ok((await shown(page, whole(server(), url))) > 0, url)
      }
    }))
}

test('what is not signed is shown by nobody else', () =>
  onOtherSite(async (page) => {
    assert.equal(await shown(page, `${closed.url}/favicon.svg`), 0)
    assert.ok((await shown(page, `${open.url}/favicon.svg`)) > 0)
    assert.equal(await shown(page, whole(open, image.sizes.thumb.url.replace(/s=[^&]+/, 's=AAAA'))), 0)
  }))

test('a page of a site that may uploads and reads what the headers say', () =>
  onOtherSite(async (page) => {
    const { key, token } = { key: 'other-site', token: ada.token }
    const told = await page.evaluate(async ({ url, key: idempotencyKey, token: bearer }) => {
      const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const file = await (await fetch(pixel)).blob()
      const send = () => {
        const form = new FormData()
        form.append('file', file, 'pixel.png')
        form.append('title', 'From elsewhere')
        return fetch(`${url}/api/v1/images`, { method: 'POST', body: form, headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': idempotencyKey } })
      }
      const first = await send()
      const again = await send()
      const names = ['location', 'etag', 'upload-outcome', 'idempotency-replayed', 'x-request-id']
      const headersOf = (answer) => Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))
      const created = await fetch(`${url}/api/v1/uploads`, {
        method: 'POST',
        body: file,
        headers: { authorization: `Bearer ${bearer}`, 'tus-resumable': '1.0.0', 'upload-length': String(file.size), 'content-type': 'application/offset+octet-stream' },
      })
      const me = await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${bearer}` } })
      const rate = ['limit', 'remaining', 'reset'].map((name) => me.headers.get(`ratelimit-${name}`))
      // A link that is none: what counts is that the browser lets the header through.
      const link = await fetch(`${url}/api/v1/shared/nothing`, { headers: { 'x-link-unlocked': 'x' } })
      return { statuses: [first.status, again.status, created.status, link.status], first: headersOf(first), again: headersOf(again), image: created.headers.get('upload-image'), offset: created.headers.get('upload-offset'), size: file.size, rate }
    }, { url: open.url, key, token })
    assert.deepEqual(told.statuses, [201, 200, 201, 404])
    assert.ok(told.rate.every((number) => Number(number) > 0), String(told.rate))
    assert.equal(told.first['upload-outcome'], 'created')
    assert.deepEqual([told.again['upload-outcome'], told.again['idempotency-replayed']], ['repeated', 'true'])
    for (const [name, value] of Object.entries(told.again)) assert.ok(value, `${name} cannot be read`)
    assert.equal(`/api/v1/images/${told.image}`, told.first.location)
    assert.equal(told.offset, String(told.size))
  }))
