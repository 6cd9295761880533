// The browser's side of `cargo xtask bench web`: opens the timeline of a running server and measures
// what somebody would feel.
//
//   node web/bench/timeline.mjs --url http://127.0.0.1:8080 --email … --password … --json out.json
//        [--seconds 8] [--lighthouse] [--chromium /usr/bin/chromium]
//
// Prints what it found, and writes it as JSON.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { audit } from './lighthouse.mjs'
import { jump, scroll, watchFrames } from './scrolling.mjs'

const { values: given } = parseArgs({
  options: {
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    json: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    lighthouse: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})
if (!given.url || !given.email || !given.password) {
  console.error('usage: node timeline.mjs --url <url> --email <address> --password <password> [--json <file>] [--seconds 8] [--lighthouse]')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'ferrotype-bench-'))
const port = await freePort()
const window = await chromium.launchPersistentContext(folder, {
  executablePath: given.chromium,
  args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  serviceWorkers: 'block',
})
try {
  await signIn()
  const measured = await measure()
  measured.versions = { chromium: await version() }
  if (given.lighthouse) {
    measured.lighthouse = await audits()
    measured.versions.lighthouse = measured.lighthouse.signin.desk.version
  }
  console.log(JSON.stringify(measured, null, 2))
  if (given.json) writeFileSync(given.json, `${JSON.stringify(measured, null, 2)}\n`)
} finally {
  await window.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const page = await window.newPage()
  const session = await window.newCDPSession(page)
  await session.send('Performance.enable')
  await page.addInitScript(noteFirstPhoto)
  await page.addInitScript(watchFrames)
  await page.goto(`${given.url}/photos`)
  const opened = await page.waitForFunction(() => globalThis.firstPhoto, null, { timeout: 120_000 }).then((handle) => handle.jsonValue())
  await page.waitForTimeout(1_000)
  const resting = await memory(page, session)
  const seconds = Number(given.seconds)
  const slow = await scroll(page, session, { pixelsPerSecond: 2_500, seconds })
  const fast = await scroll(page, session, { pixelsPerSecond: 20_000, seconds })
  const jumps = await jump(page, 25)
  await page.waitForTimeout(1_000)
  const after = await memory(page, session)
  await page.close()
  return { ...opened, resting, slow, fast, jumps, after }
}

/** Runs in the page: when the first picture was on screen, and how long the layout took. */
function noteFirstPhoto() {
  const look = () => {
    const image = document.querySelector('a[data-index] img.shown')
    if (!image) return requestAnimationFrame(look)
    const layouts = performance.getEntriesByName('timeline layout').map((entry) => entry.duration)
    const count = document.querySelector('.page-head .quiet')?.textContent ?? ''
    const skeleton = performance.getEntriesByType('resource').find((entry) => /\/api\/v1\/timeline(\?|$)/.test(entry.name))
    globalThis.firstPhoto = {
      photos: Number(count.replace(/\D/g, '')),
      firstPhotoMs: Math.round(performance.now()),
      layoutMs: layouts.length > 0 ? Math.round(Math.max(...layouts) * 10) / 10 : null,
      skeletonBytes: skeleton?.encodedBodySize ?? null,
      skeletonMs: skeleton ? Math.round(skeleton.duration) : null,
      scriptBytes: performance
        .getEntriesByType('resource')
        .filter((entry) => entry.name.endsWith('.js'))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    }
    return undefined
  }
  requestAnimationFrame(look)
}

/** What is held after everything that can be thrown away has been. */
async function memory(page, session) {
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage')
  const heap = await session.send('Runtime.getHeapUsage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name) => metrics.find((one) => one.name === name)?.value ?? 0
  return {
    heapBytes: Math.round(heap.usedSize + (heap.backingStorageSize ?? 0)),
    scriptHeapBytes: Math.round(heap.usedSize),
    bufferBytes: Math.round(heap.backingStorageSize ?? 0),
    timelineNodes: await page.evaluate(() => document.querySelectorAll('.grid, .grid *').length),
    documentNodes: await page.evaluate(() => document.querySelectorAll('*').length),
    layoutMs: Math.round(metric('LayoutDuration') * 1000),
    styleMs: Math.round(metric('RecalcStyleDuration') * 1000),
  }
}

/** Which browser it is, by its own word. */
async function version() {
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`)
  return (await answer.json()).Browser
}

async function audits() {
  const timeline = await audit(`${given.url}/photos`, port)
  // Nobody is signed in where one signs in.
  await window.clearCookies()
  const signin = await audit(`${given.url}/signin`, port)
  return { signin, timeline }
}

async function signIn() {
  const data = { email: given.email, password: given.password, kind: 'cookie' }
  const answer = await window.request.post(`${given.url}/api/v1/session`, { data, headers: { origin: given.url } })
  if (!answer.ok()) throw new Error(`signing in: ${answer.status()} ${await answer.text()}`)
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}
