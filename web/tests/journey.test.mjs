// What somebody does on their first day, on a desk and on a phone: from the link that the server
// prints to signing out.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { DESKTOP, launch, PHONE, scene, Watch } from './support/browser.mjs'
import { ADA } from './support/client.mjs'
import { folderOfPhotos } from './support/photos.mjs'
import { Server } from './support/server.mjs'
import * as on from './support/steps.mjs'

for (const [device, size] of [
  ['a desk', DESKTOP],
  ['a phone', PHONE],
]) {
  let browser
  let server

  before(async () => {
    browser = await launch()
    server = await Server.start()
  })
  after(async () => {
    await browser?.close()
    await server?.close()
  })

  scene(`the first day on ${device}`, { browser: () => browser, server: () => server, size }, async ({ page }) => {
    await on.setUp(page, server.setUpUrl, ADA)
    await page.getByText('Your photos will be here').waitFor()

    const { folder } = folderOfPhotos('holiday', 6)
    await on.uploadFolder(page, folder)
    await on.uploadsEnd(page, '6 photos uploaded')
    await on.photosAre(page, 6)

    await on.openPhoto(page, 0)
    await on.tagPhoto(page, 'sunset')
    await on.closePhoto(page)
    await on.search(page, 'tag:sunset')
    await on.photosAre(page, 1)

    await on.openPhoto(page, 0)
    await on.addToNewAlbum(page, 'Sunsets')
    await page.getByRole('heading', { name: 'Sunsets', level: 1 }).waitFor()
    await on.photosAre(page, 1)
    const link = await on.shareByLink(page, 'Sunsets')

    await seenSignedOut(link)

    await on.goTo(page, 'Photos')
    await on.photosAre(page, 6)
    await on.openPhoto(page, 1)
    await page.getByRole('button', { name: 'Into the trash' }).click()
    await page.getByText('1 photo is in the trash.').waitFor()
    assert.equal(await on.tiles(page).count(), 5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await on.closePhoto(page)
    await on.photosAre(page, 6)

    await on.signOut(page, ADA.name)
    await page.goto(`${server.url}/photos`)
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  })

  /** Opens a link as somebody who has no account. */
  async function seenSignedOut(link) {
    const window = await browser.newContext({ locale: 'en-GB', ...size })
    const watch = new Watch(server.url)
    watch.follow(window)
    const page = await window.newPage()
    await page.goto(new URL(link, server.url).href)
    await page.getByRole('heading', { name: 'Sunsets' }).waitFor()
    const picture = page.locator('main img, a img').first()
    await picture.waitFor()
    assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)))
    watch.assertClean()
    await window.close()
  }
}
