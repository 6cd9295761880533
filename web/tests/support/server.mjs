// The real program: started on a fresh folder and a free port, killed, started again.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DEADLINE_MS = 60_000

/** The program under test; an error says how to get it. */
export function binary() {
  const path = resolve(process.env.FERROTYPE_BINARY ?? join(ROOT, 'target/debug/ferrotype'))
  if (existsSync(path)) return path
  throw new Error(`${path} is missing: run \`cargo build -p ferrotype\`, or set FERROTYPE_BINARY`)
}

/** A server with a folder of its own. Close it, and nothing is left. */
export class Server {
  #child
  #lines = []
  #log = ''
  url = ''
  /** Where the first administrator is made, if there is none yet. */
  setUpUrl = ''

  /** Starts one; `settings` are environment variables without their prefix. */
  static async start(settings = {}, listen = '127.0.0.1:0') {
    const server = new Server()
    server.folder = mkdtempSync(join(tmpdir(), 'ferrotype-browser-'))
    server.settings = settings
    try {
      await server.#spawn(listen)
    } catch (error) {
      await server.close()
      throw error
    }
    return server
  }

  /** Starts one that is reached by name, for what belongs to a name and not to an address: passkeys. */
  static async startNamed(settings = {}) {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const server = await Server.start({ PUBLIC_URL: url, ...settings }, `127.0.0.1:${port}`)
    server.url = url
    return server
  }

  /** Ends it as a power cut does. */
  async kill() {
    const ended = new Promise((done) => this.#child.once('exit', done))
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Starts it again on the same folder and at the same address. */
  async restart() {
    await this.#spawn(new URL(this.url).host)
  }

  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** What it has logged, for when something went wrong. */
  get log() {
    return this.#log
  }

  async #spawn(listen) {
    this.#child = spawn(binary(), ['serve', '--listen', listen, '--data-folder', join(this.folder, 'data')], {
      cwd: this.folder,
      env: { ...withoutSettings(process.env), FERROTYPE_RATE_LIMITS_ENABLED: 'false', ...prefixed(this.settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stderr.on('data', (data) => (this.#log += data))
    createInterface(this.#child.stdout).on('line', (line) => this.#lines.push(line))
    await this.#until(() => this.#lines.some((line) => line.includes(' is running: open ')))
    const line = this.#lines.findLast((text) => text.includes(' is running: open '))
    this.url = line.split(' is running: open ')[1].trim().replace(/\/$/, '')
    // What is printed at the start is printed before the first answer.
    await this.#until(() =>
      fetch(`${this.url}/health/live`).then(
        (answer) => answer.ok,
        () => false,
      ),
    )
    this.setUpUrl = this.#lines.findLast((text) => text.includes('/setup?token='))?.trim() ?? ''
  }

  async #until(holds) {
    const end = Date.now() + DEADLINE_MS
    while (!(await holds())) {
      if (this.#child.exitCode !== null || Date.now() > end) throw new Error(`the server does not start:\n${this.#log}`)
      await new Promise((done) => setTimeout(done, 20))
    }
  }
}

export function freePort() {
  return new Promise((done) => {
    const taken = createServer().listen(0, '127.0.0.1', () => {
      const { port } = taken.address()
      taken.close(() => done(port))
    })
  })
}

function withoutSettings(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(FERROTYPE|AWS)_/.test(name)))
}

function prefixed(settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`FERROTYPE_${name}`, value]))
}
