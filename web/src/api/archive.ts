// Any number of photos as one file. A form or a link has the browser save it as it comes; by script
// it would have to be in memory as a whole.
import { address, send, type Query } from './client'

const PATH = '/images/archive.zip'

/** What is saved: all of one's own photos, what a search finds, or an album with those in it. */
export type Wanted = 'mine' | { q: string } | { album: string }

/** Has the browser save these photos; fails if the server refuses. */
export async function saveArchive(ids: readonly string[]): Promise<void> {
  await ask('POST', PATH, { ids })
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address(PATH)
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'ids'
  field.value = ids.join(' ')
  form.append(field)
  document.body.append(form)
  // What comes is saved, so the page stays.
  form.submit()
  form.remove()
}

/** The same for all there are, however many. */
export async function saveAll(wanted: Wanted): Promise<void> {
  const path = typeof wanted === 'object' && 'album' in wanted ? `/albums/${encodeURIComponent(wanted.album)}/archive.zip` : PATH
  const query = typeof wanted === 'object' && 'q' in wanted ? { q: wanted.q } : {}
  await ask('GET', path, undefined, query)
  const link = document.createElement('a')
  link.href = address(path, query)
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

// Asked by script first, which can tell why it is refused; a form would only lead away from the page.
async function ask(method: 'GET' | 'POST', path: string, body?: unknown, query?: Query): Promise<void> {
  const asked = new AbortController()
  await send(method, path, body, { query, signal: asked.signal })
  asked.abort()
}

/** One value of a search, such as a tag, in quotes. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
