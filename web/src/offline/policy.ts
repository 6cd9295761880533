// What the service worker does with which request. It never touches what changes something, and
// never answers with old data while the server can be reached.

export type Plan =
  /** From the cache if it is there: what never changes. */
  | { kind: 'asset' }
  /** From the cache if it is there, by this name: pictures, whose addresses are signed anew each hour. */
  | { kind: 'picture'; name: string }
  /** From the server; from the cache only when that cannot be reached. */
  | { kind: 'data' }
  /** A page of ours: from the server, else the app that is kept. */
  | { kind: 'page' }
  | { kind: 'leave' }

/** Small pictures are worth keeping; large ones would fill the disk. */
const PICTURE = /^\/i\/[^/]+\/(thumb|small)(\.\w+)?$/
const DATA = /^\/api\/v1\/(me|service|feed|favourites|albums|timeline(\/.*)?|albums\/[^/]+(\/images)?|images(\/[^/]+)?)$/
const SERVED = /^\/(api|i|s|auth|storage|health|metrics)(\/|$)/

/** `home` is where the gallery is, such as `https://example.org/photos`. */
export function planFor(request: { method: string; mode: string; url: string }, home: string): Plan {
  if (request.method !== 'GET' || !request.url.startsWith(`${home}/`)) return { kind: 'leave' }
  const path = new URL(request.url).pathname.slice(new URL(`${home}/`).pathname.length - 1)
  if (path.startsWith('/assets/')) return { kind: 'asset' }
  if (PICTURE.test(path)) return { kind: 'picture', name: home + path }
  if (DATA.test(path)) return { kind: 'data' }
  if (request.mode === 'navigate' && !SERVED.test(path)) return { kind: 'page' }
  return { kind: 'leave' }
}

/** Which of the entries must go, oldest first, so that no more than `max` are left. */
export const surplus = <T>(entries: readonly T[], max: number): T[] => entries.slice(0, Math.max(0, entries.length - max))
