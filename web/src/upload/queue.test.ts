import { beforeEach, describe, expect, it } from 'vitest'
import { candidate, FakeClock, FakeMemory, FakeTransport } from './fakes'
import { PIECE_BYTES } from './passage'
import { FAULTS_MAX, UploadQueue } from './queue'
import type { Failure } from './types'

let transport: FakeTransport
let memory: FakeMemory
let clock: FakeClock
let queue: UploadQueue

beforeEach(() => {
  transport = new FakeTransport()
  memory = new FakeMemory()
  clock = new FakeClock()
  queue = new UploadQueue(transport, memory, clock)
})

const noAnswer: Failure = { status: 0, code: 'network', message: 'failed to fetch' }
const refusal = (status: number, code: string, more = {}): Failure => ({ status, code, message: code, ...more })
const states = () => queue.uploads.map((upload) => `${upload.name} ${upload.state}`)
const sending = () => [...transport.active.keys()]
const key = (name: string) => queue.uploads.find((upload) => upload.name === name)?.key ?? ''
const one = (name: string) => queue.uploads.find((upload) => upload.name === name)

/** What a reload does: the page is gone, only the memory is left. */
function reload(): void {
  queue.close()
  transport = new FakeTransport()
  queue = new UploadQueue(transport, memory, clock)
}

describe('sending', () => {
  it('sends three at once and the others in their order', () => {
    queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => candidate(name)))
    expect(sending()).toEqual(['a', 'b', 'c'])
    transport.of('b').sent('image-b')
    expect(sending()).toEqual(['a', 'c', 'd'])
    transport.of('a').sent('image-a')
    transport.of('c').sent('image-c')
    expect(sending()).toEqual(['d', 'e'])
  })

  it('is processing when all bytes are there, and done when the server says so', () => {
    queue.add([candidate('a')])
    transport.of('a').created('/api/v1/uploads/image-a')
    transport.of('a').sent('image-a')
    expect(one('a')).toMatchObject({ state: 'processing', duplicate: false, sentBytes: 100, file: undefined })
    queue.processed('image-a', { thumbnail: '/i/image-a/thumb' })
    expect(one('a')).toMatchObject({ state: 'done', thumbnail: '/i/image-a/thumb' })
  })

  it('says of an image that could not be processed why', () => {
    queue.add([candidate('a')])
    transport.of('a').sent('image-a')
    queue.processed('image-a', { error: 'the file is broken' })
    expect(one('a')).toMatchObject({
      state: 'failed',
      problem: { code: 'processing_failed', message: 'the file is broken' },
    })
  })

  it('knows a duplicate by the name of the image that has the bytes', () => {
    queue.add([candidate('a')])
    transport.of('a').created('/api/v1/uploads/new')
    transport.of('a').sent('old')
    expect(one('a')).toMatchObject({ duplicate: true, image: 'old' })
  })

  it('tells listeners until they leave', () => {
    let told = 0
    const leave = queue.subscribe(() => (told += 1))
    queue.add([candidate('a')])
    expect(told).toBe(1)
    transport.of('a').progress(50)
    expect([told, one('a')?.sentBytes]).toEqual([2, 50])
    leave()
    transport.of('a').progress(60)
    expect(told).toBe(2)
  })
})

