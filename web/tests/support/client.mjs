// The API, for what a test needs to be there before it begins, and to look at what is there after.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

export const ADA = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'correct horse battery' }

/** Somebody who uses the API by a token. */
export class Client {
  constructor(url, token) {
    this.url = url
    this.token = token
  }

  /** Makes the first administrator. */
  static async setUp(server, { name, email, password } = ADA) {
    const token = new URL(server.setUpUrl).searchParams.get('token')
    const nobody = new Client(server.url)
    const made = await nobody.post('/setup', { token, name, email, password, kind: 'bearer' })
    return new Client(server.url, made.token)
  }

  /** Asks once more if the connection was one to a server that has been killed since. */
  async get(path) {
    return this.#send('GET', path).catch((error) => (error instanceof TypeError ? this.#send('GET', path) : Promise.reject(error)))
  }

  post(path, body = {}) {
    return this.#send('POST', path, body)
  }

  put(path, body = {}) {
    return this.#send('PUT', path, body)
  }

  patch(path, body) {
    return this.#send('PATCH', path, body)
  }

  delete(path) {
    return this.#send('DELETE', path)
  }

  /** Uploads a file; the answer comes before it is processed. */
  async upload(path, fields = {}) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([readFileSync(path)]), basename(path))
    return this.#answer(await fetch(`${this.url}/api/v1/images`, { method: 'POST', headers: this.#headers(), body: form }))
  }

  /** Uploads files and waits until all are processed; their images in the same order. */
  async library(files) {
    const images = []
    for (const { path, ...fields } of files) images.push(await this.upload(path, fields))
    for (const image of images) await this.completed(image.id)
    return images
  }

  /** Waits until an image is processed. */
  async completed(id) {
    return until(async () => {
      const image = await this.get(`/images/${id}`)
      if (image.status === 'failed') throw new Error(`${image.filename}: ${image.error}`)
      return image.status === 'completed' ? image : undefined
    }, `image ${id} to be processed`)
  }

  async #send(method, path, body) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...this.#headers(), ...json }, body: body === undefined ? undefined : JSON.stringify(body) }
    return this.#answer(await fetch(`${this.url}/api/v1${path}`, init))
  }

  #headers() {
    return this.token ? { authorization: `Bearer ${this.token}` } : {}
  }

  async #answer(response) {
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${response.url}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** Waits until something is there. */
export async function until(look, what, ms = 60_000) {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
