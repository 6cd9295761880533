// What passes between the gallery and the server, with a proxy in between that takes only so much at once.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { UploadOptions } from 'tus-js-client'

const MB = 1024 * 1024
const HTML = '<html><head><title>413 Request Entity Too Large</title></head></html>'

/** The server and the way to it, as tus-js-client would see them. */
const way = vi.hoisted(() => ({ allows: Number.POSITIVE_INFINITY, answer: '', offset: 0, log: [] as string[] }))

vi.mock('tus-js-client', () => ({
  Upload: class {
    url: string | null
    #aborted = false

    constructor(
      private readonly file: Blob,
      private readonly options: UploadOptions,
    ) {
      this.url = options.uploadUrl ?? null
    }

    start(): void {
      void this.#run()
    }

    async abort(): Promise<void> {
      this.#aborted = true
    }

    async #run(): Promise<void> {
      await Promise.resolve()
      way.log.push(this.url === null ? 'POST' : `HEAD ${this.url}`)
      this.url ??= '/api/v1/uploads/1'
      this.options.onUploadUrlAvailable?.()
      while (way.offset < this.file.size) {
        await Promise.resolve()
        if (this.#aborted) return
        const bytes = Math.min(this.options.chunkSize ?? 0, this.file.size - way.offset)
        way.log.push(`PATCH ${way.offset / MB}+${bytes / MB}`)
        this.options.onProgress?.(way.offset + bytes, this.file.size)
        if (bytes > way.allows) return this.options.onError?.(this.#refusal() as never)
        way.offset += bytes
      }
      this.options.onAfterResponse?.({} as never, { getHeader: () => 'image-1' } as never)
      this.options.onSuccess?.({} as never)
    }

    #refusal(): Error {
      const headers: Record<string, string> = { 'Upload-Offset': String(way.offset) }
      return Object.assign(new Error(`tus: unexpected response, response text: ${way.answer}`), {
        originalRequest: { getMethod: () => 'PATCH', getHeader: (name: string) => headers[name] },
        originalResponse: { getStatus: () => 413, getBody: () => way.answer, getHeader: () => undefined },
      })
    }
  },
}))

const whole = vi.hoisted(() => ({ sent: [] as string[] }))

vi.mock('./whole', () => ({
  sendWhole: (upload: Upload, _known: unknown, events: WholeEvents) => {
    whole.sent.push(`${upload.name}${upload.sidecar ? ' and beside' : ''}`)
    const bytes = upload.sizeBytes + (upload.sidecar?.size ?? 0) + 600
    queueMicrotask(() => (bytes > way.allows ? events.tooLarge() : events.sent(`image-${upload.name}`, false)))
    return { stop: () => {} }
  },
}))

import { fakeFile } from './fakes'
import { newUpload } from './upload'
import type { Failure, Upload } from './types'
import type { WholeEvents } from './whole'

/** The page as it is after it was opened. */
async function opened() {
  vi.resetModules()
  const { tusTransport } = await import('./transport')
  const { bulkTransport } = await import('./bulk')
  return { tus: tusTransport, bulk: bulkTransport(() => [], async (sums) => sums.map(() => undefined), async () => undefined) }
}

type Page = Awaited<ReturnType<typeof opened>>
let page: Page

beforeEach(async () => {
  Object.assign(way, { allows: Number.POSITIVE_INFINITY, answer: HTML, offset: 0, log: [] })
  whole.sent = []
  page = await opened()
})

const upload = (bytes: number, name = 'a', more: Partial<Upload> = {}): Upload => ({ ...newUpload(fakeFile(name, bytes), name, undefined), ...more })

/** Sends a file; what becomes of it. */
function sent(transport: Page['tus'], file: Upload, moved: (megabytes: number) => void = () => {}): Promise<string | Failure> {
  way.offset = 0
  return new Promise((done) => {
    transport.send(file, {
      created: (url) => (file.url = url),
      progress: (bytes) => moved(bytes / MB),
      sent: (image) => done(image),
      failed: done,
    })
  })
}

