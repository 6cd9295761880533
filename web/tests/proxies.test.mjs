// The gallery below a path, behind each proxy with its documented settings.

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before } from 'node:test'
import { DESKTOP, launch, scene } from './support/browser.mjs'
import { ADA, until } from './support/client.mjs'
import { watchWords } from './support/keys.mjs'
import { folderOfPhotos, largeFile, photo } from './support/photos.mjs'
import { documented, Proxy, PROXIES } from './support/proxies.mjs'
import { freePort, Server } from './support/server.mjs'
import * as on from './support/steps.mjs'

let browser
before(async () => (browser = await launch()))
after(() => browser?.close())

/** A server below /photos and a proxy in front of it, with the documented settings changed by `change`. */
function behind(name, change = (settings) => settings) {
  const it = {}
  before(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/photos`
    it.server = await Server.start({ PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' })
    it.proxy = await Proxy.start(name, port, it.server, change(documented(name, PROXIES[name].first)))
    it.direct = { url: it.server.url }
    it.server.url = url
  })
  after(async () => {
    await it.proxy?.close()
    await it.server?.close()
  })
  /** Starts the proxy anew, with the settings as they are documented. */
  it.mend = async () => {
    await it.proxy.close()
    it.proxy = await Proxy.start(name, Number(new URL(it.server.url).port), it.direct)
  }
  return it
}

for (const name of Object.keys(PROXIES)) {
  const it = behind(name)

  scene(`a gallery below a path, behind ${name}`, { browser: () => browser, server: () => it.server, size: DESKTOP }, async ({ page, window, watch }) => {
    const { url } = it.server
    assert.ok(it.server.setUpUrl.startsWith(`${url}/setup?`), it.server.setUpUrl)
    await on.setUp(page, it.server.setUpUrl, ADA)
    await page.getByText('Your photos will be here').waitFor()
    const { folder } = folderOfPhotos('holiday', 6)
    await on.uploadFolder(page, folder)
    await on.uploadsEnd(page, '6 photos uploaded')
    await on.photosAre(page, 6)

    await on.openPhoto(page, 0)
    await on.tagPhoto(page, 'sea/side')
    await on.addToNewAlbum(page, 'Sunsets')
    await page.getByRole('heading', { name: 'Sunsets', level: 1 }).waitFor()
    // The address of a page leads to it again.
    await page.reload()
    await page.getByRole('heading', { name: 'Sunsets', level: 1 }).waitFor()
    await on.photosAre(page, 1)
    assert.match(page.url(), /\/photos\/albums\//)
    const link = await on.shareByLink(page, 'Sunsets')
    assert.ok(link.startsWith(`${url}/s/`), link)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByRole('link', { name: 'sea/side' }).click()
    await on.photosAre(page, 1)

    // What others change is told at once.
    await on.goTo(page, 'Photos')
    await on.photosAre(page, 6)
    const { items } = await (await window.request.get(`${url}/api/v1/images`)).json()
    const { id } = items.find((image) => image.tags.length === 0)
    const gone = await window.request.delete(`${url}/api/v1/images/${id}`, { headers: { origin: new URL(url).origin } })
    assert.equal(gone.status(), 204, await gone.text())
    await on.photosAre(page, 5)

    const shared = await window.newPage()
    await shared.goto(link)
    await shared.getByRole('heading', { name: 'Sunsets' }).waitFor()
    assert.ok(await shared.locator('a img').first().evaluate((image) => image.decode().then(() => image.naturalWidth > 0)))
    await shared.goto(`${url}/api/docs`)
    await shared.getByRole('heading', { name: 'images' }).first().waitFor()
    await shared.close()

    await on.signOut(page, ADA.name)
    assert.equal(new URL(page.url()).pathname, '/photos/signin')
    const outside = watch.lines.filter((line) => /^\d+: \w+ http/.test(line) && !line.includes('/photos/'))
    assert.deepEqual(outside, [])
  })
}

const BODY_SIZE = /^ *client_max_body_size .*\n/m
/** What nginx writes into the page by which it refuses a request. */
const OF_NGINX = '<html|<head|<h1|</|Request Entity Too Large|nginx/'

/** Behind nginx with a limit for bodies, or its own. */
function behindNginx(limit) {
  return behind('nginx', (settings) => {
    assert.match(settings, BODY_SIZE)
    return settings.replace(BODY_SIZE, limit)
  })
}

/** The requests for uploads that were refused for their size. */
const refusals = (watch) => watch.lines.filter((line) => line.startsWith('413: ')).map((line) => line.split(' ')[1])

{
  const it = behindNginx('')

  scene('photos arrive behind an nginx that takes 1 MB at once, as it does unless told otherwise', { browser: () => browser, server: () => it.server, size: DESKTOP }, async ({ page, window, watch }) => {
    await watchWords(window, OF_NGINX)
    const { url } = it.server
    await on.setUp(page, it.server.setUpUrl, ADA)
    await page.getByText('Your photos will be here').waitFor()
    const first = largeFile('four.bmp', 4)
    await on.upload(page, first)
    await on.uploadsEnd(page, '1 photo uploaded')
    // Whole, in one piece of 2 MB, and then in pieces of 1 MB.
    assert.deepEqual(refusals(watch), ['POST', 'PATCH'])

    // What was found out holds for the next, also after a reload.
    const more = [largeFile('three.bmp', 3), largeFile('twelve.bmp', 12), photo('small.jpg', { seed: 7 })]
    await on.upload(page, more.slice(0, 1))
    await on.uploadsEnd(page, '1 photo uploaded')
    await page.reload()
    await on.upload(page, more.slice(1))
    await on.uploadsEnd(page, '2 photos uploaded')
    assert.deepEqual(refusals(watch), ['POST', 'PATCH'])

    const { items } = await (await window.request.get(`${url}/api/v1/images`)).json()
    const sizes = Object.fromEntries(items.map(({ filename, sizeBytes }) => [filename, sizeBytes]))
    assert.deepEqual(sizes, Object.fromEntries([first, ...more].map((path) => [path.split('/').at(-1), statSync(path).size])))
    await on.photosAre(page, 4)
  })
}

{
  const it = behindNginx('client_max_body_size 100k;\n')

  scene('behind an nginx that takes not even the shortest piece, the gallery says what to allow', { browser: () => browser, server: () => it.server, size: DESKTOP }, async ({ page, window, watch }) => {
    await watchWords(window, OF_NGINX)
    await on.setUp(page, it.server.setUpUrl, ADA)
    await page.getByText('Your photos will be here').waitFor()
    await on.upload(page, largeFile('twelve.bmp', 12))
    const row = on.uploads(page).getByRole('listitem').filter({ hasText: 'twelve.bmp' })
    await row.getByText(/does not let through even 512 KB at once.*client_max_body_size.*docs\/operations\/proxy\.md/).waitFor()
    assert.deepEqual(refusals(watch), Array(5).fill('PATCH'))
    // Once it is allowed, one need not begin anew.
    await it.mend()
    await page.getByRole('button', { name: 'Try twelve.bmp again' }).click()
    await on.uploadsEnd(page, '1 photo uploaded')
    await until(async () => (await (await window.request.get(`${it.server.url}/api/v1/images`)).json()).items.length === 1, 'the photo')
  })
}
