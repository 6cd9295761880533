// People: somebody gets a name, two become one, and that is taken back. With the face models and the
// photos of faces that `scripts/setup test` gets. Without either this fails, since a test that looks
// away tells nothing.

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before } from 'node:test'
import { launch, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { ROOT, Server } from './support/server.mjs'

const TOOLS = resolve(ROOT, process.env.FERROTYPE_TOOLS ?? '.tools')
const FACES = join(TOOLS, 'test-faces')
let browser
let server

before(async () => {
  assert.ok(existsSync(FACES), `${FACES} is missing: run scripts/setup test`)
  browser = await launch()
  server = await Server.start({ PEOPLE_ENABLED: 'on', PEOPLE_MODELS: join(TOOLS, 'models') })
  const ada = await Client.setUp(server)
  const service = await ada.get('/service')
  assert.equal(service.people?.state, 'on', `people must be on: ${service.people?.message ?? 'this server does not know of them'}`)
  const photos = readdirSync(FACES).filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
  await ada.library(photos.map((name) => ({ path: join(FACES, name) })))
  await until(async () => (await ada.get('/persons')).items.length >= 2, 'two people to be found', 120_000)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

scene(
  'somebody gets a name, two become one, and are two again',
  { browser: () => browser, server: () => server, signedInAs: ADA },
  async ({ page, server }) => {
    await page.goto(`${server.url}/people`)
    const people = page.getByRole('main').getByRole('listitem')
    const cards = page.getByRole('main').getByRole('group')
    await cards.first().waitFor()
    const before = await people.count()

    await page.getByRole('button', { name: 'Add a name' }).first().click()
    await page.getByLabel('Name of this person').fill('Grace Hopper')
    await page.keyboard.press('Enter')
    await page.getByText('Now called Grace Hopper').waitFor()
    await page.getByRole('group', { name: 'Grace Hopper' }).waitFor()

    await page.getByRole('button', { name: 'Select Grace Hopper' }).click()
    await page.getByRole('button', { name: 'Select No name yet' }).first().click()
    await page.getByRole('button', { name: 'They are the same person' }).click()
    await page.getByText('Now one person: Grace Hopper').waitFor()
    await until(async () => (await people.count()) === before - 1, 'one person less')

    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until(async () => (await people.count()) === before, 'both people again')

    await page.getByRole('link', { name: /^Grace Hopper, / }).click()
    await page.locator('a[data-index] img.shown').first().waitFor()
  },
)

scene(
  'whom the gallery takes for one person becomes one by a yes, two again by undo, and stays two by a no',
  { browser: () => browser, server: () => server, signedInAs: ADA },
  async ({ page, server }) => {
    // Which photos look alike is the models' to say, so the pair is chosen here; all else is the server's.
    await page.route('**/api/v1/persons/suggestions', async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const { items } = await (await page.request.get(`${server.url}/api/v1/persons`)).json()
      await route.fulfill({ json: { items: items.length < 2 ? [] : [{ persons: items.slice(0, 2), confidence: 0.3 }] } })
    })
    await page.goto(`${server.url}/people`)
    const pair = page.getByRole('region', { name: 'The same person?' }).getByRole('listitem').first()
    await pair.locator('img').first().waitFor()
    const count = async () => (await (await page.request.get(`${server.url}/api/v1/persons`)).json()).items.length
    const before = await count()

    await pair.getByRole('button', { name: 'Yes' }).click()
    await page.getByText(/^Now one person: /).waitFor()
    assert.equal(await count(), before - 1)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until(async () => (await count()) === before, 'both people again')

    await pair.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByText('Kept apart.').waitFor()
    assert.equal(await count(), before)
  },
)
