// Debian's Chromium, watched: a test fails when its pages ask another site for anything, break the
// content security policy, throw or show the key of a text, and then leaves a screenshot and what was
// said behind.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { fromFolder } from './dist.mjs'
import { watchKeys } from './keys.mjs'
import { ROOT } from './server.mjs'

const FAILURES = join(ROOT, 'target/browser-failures')
/** What a test may wait for; on a busy machine everything takes its time. */
const STEP_MS = 20_000
const SCENE_MS = 150_000

export const DESKTOP = { viewport: { width: 1440, height: 900 } }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

export function launch() {
  const executablePath = process.env.FERROTYPE_CHROMIUM ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/**
 * A test with a window of its own on a server. `server` is a function, since it is started later
 * than the test is written down.
 */
export function scene(name, { browser, server, size = DESKTOP, signedInAs, ...context }, act) {
  test(name, { timeout: SCENE_MS }, async () => {
    const window = await browser().newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      ...size,
      ...context,
    })
    window.setDefaultTimeout(STEP_MS)
    // Else registering one would give nothing at all, which no browser does.
    if (context.serviceWorkers === 'block') await window.addInitScript(() => delete Navigator.prototype.serviceWorker)
    const watch = new Watch(server().url)
    watch.follow(window)
    await watchKeys(window)
    if (process.env.FERROTYPE_DIST) await fromFolder(window, server().url, process.env.FERROTYPE_DIST)
    if (signedInAs) await signIn(window, server().url, signedInAs)
    const page = await window.newPage()
    try {
      await act({ page, window, server: server(), watch })
      watch.assertClean()
    } catch (error) {
      await keep(name, window, watch, server())
      throw error
    } finally {
      await window.close()
    }
  })
}

/** Gives a window the cookie of a session. */
export async function signIn(window, url, { email, password }) {
  const answer = await window.request.post(`${url}/api/v1/session`, {
    data: { email, password, kind: 'cookie' },
    headers: { origin: url },
  })
  assert.equal(answer.status(), 201, await answer.text())
}

/** Everything about the pages of a window that nobody would see. */
export class Watch {
  lines = []
  wrong = []

  constructor(url) {
    this.origin = new URL(url).origin
  }

  follow(window) {
    window.on('request', (request) => this.#asked(request.url()))
    window.on('page', (page) => this.#followPage(page))
    void window.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`POLICY ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)
      })
    })
  }

  assertClean() {
    assert.deepEqual(this.wrong, [])
  }

  #followPage(page) {
    page.on('console', (message) => {
      this.lines.push(`${message.type()}: ${message.text()}`)
      if (/^POLICY |^RAW KEY |^NOT TO BE SEEN |^no text for|Content Security Policy/i.test(message.text())) this.wrong.push(message.text())
    })
    page.on('pageerror', (error) => {
      this.lines.push(`thrown: ${error.stack ?? error}`)
      this.wrong.push(`thrown: ${error.message ?? error}`)
    })
    page.on('requestfailed', (request) => this.lines.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`))
    page.on('response', (response) => {
      if (response.status() >= 400) this.lines.push(`${response.status()}: ${response.request().method()} ${response.url()}`)
    })
  }

  #asked(address) {
    const url = new URL(address)
    if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) return
    if (url.origin !== this.origin) this.wrong.push(`asked another site: ${address}`)
  }
}

async function keep(name, window, watch, server) {
  mkdirSync(FAILURES, { recursive: true })
  const file = join(FAILURES, name.replace(/[^\w-]+/g, '-'))
  for (const [index, page] of window.pages().entries()) {
    await page.screenshot({ path: `${file}-${index}.png` }).catch(() => {})
    const shown = await page.content().catch(() => '')
    writeFileSync(`${file}-${index}.html`, `<!-- ${page.url()} -->\n${shown}`)
  }
  writeFileSync(`${file}.log`, [...watch.lines, ...watch.wrong.map((line) => `WRONG: ${line}`), '', server.log].join('\n'))
  console.error(`see ${file}*`)
}
