// The gallery from a folder that `npm run build` has made, in front of a server that carries an older one:
// while one works on a page, the program need not be built anew. What the server itself adds to pages,
// such as the content security policy, is missing then.

import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html', '.json': 'application/json', '.png': 'image/png', '.webmanifest': 'application/manifest+json' }
const SERVED = /^\/(api|i|s|auth|storage|health|metrics)(\/|$)/

export async function fromFolder(window, url, folder) {
  await window.route(`${url}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    if (SERVED.test(pathname)) return route.fallback()
    const file = join(folder, pathname)
    const path = extname(file) && existsSync(file) ? file : join(folder, 'index.html')
    return route.fulfill({ body: readFileSync(path), contentType: TYPES[extname(path)] ?? 'application/octet-stream' })
  })
}
