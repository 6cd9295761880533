// A library of a million photos. The server stands for everything but the timeline, whose answers
// are made up (support/madeUpLibrary.mjs): what is tested is the page.
//
// Such a library is taller than browsers can scroll, so the grid scrolls a shorter element and moves
// it under what is seen (src/timeline/rebase.ts). Nobody may notice.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { DESKTOP, launch, PHONE, scene } from './support/browser.mjs'
import { ADA, Client, until } from './support/client.mjs'
import { MadeUpLibrary } from './support/madeUpLibrary.mjs'
import { photo } from './support/photos.mjs'
import { Server } from './support/server.mjs'

const PHOTOS = 1_000_000
const NODES_MAX = 400
/** What the element may be tall, and what Chromium can scroll. */
const ELEMENT_MAX = 6_000_000
const CHROMIUM_MAX = 33_554_428

let browser
let server
let library

before(async () => {
  browser = await launch()
  server = await Server.start()
  const ada = await Client.setUp(server)
  const [{ id }] = await ada.library([{ path: photo('one.jpg', { seed: 71, mood: 'coast' }) }])
  const { sizes } = await ada.get(`/images/${id}`)
  library = new MadeUpLibrary(PHOTOS, sizes.small.url)
})
after(async () => {
  await browser?.close()
  await server?.close()
})

for (const [name, size] of [
  ['wide', { ...DESKTOP, reducedMotion: 'no-preference' }],
  ['wide without motion', DESKTOP],
  ['phone', PHONE],
]) {
  million(`${name}: scrolling through a million photos never jumps`, size, async ({ page }) => {
    const { scrollHeight } = await page.evaluate(paneNow)
    assert.ok(scrollHeight <= ELEMENT_MAX, `the element is ${scrollHeight} pixels tall`)
    const { slider } = await scrubber(page)
    assert.equal(await slider.getAttribute('aria-valuenow'), '0')

    // While it is scrolled, again and again, as far as the element reaches.
    const rebases = []
    for (let time = 0; time < 3; time += 1) {
      const seen = await page.evaluate(scrollOverAnEdge, 250)
      assertSteady(seen)
      rebases.push(seen.rebases)
    }
    assert.ok(rebases.every((count) => count >= 1), `the element was moved ${rebases} times`)

    // When it rests near an edge.
    const resting = await page.evaluate(restNearAnEdge)
    assertSteady(resting)
    assert.ok(resting.rebases >= 1, 'the element was moved when it rested')

    // And back up over the upper edge.
    const up = await page.evaluate(scrollOverAnEdge, -250)
    assertSteady(up)
    assert.ok(up.rebases >= 1, 'the element was moved on the way up')
    await assertRightPhotos(page)
  })

  million(`${name}: the first and the last of a million photos are reached by scrubber and keys`, size, async ({ page }) => {
    const { slider, x, top, bottom } = await scrubber(page)

    // With the pointer: to the end, into the middle and back.
    await drag(page, x, top + 5, bottom)
    await lastIsSeen(page)
    await page.mouse.click(x, (top + bottom) / 2)
    const middle = await photosInSight(page)
    assert.ok(middle[0] > PHOTOS * 0.4 && middle[0] < PHOTOS * 0.6, `the middle is photo ${middle[0]}`)
    await drag(page, x, bottom - 5, top)
    assert.ok((await photosInSight(page)).includes(0))

    // With the keys of the scrubber.
    await slider.focus()
    await page.keyboard.press('End')
    await lastIsSeen(page)
    assert.equal(await slider.getAttribute('aria-valuenow'), await slider.getAttribute('aria-valuemax'))
    await page.keyboard.press('Home')
    assert.ok((await photosInSight(page)).includes(0))

    // With the keys of the grid, from the first photo to the last, a row up and back to the first.
    await page.locator('a[data-index="0"]').focus()
    await page.keyboard.press('End')
    await lastIsSeen(page)
    assert.equal(await focusedPhoto(page), PHOTOS - 1)
    await page.keyboard.press('ArrowUp')
    assert.ok((await focusedPhoto(page)) < PHOTOS - 1)
    await page.keyboard.press('Home')
    await until(async () => (await focusedPhoto(page)) === 0, 'the focus at the first photo', 10_000)
    assert.ok((await photosInSight(page)).includes(0))
  })
}

/** A scene on the timeline of the made-up library; its document must stay small all the time. */
function million(name, size, act) {
  // A service worker would answer before the stand-in is asked.
  scene(name, { browser: () => browser, server: () => server, size, signedInAs: ADA, serviceWorkers: 'block' }, async (given) => {
    const { page, window } = given
    await library.standIn(window)
    await page.addInitScript(countNodes)
    await page.goto(`${given.server.url}/photos`)
    await page.getByText('1,000,000 photos').waitFor()
    await page.locator('a[data-index] img.shown').first().waitFor()
    await act(given)
    const most = await page.evaluate(() => globalThis.nodesMost)
    assert.ok(most > 20 && most <= NODES_MAX, `the grid had up to ${most} elements`)
    const { scrollHeight } = await page.evaluate(paneNow)
    assert.ok(scrollHeight < CHROMIUM_MAX)
  })
}

function assertSteady({ worst, frames, at }) {
  assert.ok(frames > 5, `${frames} frames were seen`)
  assert.ok(worst <= 1, `a photo jumped by ${worst} pixels (${at})`)
}

