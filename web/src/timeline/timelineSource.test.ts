import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TimelineSource } from './timelineSource.svelte'

/** A server with photos by month, newest first, that answers as docs/api.md says. */
class Server {
  months: { name: string; photos: { id: string; hour: number; byte: number }[] }[] = []
  asked: string[] = []

  tag(month: string): string {
    const ids = this.months.find(({ name }) => name === month)?.photos.map(({ id }) => id) ?? []
    let hash = 7
    for (const letter of ids.join()) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0
    return hash.toString(16).padStart(16, '0')
  }

  answer = (address: string): Promise<Response> => {
    const url = new URL(address, 'http://server')
    const path = url.pathname.replace('/api/v1/timeline', '')
    this.asked.push(path)
    if (path === '/months') {
      const months = this.months.map(({ name, photos }) => ({ month: name, count: photos.length, tag: this.tag(name) }))
      return Promise.resolve(Response.json({ total: 0, months }))
    }
    if (path === '/chunk') return Promise.resolve(Response.json(this.#chunk(url.searchParams)))
    const wanted = path.startsWith('/months/') ? path.slice('/months/'.length) : undefined
    return Promise.resolve(new Response(this.#binary(this.months.filter(({ name }) => wanted === undefined || wanted === name))))
  }

  #chunk(query: URLSearchParams): object {
    const month = query.get('month') ?? ''
    const offset = Number(query.get('offset'))
    const photos = this.months.find(({ name }) => name === month)?.photos ?? []
    const items = photos.slice(offset, offset + 256).map(({ id }) => ({ id, status: 'completed', visibility: 'private', version: 1, urls: {} }))
    return { month, offset, tag: this.tag(month), items }
  }

  #binary(months: Server['months']): ArrayBuffer {
    const photos = months.flatMap((month) => month.photos)
    // One entry per photo is allowed: hours may be repeated.
    const view = new DataView(new ArrayBuffer(16 + months.length * 24 + photos.length * 9))
    ;[...'FTTL'].forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)))
    view.setUint8(4, 1)
    view.setUint32(8, months.length, true)
    view.setUint32(12, photos.length, true)
    months.forEach((month, index) => {
      const at = 16 + index * 24
      view.setUint16(at, Number(month.name.slice(0, 4)), true)
      view.setUint8(at + 2, Number(month.name.slice(5)))
      view.setUint32(at + 4, month.photos.length, true)
      view.setUint32(at + 8, month.photos.length, true)
      view.setUint32(at + 16, Number.parseInt(this.tag(month.name).slice(8), 16), true)
    })
    const hours = 16 + months.length * 24
    photos.forEach(({ hour, byte }, index) => {
      view.setInt32(hours + index * 8, hour, true)
      view.setUint32(hours + index * 8 + 4, 1, true)
      view.setUint8(hours + photos.length * 8 + index, byte)
    })
    return view.buffer
  }
}

const HOUR = 493_000
const photos = (name: string, count: number, hour: number) => Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, hour: hour - index, byte: 150 }))

let server: Server
let source: TimelineSource

beforeEach(async () => {
  server = new Server()
  server.months = [
    { name: '2026-05', photos: photos('may', 300, HOUR) },
    { name: '2026-04', photos: photos('april', 40, HOUR - 700) },
  ]
  vi.stubGlobal('fetch', server.answer)
  source = new TimelineSource('taken')
  await source.refresh()
})
afterEach(() => vi.unstubAllGlobals())

const ids = async (from: number, before: number): Promise<string[]> => (await source.load(from, before)).map(({ id }) => id)

test('the shape is known before any photo is', () => {
  expect(source.shape.count).toBe(340)
  expect(source.tile(0)).toBeUndefined()
  expect(server.asked).toEqual([''])
})

test('photos are fetched in pieces of their month', async () => {
  expect(await ids(254, 258)).toEqual(['may254', 'may255', 'may256', 'may257'])
  expect(await ids(299, 302)).toEqual(['may299', 'april0', 'april1'])
  expect(server.asked.filter((path) => path === '/chunk')).toHaveLength(3)
  expect(source.indexOf('april1')).toBe(301)
})

test('a new photo moves the others, and no box ever shows a wrong one', async () => {
  await source.load(0, 340)
  server.asked = []
  server.months[0]?.photos.unshift({ id: 'new', hour: HOUR + 1, byte: 150 })
  await source.refresh()
  expect([0, 1, 256, 300, 301].map((index) => source.tile(index)?.id)).toEqual(['new', 'may0', 'may255', 'may299', 'april0'])
  // Only what has changed was asked for again.
  expect(server.asked.sort()).toEqual(['/chunk', '/chunk', '/months', '/months/2026-05'])
})

test('a place is found again after photos came in front of it', async () => {
  await source.load(0, 340)
  const mark = source.mark(120)
  server.months[0]?.photos.unshift({ id: 'a', hour: HOUR + 2, byte: 1 }, { id: 'b', hour: HOUR + 1, byte: 1 })
  await source.refresh()
  expect(source.find(mark)).toBe(122)
})

test('what is taken out is gone at once, and its neighbours move together', async () => {
  await source.load(0, 340)
  source.drop(['may1', 'april0'])
  expect(source.shape.count).toBe(338)
  expect([0, 1, 298, 299].map((index) => source.tile(index)?.id)).toEqual(['may0', 'may2', 'may299', 'april1'])
  expect(source.indexOf('may1')).toBeUndefined()
})

test('a month whose photos are all gone disappears', async () => {
  await source.load(300, 340)
  source.drop(photos('april', 40, 0).map(({ id }) => id))
  expect(source.shape.count).toBe(300)
})

test('what nobody wants any more is given up', async () => {
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    if (signal) signals.push(signal)
    return new Promise(() => {})
  })
  source.want(0, 10)
  source.want(310, 320)
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false])
})

test('while the server is away what is known stays', async () => {
  await source.load(0, 10)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')))
  await source.refresh()
  expect(source.error).toBeUndefined()
  expect(source.tile(3)?.id).toBe('may3')
})
