// The gallery from a folder that `npm run build` has made, in front of a server that carries an older one:
// while one works on a page, the program need not be built anew. What the server itself adds to pages,
// such as the content security policy, is missing then.

import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html', '.json': 'application/json', '.png': 'image/png', '.webmanifest': 'application/manifest+json' }
const SERVED = /^\/(api|i|s|auth|storage|health|metrics)(\/|$)/

export async function fromFolder(window, url, folder) {
  const base = new URL(url).pathname.replace(/\/$/, '')
  await window.route(`${url}/**`, (route) => {
    const pathname = new URL(route.request().url()).pathname.slice(base.length)
    if (SERVED.test(pathname)) return route.fallback()
    const file = join(folder, pathname)
    const path = extname(file) && existsSync(file) ? file : join(folder, 'index.html')
    const body = readFileSync(path)
    // The page names its parts from the root; the server moves them below its path, too.
    const moved = path.endsWith('.html') ? body.toString().replaceAll('="/', `="${base}/`) : body
    return route.fulfill({ body: moved, contentType: TYPES[extname(path)] ?? 'application/octet-stream' })
  })
}
