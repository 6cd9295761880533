import { describe, expect, it } from 'vitest'
import { FakeClock } from './fakes'
import { ProcessingWatch, type ImageState, type Outcome } from './processing'

const settled = () => new Promise((done) => setTimeout(done))

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
