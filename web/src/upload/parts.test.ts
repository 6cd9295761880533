import { describe, expect, it } from 'vitest'
import { candidate, FakeClock, fakeFile, FakeStorage, FakeTransport } from './fakes'
import { Filing } from './filing'
import { storageMemory } from './memory'
import { isExplained, remedyFor } from './problems'
import { ProcessingWatch, type ImageState, type Outcome } from './processing'
import { UploadQueue } from './queue'
import { Speed } from './speed'
import { ownTab, Tabs } from './tabs'
import { fraction, shown, tally } from './tally'
import { failureOf } from './transport'
import { newUpload } from './upload'
import type { Problem } from './types'

const settled = () => new Promise((done) => setTimeout(done))

describe('memory', () => {
  const setting = () => {
    const [store, clock] = [new FakeStorage(), new FakeClock()]
    return { store, clock, tab: (own: string) => new Tabs(own, store, clock) }
  }

  it('keeps the uploads of users apart', () => {
    const { store, tab } = setting()
    storageMemory(store, 'ada', tab('one')).put(newUpload(fakeFile('a'), 'a', undefined))
    expect(
      storageMemory(store, 'ada', tab('one'))
        .all()
        .map((entry) => entry.name),
    ).toEqual(['a'])
    expect(storageMemory(store, 'bob', tab('one')).all()).toEqual([])
  })

  it('leaves to another open tab what that is sending, until it is closed or dies', () => {
    const { store, clock, tab } = setting()
    const [first, second] = [tab('one'), tab('two')]
    first.begin()
    storageMemory(store, 'ada', first).put(newUpload(fakeFile('a'), 'a', undefined))
    const seen = () => storageMemory(store, 'ada', second).all().length
    expect(seen()).toBe(0)
    clock.pass(60_000)
    expect(seen()).toBe(0)
    first.end()
    expect(seen()).toBe(1)
    store.setItem('ferrotype.tab.one', String(clock.now()))
    expect(seen()).toBe(0)
    clock.pass(16_000)
    expect(seen()).toBe(1)
  })

  it('knows a tab again after a reload', () => {
    const session = new FakeStorage()
    expect(ownTab(session)).toBe(ownTab(session))
    expect(ownTab(session)).not.toBe(ownTab(new FakeStorage()))
  })

  it('passes over what it cannot read, and does without a storage that is full', () => {
    const { store, tab } = setting()
    const memory = storageMemory(store, 'ada', tab('one'))
    const upload = newUpload(fakeFile('a'), 'a', { id: '1', title: 'Summer' })
    memory.put(upload)
    const whole = store.getItem(`ferrotype.upload.ada.${upload.key}`) ?? ''
    for (const [at, text] of ['{', 'null', '7', '{}', whole.replace('100', '"100"'), whole.replace('"Summer"', '0')].entries()) {
      store.entries.set(`ferrotype.upload.ada.${at}`, text)
    }
    expect(memory.all().map((entry) => entry.key)).toEqual([upload.key])
    store.onWrite = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    memory.put(newUpload(fakeFile('b'), 'b', undefined))
    memory.forget(upload.key)
    expect(memory.all()).toEqual([])
  })
})

describe('remedies', () => {
  it.each([
    [0, 'network', 'wait'],
    [429, 'rate_limited', 'wait'],
    [503, 'unavailable', 'wait'],
    [502, 'unknown', 'wait'],
    [500, 'internal', 'again'],
    [409, 'wrong_offset', 'again'],
    [404, 'not_found', 'again'],
    [401, 'unauthenticated', 'signIn'],
    [403, 'quota_images', 'full'],
    [403, 'quota_bytes', 'refused'],
    [413, 'file_too_large', 'refused'],
    [422, 'damaged_image', 'refused'],
    [418, 'unknown', 'refused'],
  ])('of %i %s: %s', (status, code, remedy) => {
    expect(remedyFor({ status, code, message: '' })).toBe(remedy)
  })

  it('knows which codes have a text', () => {
    expect([isExplained('quota_bytes'), isExplained('teapot')]).toEqual([true, false])
  })
})

