import { describe, expect, it } from 'vitest'
import { ASKED_MAX, isSmall, Lookout, SMALL_BYTES } from './ahead'
import { fakeFile } from './fakes'
import { newUpload } from './upload'
import type { Upload } from './types'

const uploads = (count: number): Upload[] =>
  Array.from({ length: count }, (_, n) => newUpload(fakeFile(`${n}.jpg`, 10 + n), `${n}.jpg`, undefined))

/** A hash that tells files apart by their size. */
const bySize = async (file: File) => `sum-${file.size}`

describe('looking ahead', () => {
  it('asks once for hundreds of files', async () => {
    const files = uploads(ASKED_MAX + 20)
    const asked: string[][] = []
    const ask = async (sums: string[]) => {
      asked.push(sums)
      return sums.map((sum) => (sum === 'sum-12' ? 'image-2' : undefined))
    }
    // Those that are being sent no longer wait.
    let waiting = files.slice(4)
    const lookout = new Lookout(ask, () => waiting, bySize)
    const found = await Promise.all(files.slice(0, 4).map((upload) => lookout.find(upload)))
    expect(found).toEqual([{ sha256: 'sum-10' }, { sha256: 'sum-11' }, { sha256: 'sum-12', image: 'image-2' }, { sha256: 'sum-13' }])
    while (waiting.length > 0) {
      const [next, ...rest] = waiting
      waiting = rest
      if (next) await lookout.find(next)
    }
    expect(asked.flat()).toHaveLength(files.length)
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  it('sends without asking where the browser cannot hash or the server cannot be asked', async () => {
    const [one, two] = uploads(2)
    const refuse = () => Promise.reject(new Error('busy'))
    const blind = new Lookout(refuse, () => [], async () => undefined)
    expect(await blind.find(one!)).toEqual({})
    const deaf = new Lookout(refuse, () => [], bySize)
    expect(await deaf.find(two!)).toEqual({ sha256: 'sum-11' })
  })

  it('leaves large files and those under way alone', () => {
    const [small, begun] = uploads(2)
    const large = newUpload(fakeFile('large.jpg', SMALL_BYTES + 1), 'large.jpg', undefined)
    expect(isSmall(small!)).toBe(true)
    expect(isSmall({ ...begun!, url: '/api/v1/uploads/1' })).toBe(false)
    expect(isSmall(large)).toBe(false)
  })
})
