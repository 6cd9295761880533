// Passkeys, with the authenticator that Chromium has for tests: it makes real keys and real signatures.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { assertClean, settled } from './support/axe.mjs'
import { launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { Server } from './support/server.mjs'
import { signOut } from './support/steps.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = await Server.startNamed()
  await Client.setUp(server)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

/** A device with a screen lock that keeps passkeys, and somebody at it. */
class Device {
  static async plugInto(page) {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
    return Object.assign(new Device(), { session, authenticatorId })
  }

  /** Whether whoever is there is the one that the device knows. */
  knowsThem(isUserVerified) {
    return this.session.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified })
  }

  async keys() {
    return (await this.session.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId })).credentials
  }
}

/**
 * Keeps passkeys out of the field for the address, from where this device would choose one by itself
 * as soon as somebody is there: before the button that is meant is clicked.
 */
const byButtonOnly = (page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => globalThis.offersPasskeys === true
  })
const alsoByAddress = (page) => page.addInitScript(() => (globalThis.offersPasskeys = true))

const passkeys = (page) => page.getByRole('region', { name: 'Passkeys' })
const withPasskey = (page) => page.getByRole('button', { name: 'Sign in with a passkey' })

async function signInByPassword(page) {
  await page.goto(`${server.url}/signin?next=%2Fprofile%2Fsecurity`)
  await withPasskey(page).waitFor()
  await page.getByLabel('E-mail address').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await passkeys(page).waitFor()
}

async function addPasskey(page, name) {
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  if (name) await dialog.getByLabel('What is it called?').fill(name)
  await dialog.getByRole('button', { name: 'Add' }).click()
  return dialog
}

const inGallery = { browser: () => browser, server: () => server }

scene('a passkey from its making to its end', inGallery, async ({ page }) => {
  await byButtonOnly(page)
  const device = await Device.plugInto(page)
  await signInByPassword(page)
  await passkeys(page).getByText('No passkeys yet.').waitFor()

  // Made, under the name that is offered.
  await (await addPasskey(page)).waitFor({ state: 'detached' })
  await passkeys(page).getByRole('button', { name: 'Rename the passkey: Chrome · Linux' }).waitFor()
  await passkeys(page).getByText('not used yet').waitFor()
  const [key] = await device.keys()
  assert.equal(key.rpId, 'localhost')
  assert.equal(key.isResidentCredential, true)

  // A second one on the same device has no use.
  const dialog = await addPasskey(page, 'Again')
  await dialog.getByText('This device has a passkey for your account already.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await device.keys()).length, 1)

  // Out, and in again by it.
  await signOut(page, ADA.name)
  await withPasskey(page).click()
  await page.getByRole('button', { name: `Account of ${ADA.name}` }).waitFor()
  await page.goto(`${server.url}/profile/security`)
  await passkeys(page).getByText(/last used /).waitFor()

  // Renamed where it stands, by keyboard.
  await passkeys(page).getByRole('button', { name: /^Rename the passkey/ }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Blue laptop')
  await page.keyboard.press('Enter')
  await passkeys(page).getByRole('button', { name: 'Rename the passkey: Blue laptop' }).waitFor()
  await page.reload()
  await passkeys(page).getByText('Blue laptop').waitFor()

  // Removed; the device still has it, and the server does not take it.
  await passkeys(page).getByRole('button', { name: 'Remove the passkey: Blue laptop' }).click()
  await page.getByRole('dialog', { name: 'Remove “Blue laptop”?' }).getByRole('button', { name: 'Remove' }).click()
  await passkeys(page).getByText('No passkeys yet.').waitFor()
  await signOut(page, ADA.name)
  assert.equal((await device.keys()).length, 1)
  await withPasskey(page).click()
  await page.getByRole('alert').getByText('This passkey was not accepted').waitFor()
  assert.equal(new URL(page.url()).pathname, '/signin')
})

scene('a passkey that is offered with the address, and one that is not given', inGallery, async ({ page }) => {
  await byButtonOnly(page)
  const device = await Device.plugInto(page)
  await signInByPassword(page)
  await (await addPasskey(page, 'Offered')).waitFor({ state: 'detached' })
  await signOut(page, ADA.name)

  // Somebody else holds the device: that is said without alarm, and the password works as ever.
  await device.knowsThem(false)
  await withPasskey(page).click()
  await page.getByRole('status').getByText('No passkey was used.').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await device.knowsThem(true)
  await page.getByLabel('E-mail address').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: `Account of ${ADA.name}` }).waitFor()
  await signOut(page, ADA.name)

  // The address field offers it; here it is chosen as soon as it is offered.
  assert.equal(await page.getByLabel('E-mail address').getAttribute('autocomplete'), 'username webauthn')
  await alsoByAddress(page)
  await page.goto(`${server.url}/signin?next=%2Fprofile%2Fsecurity`)
  await passkeys(page).getByText('Offered').waitFor()
  await passkeys(page).getByRole('button', { name: 'Remove the passkey: Offered' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await passkeys(page).getByText('No passkeys yet.').waitFor()
})

scene('a browser without passkeys says so', inGallery, async ({ page }) => {
  await page.addInitScript(() => delete globalThis.PublicKeyCredential)
  await page.goto(`${server.url}/signin`)
  await page.getByText('This browser does not know passkeys.').waitFor()
  assert.equal(await withPasskey(page).count(), 0)
})

for (const colorScheme of ['light', 'dark']) {
  scene(`passkeys are accessible in ${colorScheme}`, { ...inGallery, colorScheme, size: PHONE }, async ({ page }) => {
    const device = await Device.plugInto(page)
    await page.goto(`${server.url}/signin`)
    await withPasskey(page).waitFor()
    await assertClean(page, 'signing in')
    await signInByPassword(page)
    await settled(page)
    await (await addPasskey(page, `Phone, ${colorScheme}`)).waitFor({ state: 'detached' })
    await assertClean(page, 'the list of passkeys')
    const dialog = await addPasskey(page, 'Once more')
    await dialog.getByText('This device has a passkey').waitFor()
    await assertClean(page, 'the dialog to add one')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await passkeys(page).getByRole('button', { name: /^Rename the passkey/ }).first().click()
    await assertClean(page, 'renaming one')
    await page.keyboard.press('Escape')
    await passkeys(page).getByRole('button', { name: /^Remove the passkey/ }).first().click()
    await assertClean(page, 'the question before removing one')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await passkeys(page).getByText('No passkeys yet.').waitFor()
    assert.equal((await device.keys()).length, 1)
  })
}
