import { expect, test } from 'vitest'
import { ApiError, errorOf, secondsOf } from './errors'
import { forEach, inHundreds } from './many'

const limited = (seconds?: number): ApiError => new ApiError('rate_limited', 'too much', 429, {}, undefined, seconds)

/** A server that takes so many and then none until somebody has waited. */
function limitedServer(budget: number) {
  let left = budget
  const done: number[] = []
  const rests: number[] = []
  return {
    done,
    rests,
    act: async (item: number) => {
      if (left === 0) throw limited(7)
      left -= 1
      done.push(item)
    },
    patience: {
      waiting: (seconds: number) => rests.push(seconds),
      sleep: async () => void (left = budget),
    },
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('sixty at a rate limit are all done, each once, after the rests that the server asked for', async () => {
  const server = limitedServer(25)
  const failed = await forEach(numbers(60), server.act, 6, server.patience)
  expect(failed).toEqual([])
  expect([...server.done].sort((a, b) => a - b)).toEqual(numbers(60))
  expect(server.rests).toEqual([7, 7])
})

test('a server that never has room is let be, and everything that was not done is named', async () => {
  const rests: number[] = []
  const act = async (item: number) => {
    if (item >= 2) throw limited()
  }
  const failed = await forEach(numbers(6), act, 2, { waiting: (seconds) => rests.push(seconds), sleep: async () => {} })
  expect(failed.map(({ item }) => item).sort()).toEqual([2, 3, 4, 5])
  expect(rests).toEqual([1, 2, 4, 8, 16])
})

test('what waiting cannot help is not waited for', async () => {
  const asked: number[] = []
  const full = new ApiError('unexpected', 'full', 507)
  const failed = await forEach([1, 2], async (item) => { asked.push(item); throw full }, 1, { sleep: () => Promise.reject(new Error('slept')) })
  expect(asked).toEqual([1, 2])
  expect(failed.map(({ error }) => error)).toEqual([full, full])
})

test('hundreds are asked again, too', async () => {
  let asked = 0
  const sizes = await inHundreds(numbers(230).map(String), async (some) => {
    asked += 1
    if (asked === 2) throw new ApiError('offline', 'gone', 0)
    return some.length
  }, { sleep: async () => {} })
  expect(sizes).toEqual([100, 100, 30])
})

test('the time to wait is read as seconds and as a date', async () => {
  expect([secondsOf('12'), secondsOf(null), secondsOf('soon')]).toEqual([12, undefined, undefined])
  expect(secondsOf('Thu, 01 Jan 1970 00:01:00 GMT', 30_000)).toBe(30)
  const answer = new Response('{"error":{"code":"rate_limited","message":"wait"}}', { status: 429, headers: { 'retry-after': '3' } })
  expect(await errorOf(answer)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3, mayPass: true })
})

test('what a proxy says in its own words is understood by its status', async () => {
  const of = async (status: number) => (await errorOf(new Response('<html>', { status }))).code
  expect([await of(502), await of(503), await of(429), await of(400)]).toEqual(['unavailable', 'unavailable', 'rate_limited', 'unexpected'])
})
