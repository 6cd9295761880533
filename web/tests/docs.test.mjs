// The page that describes the API, which is also to try: every method, by session and by key.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client } from './support/client.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'

let browser
let server
let ada

before(async () => {
  browser = await launch()
  server = await Server.start()
  ada = await Client.setUp(server)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const there = { browser: () => browser, server: () => server, serviceWorkers: 'block' }

/** Fields of JSON are called as some texts are. */
function mayShowKeys(watch) {
  watch.wrong = watch.wrong.filter((line) => !line.startsWith('RAW KEY'))
}

/** Opens a route and its form. */
async function route(page, method, path) {
  const named = (text) => page.getByText(text, { exact: true })
  const summary = page.locator('summary').filter({ has: named(method) }).filter({ has: named(path) })
  await summary.click()
  const shown = page.locator('details[data-words]').filter({ has: summary })
  await shown.locator('form.try').waitFor()
  return shown
}

/** Sends what the form says, and returns the status and the body, if there is to be one. */
async function send(shown, hasBody = true) {
  await shown.locator('.answer').evaluate((answer) => answer.replaceChildren())
  await shown.getByRole('button', { name: 'Send' }).click()
  const status = await shown.locator('.status').first().textContent()
  const text = hasBody ? await shown.locator('.answer > pre').textContent() : ''
  return { status: Number(status.split(' ')[0]), json: () => JSON.parse(text) }
}

scene('every method is tried by the session of the browser', { ...there, signedInAs: ADA }, async ({ page, server, watch }) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${server.url}/api/docs`)
  const me = await send(await route(page, 'GET', '/api/v1/me'))
  assert.equal(me.json().email, ADA.email)

  const create = await route(page, 'POST', '/api/v1/albums')
  await create.getByLabel('Body (application/json)').fill('{ "title": "Tried" }')
  const made = await send(create)
  assert.equal(made.status, 201)
  const { id } = made.json()

  const edit = await route(page, 'PATCH', '/api/v1/albums/{id}')
  await edit.getByLabel('id (path)').fill(id)
  await edit.getByLabel('Body (application/json)').fill('{ "title": "Tried again" }')
  assert.equal((await send(edit)).json().title, 'Tried again')

  const upload = await route(page, 'POST', '/api/v1/images')
  await upload.getByLabel('file', { exact: true }).setInputFiles(photo('tried.jpg', { seed: 77, width: 320, height: 200 }))
  await upload.getByLabel('title', { exact: true }).fill('From the documents')
  const image = (await send(upload)).json()
  assert.equal(image.title, 'From the documents')

  const favourite = await route(page, 'PUT', '/api/v1/images/{id}/favourite')
  await favourite.getByLabel('id (path)').fill(image.id)
  assert.equal((await send(favourite, false)).status, 204)

  const offers = await route(page, 'OPTIONS', '/api/v1/uploads')
  assert.equal((await send(offers, false)).status, 204)
  const head = await route(page, 'HEAD', '/api/v1/uploads/{id}')
  await head.getByLabel('id (path)').fill(image.id)
  await head.getByLabel('Tus-Resumable (header)').selectOption('1.0.0')
  assert.equal((await send(head, false)).status, 200)

  const remove = await route(page, 'DELETE', '/api/v1/albums/{id}')
  await remove.getByLabel('id (path)').fill(id)
  assert.equal((await send(remove, false)).status, 204)
  await ada.completed(image.id)
  const picture = await route(page, 'GET', '/i/{image}/{name}')
  await picture.getByLabel('image (path)').fill(image.id)
  await picture.getByLabel('name (path)').fill('w640-h480-cover')
  await picture.getByRole('button', { name: 'Send' }).click()
  await picture.locator('.answer img').waitFor()
  assert.ok(await picture.locator('.answer img').evaluate((shown) => shown.decode().then(() => shown.naturalWidth > 0)))
  mayShowKeys(watch)
})

scene('a route is tried by a key, on a phone, and an error is shown as it is', { ...there, size: PHONE }, async ({ page, server, watch }) => {
  const { token } = await ada.post('/me/keys', { name: 'to read', scopes: ['read'] })
  await page.goto(`${server.url}/api/docs`)
  const shown = await route(page, 'GET', '/api/v1/images')
  assert.equal((await send(shown)).status, 401)
  await page.getByLabel('API key').fill(token)
  await shown.getByLabel('limit (query)').fill('3')
  assert.ok(Array.isArray((await send(shown)).json().items))
  const create = await route(page, 'POST', '/api/v1/albums')
  await create.getByLabel('Body (application/json)').fill('{ "title": "Not mine to make" }')
  const refused = await send(create)
  assert.deepEqual([refused.status, refused.json().error.code], [403, 'scope_missing'])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  assert.ok(wide <= 0, `the page is ${wide} px too wide`)
  mayShowKeys(watch)
})
