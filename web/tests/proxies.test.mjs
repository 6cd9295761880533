// The gallery below a path, behind each proxy with its documented settings.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { DESKTOP, launch, scene } from './support/browser.mjs'
import { ADA } from './support/client.mjs'
import { folderOfPhotos } from './support/photos.mjs'
import { Proxy, PROXIES } from './support/proxies.mjs'
import { freePort, Server } from './support/server.mjs'
import * as on from './support/steps.mjs'

let browser
before(async () => (browser = await launch()))
after(() => browser?.close())

/** A server below /photos and a proxy in front of it. */
function behind(name) {
  const it = {}
  before(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/photos`
    it.server = await Server.start({ PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' })
    it.proxy = await Proxy.start(name, port, it.server)
    it.server.url = url
  })
  after(async () => {
    await it.proxy?.close()
    await it.server?.close()
  })
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
