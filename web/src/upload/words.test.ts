import { beforeAll, expect, it, vi } from 'vitest'
import { i18n } from '../i18n'
import { texts } from '../i18n/en/texts'
import { reasonOf, whyResting } from './words'

beforeAll(() => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  i18n.texts = texts
})

it('says that the server cannot be reached only if nobody answered', () => {
  const why = (code: string) => whyResting({ code, message: '' })
  expect(why('network')).toContain('cannot be reached')
  expect(why('rate_limited')).toContain('slow down')
  expect(why('storage_full')).toContain('full')
  for (const code of ['rate_limited', 'storage_full', 'unavailable', 'internal']) expect(why(code)).not.toContain('reached')
})

it('has words for every reason why a file was not uploaded', () => {
  for (const kind of ['notImage', 'video', 'hidden', 'empty', 'tooLarge', 'unreadable', 'duplicate'] as const) {
    expect(reasonOf({ kind, paths: [] })).toMatch(/^[A-Z]/)
  }
  expect(reasonOf({ kind: 'refused', problem: { code: 'damaged_image', message: 'x' }, paths: [] })).toBe('The file is damaged')
  expect(reasonOf({ kind: 'refused', problem: { code: 'proxy_limit', message: '413' }, paths: [] })).toContain('client_max_body_size')
  expect(reasonOf({ kind: 'refused', problem: { code: 'unknown', message: '418' }, paths: [] })).toMatch(/answered in its place, with status 418$/)
  expect(reasonOf({ kind: 'refused', problem: { code: 'new_code', message: 'In its own words.' }, paths: [] })).toBe('In its own words.')
})
