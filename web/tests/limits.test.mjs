// What accounts may keep: asked when a gallery is set up, reached, and lifted; and API keys, which are made
// for a purpose. What was seen is in target/limits.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { assertClean, settled } from './support/axe.mjs'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { ROOT, Server } from './support/server.mjs'
import * as on from './support/steps.mjs'

const BOB = { name: 'Bob', email: 'bob@example.org', password: 'correct horse battery' }
const SEEN = join(ROOT, 'target/limits')
let browser

before(async () => {
  browser = await launch()
  mkdirSync(SEEN, { recursive: true })
})
after(() => browser?.close())

for (const [device, size] of [
  ['desk', DESKTOP],
  ['phone', PHONE],
]) {
  let server

  before(async () => {
    server = await Server.start()
  })
  after(() => server?.close())

  async function look(page, what, colorScheme = 'light') {
    await page.emulateMedia({ colorScheme })
    await settled(page)
    await page.screenshot({ path: join(SEEN, `${device}-${what}${colorScheme === 'dark' ? '-dark' : ''}.png`) })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  scene(`whoever sets a gallery up decides what others may keep (${device})`, { browser: () => browser, server: () => server, size }, async ({ page }) => {
    await page.goto(server.setUpUrl)
    await page.getByRole('radio', { name: /Everything/ }).waitFor()
    assert.ok(await page.getByRole('radio', { name: /Everything/ }).isChecked())
    await page.getByRole('radio', { name: /A share of the disk/ }).check()
    await look(page, 'set-up')
    await look(page, 'set-up', 'dark')
    await assertClean(page, 'the set-up page')
    await page.getByRole('radio', { name: 'Something else' }).check()
    await page.getByLabel('Photos at most').fill('1')
    await on.makeAccount(page, ADA)
    await page.getByText('Your photos will be here').waitFor()
    const ada = await signedIn(server, ADA)
    const me = await ada.get('/me')
    assert.deepEqual([me.quota.imagesMax, me.quota.bytesMax], [null, null], 'whoever sets it up has no limit')
    const later = await ada.get('/quotas/default')
    assert.deepEqual([later.imagesMax, later.bytesMax, later.source], [1, null, 'administrator'])
  })

  scene(`a limit says who can lift it, and administrators do with one click (${device})`, { browser: () => browser, server: () => server, size, signedInAs: ADA }, async ({ page }) => {
    const ada = await signedIn(server, ADA)
    await ada.post('/users', BOB)
    const bob = await signedIn(server, BOB)
    await bob.upload(photo('first.jpg', { seed: 41 }))
    await assert.rejects(bob.upload(photo('second.jpg', { seed: 42 })), /Administration, Users/)

    await page.goto(`${server.url}/admin/users`)
    const row = page.getByRole('row').filter({ hasText: BOB.email })
    await row.getByText('1 photo').waitFor()
    await look(page, 'users')
    await look(page, 'users', 'dark')
    await assertClean(page, 'users and their limits')
    await row.getByRole('button', { name: 'Edit Bob' }).click()
    await page.getByRole('menuitem', { name: 'Remove the limits' }).click()
    await page.getByText('Bob has no limits now.').waitFor()
    await row.getByText('No limits').waitFor()
    await bob.upload(photo('second.jpg', { seed: 42 }))

    const section = page.getByRole('region', { name: 'New accounts may keep' })
    await section.getByText('1 photo · any size').waitFor()
    await section.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'New accounts may keep' })
    await look(page, 'new-accounts')
    await dialog.getByRole('radio', { name: /A share of the disk/ }).check()
    await dialog.getByRole('combobox').selectOption('20')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await section.getByText(/20 % of the disk/).waitFor()
    assert.equal((await ada.get('/quotas/default')).diskPercent, 20)
  })

  scene(`whose own limit is reached is led to where it is lifted (${device})`, { browser: () => browser, server: () => server, size, signedInAs: ADA }, async ({ page }) => {
    const ada = await signedIn(server, ADA)
    const { id } = await ada.get('/me')
    await ada.put(`/users/${id}/quota`, { imagesMax: 0 })
    await page.goto(server.url)
    await on.upload(page, [photo('third.jpg', { seed: 43 })])
    await on.uploads(page).getByText('Your limit is reached. As an administrator you can raise it.').waitFor()
    await look(page, 'full')
    await on.uploads(page).getByRole('link', { name: 'To the limits' }).click()
    await page.getByRole('region', { name: 'New accounts may keep' }).waitFor()
    await ada.put(`/users/${id}/quota`, { imagesMax: null })
  })

  scene(`a key is made for a purpose and shown with the command (${device})`, { browser: () => browser, server: () => server, size, signedInAs: ADA }, async ({ page }) => {
    await page.goto(`${server.url}/profile/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    const making = page.getByRole('dialog', { name: 'New key' })
    assert.ok(await making.getByRole('radio', { name: /Upload from another machine/ }).isChecked())
    await look(page, 'key')
    await making.locator('summary').click()
    const scopes = async () => (await making.getByRole('checkbox', { checked: true }).all()).length
    assert.equal(await scopes(), 2)
    await making.getByRole('radio', { name: /Only look/ }).check()
    assert.equal(await scopes(), 1)
    await making.getByRole('checkbox', { name: /Upload and change/ }).check()
    assert.ok(await making.getByRole('radio', { name: /Upload from another machine/ }).isChecked(), 'what was chosen by hand has a name')
    await look(page, 'key-details')
    await assertClean(page, 'the dialog of a new key')
    await making.getByRole('button', { name: 'Create' }).click()

    const made = page.getByRole('dialog', { name: 'Your new key' })
    const command = await made.locator('code.command').textContent()
    assert.match(command, new RegExp(`^FERROTYPE_SERVER=${server.url} FERROTYPE_KEY=ftk_\\S+ ferrotype upload ~/Pictures$`))
    await look(page, 'key-made')
    const key = new Client(server.url, /FERROTYPE_KEY=(\S+)/.exec(command)[1])
    assert.deepEqual((await key.get('/me')).scopes.toSorted(), ['read', 'write'])
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Upload from another machine').waitFor()
  })

  async function signedIn(server, { email, password }) {
    const { token } = await new Client(server.url).post('/session', { email, password, kind: 'bearer' })
    return new Client(server.url, token)
  }
}
