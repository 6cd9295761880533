// Photos as one file. A form has the browser save it as it comes; by script it would have to be in
// memory as a whole.
import { address, send } from './client'

/** So many photos the server puts into one file. */
export const ARCHIVE_MAX = 1000

const PATH = '/images/archive.zip'

/** Has the browser save these photos; fails if the server refuses. */
export async function saveArchive(ids: readonly string[]): Promise<void> {
  // Asked by script first, which can tell why it is refused; a form would only lead away from the page.
  const asked = new AbortController()
  await send('POST', PATH, { ids }, { signal: asked.signal })
  asked.abort()
  submit(ids)
}

/** What comes is saved, so the page stays. */
function submit(ids: readonly string[]): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address(PATH)
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'ids'
  field.value = ids.join(' ')
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}