describe('adding', () => {
  it('does not add the same file twice while it is under way', () => {
    queue.add([candidate('trip/a'), candidate('trip/a')])
    queue.add([candidate('trip/a')])
    expect(queue.uploads).toHaveLength(1)
  })

  it('adds files of the same name from different folders', () => {
    queue.add([candidate('one/a'), candidate('two/a')])
    expect(queue.uploads.map((upload) => upload.path)).toEqual(['one/a', 'two/a'])
  })

  it('adds a file again when it has been sent', () => {
    queue.add([candidate('a')])
    transport.of('a').sent('image-a')
    queue.add([candidate('a')])
    expect(states()).toEqual(['a processing', 'a sending'])
  })

  it('takes ten thousand files at once without thinking long', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => candidate(`folder/${index}`, 1))
    const started = performance.now()
    queue.add(many)
    expect(queue.uploads).toHaveLength(10_000)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('pausing, cancelling and trying again', () => {
  it('pauses one file, lets the next begin, and goes on at the same address', () => {
    queue.add(['a', 'b', 'c', 'd'].map((name) => candidate(name)))
    transport.of('a').created('/api/v1/uploads/1')
    queue.pause(key('a'))
    expect(sending()).toEqual(['b', 'c', 'd'])
    queue.cancel(key('b'))
    queue.resume(key('a'))
    expect(sending()).toEqual(['c', 'd', 'a'])
    expect(transport.startedAt.at(-1)).toEqual(['a', '/api/v1/uploads/1'])
  })

  it('pauses all and goes on with all', () => {
    queue.add(['a', 'b', 'c', 'd'].map((name) => candidate(name)))
    queue.pause(key('d'))
    queue.pauseAll()
    expect([sending(), queue.held]).toEqual([[], 'paused'])
    queue.add([candidate('e')])
    expect(sending()).toEqual([])
    queue.resumeAll()
    expect(sending()).toEqual(['a', 'b', 'c'])
    expect(states()).toContain('d waiting')
  })

  it('cancels a file here and at the server', () => {
    queue.add([candidate('a'), candidate('b')])
    transport.of('a').created('/api/v1/uploads/1')
    queue.cancel(key('a'))
    expect(states()).toEqual(['b sending'])
    expect(transport.discarded).toEqual(['/api/v1/uploads/1'])
    expect(memory.all().map((entry) => entry.name)).toEqual(['b'])
  })

  it('cancels all that is not sent, and keeps what is', () => {
    queue.add(['a', 'b', 'c', 'd'].map((name) => candidate(name)))
    transport.of('a').sent('image-a')
    queue.cancelAll()
    expect(states()).toEqual(['a processing'])
    expect(sending()).toEqual([])
  })

  it('does not cancel at the server what has become an image', () => {
    queue.add([candidate('a')])
    transport.of('a').created('/api/v1/uploads/image-a')
    transport.of('a').sent('image-a')
    queue.cancel(key('a'))
    expect([queue.uploads.length, transport.discarded]).toEqual([0, []])
  })

  it('tries one or all again that have failed', () => {
    queue.add(['a', 'b', 'c'].map((name) => candidate(name)))
    for (const name of ['a', 'b', 'c']) transport.of(name).failed(refusal(413, 'file_too_large'))
    expect(states()).toEqual(['a failed', 'b failed', 'c failed'])
    queue.retry(key('b'))
    expect(sending()).toEqual(['b'])
    expect(one('b')?.problem).toBeUndefined()
    queue.retryAll()
    expect(sending()).toEqual(['b', 'a', 'c'])
  })

  it('clears what is done and keeps what is not', () => {
    queue.add(['a', 'b', 'c'].map((name) => candidate(name)))
    transport.of('a').sent('image-a')
    queue.processed('image-a', {})
    transport.of('b').failed(refusal(415, 'unsupported_image'))
    queue.clearDone()
    expect(states()).toEqual(['b failed', 'c sending'])
  })
})

describe('failures', () => {
  it('shows the code of a refusal and goes on with the others', () => {
    queue.add(['a', 'b'].map((name) => candidate(name)))
    transport.of('a').failed(refusal(415, 'unsupported_image'))
    expect(one('a')).toMatchObject({ state: 'failed', problem: { code: 'unsupported_image' } })
    expect(sending()).toEqual(['b'])
  })

  it('rests when nobody answers, longer and longer, and begins at once when something moves', () => {
    queue.add([candidate('a')])
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      transport.of('a').failed(noAnswer)
      expect(queue.restUntil - clock.now()).toBe(seconds * 1_000)
      clock.pass(seconds * 1_000 - 1)
      expect(sending()).toEqual([])
      clock.pass(1)
      expect(sending()).toEqual(['a'])
    }
    transport.of('a').progress(10)
    transport.of('a').failed(noAnswer)
    expect(queue.restUntil - clock.now()).toBe(1_000)
  })

  it('rests once for files that fail together', () => {
    queue.add(['a', 'b', 'c'].map((name) => candidate(name)))
    for (const name of ['a', 'b', 'c']) transport.of(name).failed(noAnswer)
    expect(queue.restUntil - clock.now()).toBe(1_000)
    clock.pass(1_000)
    expect(sending()).toEqual(['a', 'b', 'c'])
  })

  it('waits as long as the server asks for', () => {
    queue.add([candidate('a')])
    transport.of('a').failed(refusal(429, 'rate_limited', { retryAfterSeconds: 12 }))
    expect(queue.restUntil - clock.now()).toBe(12_000)
  })

  it('does not wait any longer when the network is back', () => {
    queue.add([candidate('a')])
    transport.of('a').failed(noAnswer)
    queue.wakeUp()
    expect(sending()).toEqual(['a'])
    transport.of('a').sent('image-a')
    clock.pass(60_000)
    expect(transport.startedAt).toHaveLength(2)
  })

  it('never gives a file up because the server is away', () => {
    queue.add([candidate('a')])
    for (let time = 0; time < 50; time += 1) {
      transport.of('a').failed(refusal(503, 'unavailable'))
      clock.pass(30_000)
    }
    expect(sending()).toEqual(['a'])
  })

  it('gives a file up on which the server fails again and again, and goes on with others', () => {
    queue.add([candidate('a'), candidate('b')])
    for (let time = 0; time < FAULTS_MAX; time += 1) {
      transport.of('a').failed(refusal(500, 'internal'))
      clock.pass(30_000)
    }
    expect(one('a')).toMatchObject({ state: 'failed', problem: { code: 'internal' } })
    expect(sending()).toEqual(['b'])
  })

  it('begins anew when the server no longer expects the upload', () => {
    queue.add([candidate('a')])
    transport.of('a').created('/api/v1/uploads/1')
    transport.of('a').failed(refusal(409, 'upload_gone'))
    clock.pass(1_000)
    expect(transport.startedAt).toEqual([
      ['a', undefined],
      ['a', undefined],
    ])
  })

  it('takes a repeated request that was completed for what it is', () => {
    queue.add([candidate('a')])
    transport.of('a').failed(refusal(409, 'already_exists', { image: 'image-a' }))
    expect(one('a')).toMatchObject({ state: 'processing', image: 'image-a' })
  })

  it('does not ask for every file when no more images fit', () => {
    queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => candidate(name)))
    transport.of('a').failed(refusal(403, 'quota_images'))
    expect(states()).toEqual(['a failed', 'b sending', 'c sending', 'd failed', 'e failed'])
    expect(one('e')?.problem?.code).toBe('quota_images')
    expect(transport.startedAt).toHaveLength(3)
  })

  it('goes on asking when bytes are short: a smaller file may fit', () => {
    queue.add(['a', 'b', 'c', 'd'].map((name) => candidate(name)))
    transport.of('a').failed(refusal(403, 'quota_bytes'))
    expect(sending()).toEqual(['b', 'c', 'd'])
  })

  it('stops for somebody to sign in, and goes on when they have', () => {
    queue.add(['a', 'b'].map((name) => candidate(name)))
    transport.of('a').failed(refusal(401, 'unauthenticated'))
    transport.of('b').failed(refusal(401, 'unauthenticated'))
    expect([queue.held, sending()]).toEqual(['signIn', []])
    queue.wakeUp()
    expect(sending()).toEqual(['a', 'b'])
  })
})