describe('answers of the server', () => {
  const error = (status: number, body: string, headers: Record<string, string> = {}) =>
    Object.assign(new Error('tus: unexpected response'), {
      originalResponse: { getStatus: () => status, getBody: () => body, getHeader: (name: string) => headers[name] },
    }) as unknown as Error

  it('are read by the code of the API', () => {
    const body = JSON.stringify({ error: { code: 'quota_bytes', message: 'no room', details: { image: 'i' } } })
    expect(failureOf(error(403, body, { 'retry-after': '7' }))).toEqual({
      status: 403,
      code: 'quota_bytes',
      message: 'no room',
      image: 'i',
      retryAfterSeconds: 7,
    })
  })

  it('may be no answers of ours, or none at all', () => {
    expect(failureOf(error(502, '<html>'))).toMatchObject({ status: 502, code: 'unknown' })
    expect(failureOf(new Error('failed to fetch'))).toMatchObject({ status: 0, code: 'network' })
  })
})

describe('processing', () => {
  const setting = (states: Record<string, ImageState['status']>) => {
    const clock = new FakeClock()
    const looks: string[][] = []
    const told: [string, Outcome][] = []
    let broken = false
    const look = async (ids: readonly string[]) => {
      looks.push([...ids])
      if (broken) throw new Error('no answer')
      return ids
        .filter((id) => states[id] !== undefined)
        .map((id) => ({ id, status: states[id] ?? '', error: states[id] === 'failed' ? 'why' : null, thumbnail: `/i/${id}` }))
    }
    const watch = new ProcessingWatch(look, (id, outcome) => told.push([id, outcome]), clock)
    const pass = async (ms: number) => {
      clock.pass(ms)
      await settled()
    }
    return { watch, pass, looks, told, states, breakIt: (is: boolean) => (broken = is) }
  }

  it('tells once what became of each image, with one look for many', async () => {
    const { watch, pass, looks, told } = setting({ a: 'completed', b: 'failed', c: 'processing' })
    for (const id of ['a', 'b', 'c', 'gone']) watch.watch(id)
    await pass(300)
    expect(looks).toEqual([['a', 'b', 'c', 'gone']])
    expect(told).toEqual([
      ['a', { thumbnail: '/i/a' }],
      ['b', { error: 'why' }],
      ['gone', {}],
    ])
  })

  it('looks again when a change comes, and only at what it follows', async () => {
    const { watch, pass, looks, told, states } = setting({ a: 'processing' })
    watch.watch('a')
    await pass(300)
    states['a'] = 'completed'
    watch.changed('a')
    watch.changed('stranger')
    await pass(300)
    expect(looks).toEqual([['a'], ['a']])
    expect(told).toHaveLength(1)
  })

  it('looks now and then without changes, also after an error', async () => {
    const { watch, pass, told, states, breakIt } = setting({ a: 'processing' })
    breakIt(true)
    watch.watch('a')
    await pass(300)
    breakIt(false)
    states['a'] = 'completed'
    await pass(8_000)
    await pass(300)
    expect(told).toEqual([['a', { thumbnail: '/i/a' }]])
  })

  it('asks for a hundred at a time', async () => {
    const { watch, pass, looks } = setting({})
    for (let id = 0; id < 250; id += 1) watch.watch(String(id))
    await pass(300)
    expect(looks.map((ids) => ids.length)).toEqual([100, 100, 50])
  })
})

