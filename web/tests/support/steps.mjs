// What people do in the gallery, in the words that they see.

import { until } from './client.mjs'

/** The links of the photos that are on screen. */
export const tiles = (page) => page.locator('a[data-index]')
export const viewer = (page) => page.getByRole('dialog', { name: 'Photo', exact: true })
export const uploads = (page) => page.getByRole('region', { name: 'Uploads' })

export async function setUp(page, url, who) {
  await page.goto(url)
  await makeAccount(page, who)
}

/** Fills in the page by which the first account is made, and sends it. */
export async function makeAccount(page, { name, email, password }) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Make the account and begin' }).click()
}

export async function uploadFolder(page, folder) {
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('dialog', { name: 'Upload photos' }).waitFor()
  await page.locator('input[data-upload=folder]').setInputFiles(folder)
}

/** Chooses photos one by one. */
export async function upload(page, files) {
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('dialog', { name: 'Upload photos' }).waitFor()
  await page.locator('input[data-upload=photos]').setInputFiles(files)
}

/** Waits for the end of all uploads, and closes the panel. */
export async function uploadsEnd(page, headline) {
  await uploads(page).getByRole('heading', { name: headline }).waitFor({ timeout: 90_000 })
  await page.getByRole('button', { name: 'Close uploads' }).click()
}

/** Waits until so many photos are on screen, with their pictures. */
export async function photosAre(page, count) {
  const look = async () => (await tiles(page).count()) === count && (await page.locator('a[data-index] img.shown').count()) === count
  await until(look, `${count} photos with pictures`, 30_000)
}

export async function openPhoto(page, index) {
  await page.locator(`a[data-index="${index}"]`).click()
  await viewer(page).locator('img').first().waitFor()
}

export async function closePhoto(page) {
  await page.getByRole('button', { name: 'Back to the photos' }).click()
  await viewer(page).waitFor({ state: 'detached' })
}

export async function tagPhoto(page, tag) {
  const input = page.getByLabel('Add a tag', { exact: true })
  if ((await input.count()) === 0) await page.getByRole('button', { name: 'Details', exact: true }).click()
  await input.fill(tag)
  await input.press('Enter')
  await viewer(page).getByRole('link', { name: tag, exact: true }).waitFor()
  // On a phone the details cover the photo.
  const hide = page.getByRole('button', { name: 'Hide the details' })
  if (await hide.isVisible()) await hide.click()
}

export async function search(page, text) {
  const box = page.getByRole('combobox', { name: 'Search your photos' })
  await box.fill(text)
  await box.press('Enter')
  await page.waitForURL(/\/search\?q=/)
}

/** From an open photo into a new album, and there. */
export async function addToNewAlbum(page, title) {
  await viewer(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Add to album' }).click()
  await page.getByLabel('Find an album').fill(title)
  await page.getByRole('button', { name: `New album “${title}”` }).click()
  await page.getByText(`In “${title}” now: 1 photo.`).waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

/** On the page of an album: makes a link to it and answers with its address. */
export async function shareByLink(page, title) {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Share “${title}”` })
  await dialog.getByText('Links', { exact: true }).click()
  await dialog.getByRole('button', { name: 'New link' }).click()
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByRole('link', { name: 'Open link' }).getAttribute('href')
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Goes to one of the main places, by whichever bar this size shows. */
export async function goTo(page, place) {
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: place, exact: true }).click()
}

export async function signOut(page, name) {
  await page.getByRole('button', { name: `Account of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
}
