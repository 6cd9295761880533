// Runs the journeys: `npm run browser`, or `npm run browser -- uploads keyboard` for some of them.

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from './support/browser.mjs'
import { binary } from './support/server.mjs'

const LONGEST_MS = 15 * 60_000
const here = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv.slice(2)
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs'))
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part))
const chosen = files.filter(isWanted)
if (chosen.length === 0) fail(`no test is called ${wanted.join(' or ')}: there are ${files.join(', ')}`)

try {
  console.log(`browser: testing ${binary()}`)
  await (await launch()).close()
} catch (error) {
  fail(`${error.message}\nThe tests need Debian's package chromium, or FERROTYPE_CHROMIUM with the path of one.`)
}

const started = Date.now()
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...chosen.map((name) => here + name)], { stdio: 'inherit' })
const watchdog = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
child.on('exit', (code, signal) => {
  clearTimeout(watchdog)
  console.log(`browser: took ${Math.round((Date.now() - started) / 1000)} s`)
  process.exit(signal ? 1 : (code ?? 1))
})

function fail(message) {
  console.error(`browser: ${message}`)
  process.exit(1)
}
