// The service worker: keeps the app and the small pictures that were looked at, so that the gallery
// opens without a connection. Bounded, and emptied when somebody signs out.
import { planFor, surplus } from './policy'

// Both are put in by the build: what the app is made of, and a name that changes with it.
declare const __APP_FILES__: string[]
declare const __APP_VERSION__: string

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends Extendable {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Worker {
  location: Location
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: Extendable & { data: unknown }) => void): void
}
const worker = self as unknown as Worker

/** Where the gallery is: where this script stands, without a slash at its end. */
const HOME = new URL('.', worker.location.href).href.replace(/\/$/, '')

const APP = `app-${__APP_VERSION__}`
const PICTURES = 'pictures-1'
const DATA = 'data-1'
const PICTURES_MAX = 2000
const DATA_MAX = 300

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(APP).then((cache) => cache.addAll(['/', ...__APP_FILES__].map((path) => HOME + path))))
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(removeOld().then(() => worker.clients.claim()))
})

worker.addEventListener('message', (event) => {
  if (event.data === 'take') event.waitUntil(worker.skipWaiting())
  if (event.data === 'forget') event.waitUntil(Promise.all([caches.delete(PICTURES), caches.delete(DATA)]))
})

worker.addEventListener('fetch', (event) => {
  const plan = planFor(event.request, HOME)
  if (plan.kind === 'asset') event.respondWith(fromCacheFirst(APP, event.request, event.request.url))
  else if (plan.kind === 'picture') event.respondWith(fromCacheFirst(PICTURES, event.request, plan.name, PICTURES_MAX))
  else if (plan.kind === 'data') event.respondWith(fromServerFirst(event.request))
  else if (plan.kind === 'page') event.respondWith(page(event.request))
})

async function removeOld(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => ![APP, PICTURES, DATA].includes(name)).map((name) => caches.delete(name)))
}

async function fromCacheFirst(name: string, request: Request, key: string, max?: number): Promise<Response> {
  const cache = await caches.open(name)
  const found = await cache.match(key)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok && answer.type === 'basic' && answer.status === 200) void keep(cache, key, answer.clone(), max)
  return answer
}

async function fromServerFirst(request: Request): Promise<Response> {
  const cache = await caches.open(DATA)
  try {
    const answer = await fetch(request)
    if (answer.status === 200) void keep(cache, request.url, answer.clone(), DATA_MAX)
    return answer
  } catch (error) {
    const found = await cache.match(request.url)
    if (found) return found
    throw error
  }
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await (await caches.open(APP)).match(`${HOME}/`)
    if (found) return found
    throw error
  }
}

let kept = 0

async function keep(cache: Cache, key: string, answer: Response, max?: number): Promise<void> {
  try {
    await cache.put(key, answer)
    // Counting takes a while, so it is done now and then.
    kept += 1
    if (max !== undefined && kept % 50 === 0) for (const old of surplus(await cache.keys(), max)) await cache.delete(old)
  } catch {
    // A full disk is no reason not to show the picture.
  }
}