describe('filing', () => {
  const setting = (answer: (images: readonly string[]) => Map<string, string> | Error) => {
    const clock = new FakeClock()
    const puts: [string, number][] = []
    const told: [string, Problem | undefined][] = []
    const put = async (album: string, images: readonly string[]) => {
      puts.push([album, images.length])
      const given = answer(images)
      if (given instanceof Error) throw given
      return given
    }
    const problemOf = (error: unknown) =>
      error instanceof Error && error.message === 'forbidden' ? { code: 'role_missing', message: '' } : undefined
    const filing = new Filing(put, problemOf, (key, problem) => told.push([key, problem]), clock)
    const pass = async (ms: number) => {
      clock.pass(ms)
      await settled()
    }
    return { filing, pass, puts, told }
  }
  const added = (images: readonly string[]) => new Map(images.map((image) => [image, 'added']))
  const toFile = (name: string, album = 'summer') => ({ key: name, image: `image-${name}`, album })

  it('puts many at once, album by album, each upload once', async () => {
    const { filing, pass, puts, told } = setting(added)
    for (let at = 0; at < 120; at += 1) filing.file(toFile(String(at)))
    filing.file(toFile('0'))
    filing.file(toFile('w', 'winter'))
    for (let turn = 0; turn < 4; turn += 1) await pass(500)
    expect(puts).toEqual([
      ['summer', 100],
      ['summer', 20],
      ['winter', 1],
    ])
    expect(told).toHaveLength(121)
    expect(told.every(([, problem]) => problem === undefined)).toBe(true)
  })

  it('says which image was not taken', async () => {
    const { filing, pass, told } = setting(
      () =>
        new Map([
          ['image-a', 'alreadyThere'],
          ['image-b', 'tooManyAlbums'],
        ]),
    )
    filing.file(toFile('a'))
    filing.file(toFile('b'))
    await pass(500)
    expect(told).toEqual([
      ['a', undefined],
      ['b', { code: 'not_in_album', message: 'tooManyAlbums' }],
    ])
  })

  it('tries again when nobody answers, and not when it is forbidden', async () => {
    let error: Error | undefined = new Error('no answer')
    const { filing, pass, puts, told } = setting((images) => error ?? added(images))
    filing.file(toFile('a'))
    await pass(500)
    expect(told).toEqual([])
    error = undefined
    await pass(5_000)
    expect(told).toEqual([['a', undefined]])
    error = new Error('forbidden')
    filing.file(toFile('b'))
    await pass(500)
    expect(told.at(-1)).toEqual(['b', { code: 'role_missing', message: '' }])
    expect(puts).toHaveLength(3)
  })
})

describe('totals', () => {
  it('count files and bytes, without those that cannot be sent', () => {
    const transport = new FakeTransport()
    const queue = new UploadQueue(transport, { all: () => [], put: () => {}, forget: () => {} }, new FakeClock())
    queue.add(['a', 'b', 'c', 'd'].map((name) => candidate(name)))
    transport.of('a').sent('image-a')
    transport.of('b').progress(50)
    transport.of('c').failed({ status: 415, code: 'unsupported_image', message: '' })
    const sums = tally(queue.uploads)
    expect(sums).toMatchObject({ files: 3, filesSent: 1, bytes: 300, bytesSent: 150, processing: 1, failed: 1, open: 2 })
    expect(fraction(sums)).toBe(0.5)
    expect(fraction(tally([]))).toBe(1)
  })

  it('show first what moves, then what needs somebody, then what comes', () => {
    const at = (name: string, state: 'sending' | 'failed' | 'waiting' | 'done') =>
      Object.assign(newUpload(fakeFile(name), name, undefined), { state })
    const uploads = [at('old', 'done'), at('new', 'done'), at('next', 'waiting'), at('bad', 'failed'), at('now', 'sending')]
    const names = (most: number) => shown(uploads, most).map((upload) => upload.name)
    expect(names(10)).toEqual(['now', 'bad', 'next', 'new', 'old'])
    expect(names(2)).toEqual(['now', 'bad'])
  })
})

describe('speed', () => {
  it('is told after two seconds, over the last fifteen', () => {
    const speed = new Speed()
    speed.observe(0, 0)
    speed.observe(1_000, 1_000)
    expect(speed.bytesPerSecond).toBeUndefined()
    speed.observe(2_000, 2_000)
    expect([speed.bytesPerSecond, speed.secondsFor(10_000)]).toEqual([1_000, 10])
    for (let second = 3; second <= 40; second += 1) speed.observe(second * 1_000, 2_000 + (second - 2) * 500)
    expect(speed.bytesPerSecond).toBe(500)
  })

  it('begins anew when bytes vanish, and never divides by nothing', () => {
    const speed = new Speed()
    speed.observe(0, 1_000)
    speed.observe(5_000, 1_000)
    expect(speed.secondsFor(10)).toBeUndefined()
    speed.observe(6_000, 10)
    expect(speed.bytesPerSecond).toBeUndefined()
  })
})
