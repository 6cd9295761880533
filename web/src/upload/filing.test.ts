import { describe, expect, it } from 'vitest'
import { FakeClock } from './fakes'
import { Filing } from './filing'
import type { Problem } from './types'

const settled = () => new Promise((done) => setTimeout(done))

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