describe('a piece that something on the way refuses', () => {
  it('is halved until it passes, and the upload goes on from its offset', async () => {
    way.allows = MB
    const progress: number[] = []
    expect(await sent(page.tus, upload(3 * MB), (megabytes) => progress.push(megabytes))).toBe('image-1')
    expect(way.log).toEqual(['POST', 'PATCH 0+3', 'HEAD /api/v1/uploads/1', 'PATCH 0+2', 'HEAD /api/v1/uploads/1', 'PATCH 0+1', 'PATCH 1+1', 'PATCH 2+1'])
    expect(progress).toEqual([3, 0, 2, 0, 1, 2, 3])
  })

  it('may come late in a file: nothing is sent twice', async () => {
    const moved = (megabytes: number): void => void (megabytes === 16 && (way.allows = 4 * MB))
    expect(await sent(page.tus, upload(20 * MB), moved)).toBe('image-1')
    expect(way.log).toEqual(['POST', 'PATCH 0+8', 'PATCH 8+8', 'HEAD /api/v1/uploads/1', 'PATCH 8+4', 'PATCH 12+4', 'PATCH 16+4'])
  })

  it('is remembered for all that come after it', async () => {
    way.allows = MB
    await sent(page.tus, upload(3 * MB))
    way.log = []
    await sent(page.tus, upload(2 * MB, 'b'))
    expect(way.log).toEqual(['POST', 'PATCH 0+1', 'PATCH 1+1'])
  })

  it('fails in our words if not even the shortest passes, and never in those of others', async () => {
    way.allows = 100_000
    expect(await sent(page.tus, upload(20 * MB))).toEqual({ status: 413, code: 'proxy_limit', message: '413' })
    expect(way.log.filter((line) => line.startsWith('PATCH'))).toEqual(['PATCH 0+8', 'PATCH 0+4', 'PATCH 0+2', 'PATCH 0+1', 'PATCH 0+0.5'])
    expect(await sent(page.tus, upload(200_000, 'b'))).toMatchObject({ code: 'proxy_limit', message: '413' })
  })

  it.each(['file_too_large', 'body_too_large'])('is not halved if the server itself says %s', async (code) => {
    way.allows = MB
    way.answer = JSON.stringify({ error: { code, message: 'In its own words.', requestId: 'r' } })
    expect(await sent(page.tus, upload(3 * MB))).toEqual({ status: 413, code, message: 'In its own words.' })
    expect(way.log).toEqual(['POST', 'PATCH 0+3'])
  })

  it('is not halved any more when the upload was stopped', async () => {
    way.allows = MB
    const told: unknown[] = []
    const sending = page.tus.send(upload(3 * MB), { created: () => {}, progress: () => sending.stop(), sent: (image) => told.push(image), failed: (failure) => told.push(failure) })
    await new Promise((done) => setTimeout(done, 20))
    expect([told, way.log]).toEqual([[], ['POST', 'PATCH 0+3']])
  })
})

describe('a small file', () => {
  it('goes in pieces where it does not pass whole, and so do those after it that are larger than a piece', async () => {
    way.allows = MB
    expect(await sent(page.bulk, upload(3 * MB))).toBe('image-1')
    expect(way.log).toEqual(['POST', 'PATCH 0+2', 'HEAD /api/v1/uploads/1', 'PATCH 0+1', 'PATCH 1+1', 'PATCH 2+1'])
    expect(await sent(page.bulk, upload(1.5 * MB, 'b'))).toBe('image-1')
    expect(await sent(page.bulk, upload(0.9 * MB, 'c'))).toBe('image-c')
    // The form around it would be too much.
    expect(await sent(page.bulk, upload(MB, 'd'))).toBe('image-1')
    expect(whole.sent).toEqual(['a', 'c'])
  })

  it('leaves what is beside it for later where both do not pass together', async () => {
    way.allows = MB
    const sidecar = fakeFile('a.xmp', 0.6 * MB)
    expect(await sent(page.bulk, upload(0.6 * MB, 'a', { sidecar }))).toBe('image-1')
    expect(await sent(page.bulk, upload(0.6 * MB, 'b', { sidecar }))).toBe('image-b')
    expect(whole.sent).toEqual(['a and beside', 'b'])
  })
})