/** Where the bar of time is, and the slider that it is. */
async function scrubber(page) {
  const slider = page.getByRole('slider')
  const box = await slider.boundingBox()
  return { slider, x: box.x + box.width / 2, top: box.y, bottom: box.y + box.height }
}

async function drag(page, x, from, to) {
  await page.mouse.move(x, from)
  await page.mouse.down()
  await page.mouse.move(x, to, { steps: 4 })
  await page.mouse.up()
}

/** The numbers of the photos in sight, when their pictures are there; each is the one that belongs there. */
async function photosInSight(page) {
  await until(() => page.evaluate(picturesAreThere), 'pictures', 20_000)
  return assertRightPhotos(page)
}

async function assertRightPhotos(page) {
  await until(() => page.evaluate(picturesAreThere), 'pictures', 20_000)
  const found = await page.evaluate(inSight)
  assert.ok(found.length > 0, 'photos are in sight')
  for (const { index, label } of found) assert.equal(label, `photo ${index}`)
  return found.map(({ index }) => index)
}

async function lastIsSeen(page) {
  assert.ok((await photosInSight(page)).includes(PHOTOS - 1), 'the last photo is in sight')
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const heads = await page.locator('.grid h2').allTextContents()
  assert.equal(heads.at(-1)?.trim(), day.format(library.lastDay * 86_400_000))
}

const focusedPhoto = (page) => page.evaluate(() => Number(document.activeElement?.getAttribute('data-index') ?? -1))

// ---- what runs in the page ---------------------------------------------------------------------

/** Counts what is in the grid at every frame. */
function countNodes() {
  globalThis.nodesMost = 0
  const frame = () => {
    globalThis.nodesMost = Math.max(globalThis.nodesMost, document.querySelectorAll('.grid, .grid *').length)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

function paneNow() {
  const { scrollHeight, scrollTop } = document.querySelector('.grid .pane')
  return { scrollHeight, scrollTop }
}

function inSight() {
  const links = [...document.querySelectorAll('a[data-index]')]
  const seen = links.filter((link) => {
    const box = link.getBoundingClientRect()
    return box.bottom > 60 && box.top < innerHeight
  })
  return seen.map((link) => ({ index: Number(link.dataset.index), label: link.getAttribute('aria-label') }))
}

function picturesAreThere() {
  const links = [...document.querySelectorAll('a[data-index]')].filter((link) => {
    const box = link.getBoundingClientRect()
    return box.bottom > 60 && box.top < innerHeight
  })
  return links.length > 0 && links.every((link) => link.querySelector('img.shown'))
}

/**
 * Scrolls on at every frame until the element has been moved, and some frames more. Every photo must
 * be where it was, less what was scrolled.
 */
async function scrollOverAnEdge(step) {
  const pane = document.querySelector('.grid .pane')
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const middle = () => {
    const links = [...document.querySelectorAll('a[data-index]')]
    const away = (link) => Math.abs(link.getBoundingClientRect().top - innerHeight / 2)
    const link = links.reduce((best, one) => (away(one) < away(best) ? one : best))
    return { index: link.dataset.index, top: link.getBoundingClientRect().top }
  }
  const seen = { worst: 0, frames: 0, rebases: 0, at: '' }
  // A little before the edge at which it is moved at once; from there on without a rest. On a machine
  // that is too busy for that it is moved as if it rested.
  const start = step > 0 ? pane.scrollHeight - pane.clientHeight - 53_000 : 53_000
  pane.scrollTop = start
  await frame()
  await frame()
  if (Math.abs(pane.scrollTop - start) > 1_000) seen.rebases += 1
  for (let more = 20; more > 0 && seen.frames < 400; seen.frames += 1) {
    const before = middle()
    const wanted = pane.scrollTop + step
    pane.scrollTop = wanted
    await frame()
    await frame()
    const after = document.querySelector(`a[data-index="${before.index}"]`)?.getBoundingClientRect().top
    const off = Math.abs((after ?? Infinity) - (before.top - step))
    if (off > seen.worst) Object.assign(seen, { worst: off, at: `photo ${before.index} from ${before.top} to ${after}` })
    if (Math.abs(pane.scrollTop - wanted) > 1_000) seen.rebases += 1
    if (seen.rebases > 0) more -= 1
  }
  return seen
}

/** Goes near an edge and waits: when nothing is scrolled any more the element is moved, and nothing is seen of it. */
async function restNearAnEdge() {
  const pane = document.querySelector('.grid .pane')
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const seen = { worst: 0, frames: 0, rebases: 0, at: '' }
  const wanted = pane.scrollHeight - pane.clientHeight - 700_000
  pane.scrollTop = wanted
  await frame()
  await frame()
  const away = (link) => Math.abs(link.getBoundingClientRect().top - innerHeight / 2)
  const { index } = [...document.querySelectorAll('a[data-index]')].reduce((best, one) => (away(one) < away(best) ? one : best)).dataset
  const top = () => document.querySelector(`a[data-index="${index}"]`)?.getBoundingClientRect().top ?? Infinity
  const before = top()
  const started = performance.now()
  for (; performance.now() - started < 1_500; seen.frames += 1) {
    await frame()
    const off = Math.abs(top() - before)
    if (off > seen.worst) Object.assign(seen, { worst: off, at: `photo ${index} at frame ${seen.frames}` })
  }
  if (Math.abs(pane.scrollTop - wanted) > 1_000) seen.rebases += 1
  return seen
}
