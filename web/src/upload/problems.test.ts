import { describe, expect, it } from 'vitest'
import { isExplained, remedyFor } from './problems'
import { failureOf } from './transport'

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
    [413, 'proxy_limit', 'refused'],
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
    expect(failureOf(error(502, '<html>'))).toEqual({ status: 502, code: 'unknown', message: '502' })
    for (const body of ['{"error":"<b>no</b>"}', '{"error":{"code":413,"message":"<b>no</b>"}}', '{"error":{"message":"<b>no</b>"}}', '{"error":null}', 'null', '']) {
      expect(failureOf(error(413, body))).toEqual({ status: 413, code: 'unknown', message: '413' })
    }
    expect(failureOf(new Error('failed to fetch'))).toMatchObject({ status: 0, code: 'network' })
  })
})