describe('after a reload', () => {
  it('waits for the file, and goes on where the server is', () => {
    queue.add([candidate('trip/a', 3 * PIECE_BYTES), candidate('b')])
    transport.of('a').created('/api/v1/uploads/1')
    transport.of('a').progress(PIECE_BYTES + 5)
    reload()
    expect(states()).toEqual(['a fileMissing', 'b fileMissing'])
    expect(one('a')?.sentBytes).toBe(PIECE_BYTES + 5)
    queue.add([candidate('a', 3 * PIECE_BYTES)])
    expect(states()).toEqual(['a sending', 'b fileMissing'])
    expect(transport.startedAt).toEqual([['a', '/api/v1/uploads/1']])
  })

  it('does not take another file for it', () => {
    queue.add([candidate('a', 100)])
    reload()
    queue.add([candidate('a', 101)])
    expect(states()).toEqual(['a fileMissing', 'a sending'])
  })

  it('remembers nothing of what is sent, refused or cancelled', () => {
    queue.add(['a', 'b', 'c'].map((name) => candidate(name)))
    transport.of('a').sent('image-a')
    transport.of('b').failed(refusal(415, 'unsupported_image'))
    queue.cancel(key('c'))
    reload()
    expect(states()).toEqual([])
  })

  it('lets somebody take out what nobody chooses again, also at the server', () => {
    queue.add([candidate('a')])
    transport.of('a').created('/api/v1/uploads/1')
    reload()
    queue.cancel(key('a'))
    expect([states(), transport.discarded, memory.all()]).toEqual([[], ['/api/v1/uploads/1'], []])
  })

  it('still puts into its album what was sent before', () => {
    const album = { id: 'album-1', title: 'Summer' }
    queue.add([candidate('a')], album)
    transport.of('a').sent('image-a')
    reload()
    expect(one('a')).toMatchObject({ state: 'processing', image: 'image-a', album, inAlbum: false })
    queue.filed(key('a'))
    expect(one('a')?.inAlbum).toBe(true)
    reload()
    expect(states()).toEqual([])
  })
})

describe('albums', () => {
  it('says when an image could not be put into its album', () => {
    queue.add([candidate('a')], { id: 'album-1', title: 'Summer' })
    transport.of('a').sent('image-a')
    queue.filed(key('a'), { code: 'not_in_album', message: 'tooManyAlbums' })
    queue.processed('image-a', {})
    queue.clearDone()
    expect(one('a')).toMatchObject({ state: 'done', inAlbum: false, problem: { code: 'not_in_album' } })
  })
})

describe('small files', () => {
  it('are sent more at once than large ones', () => {
    const parallelOf = (upload: { sizeBytes: number }): number => (upload.sizeBytes < 1000 ? 4 : 2)
    queue = new UploadQueue(transport, memory, clock, parallelOf)
    queue.add([candidate('a'), candidate('b'), candidate('c'), candidate('d'), candidate('e')])
    expect(sending()).toEqual(['a', 'b', 'c', 'd'])
    queue.cancelAll()
    queue.add([candidate('f', 5000), candidate('g', 5000), candidate('h', 5000)])
    expect(sending()).toEqual(['f', 'g'])
  })

  it('are known as duplicates when the transport says so', () => {
    queue.add([candidate('a'), candidate('b')])
    transport.of('a').sent('old', true)
    transport.of('b').sent('new', false)
    expect([one('a')?.duplicate, one('b')?.duplicate]).toEqual([true, false])
  })

  it('wait for room on the server as for anything that passes', () => {
    queue.add([candidate('a')])
    transport.of('a').failed(refusal(507, 'storage_full', { retryAfterSeconds: 10 }))
    expect([states(), queue.restUntil - clock.now()]).toEqual([['a waiting'], 10_000])
  })
})
