import { describe, expect, it } from 'vitest'
import { candidate, FakeClock, fakeFile, FakeTransport } from './fakes'
import { UploadQueue } from './queue'
import { Speed } from './speed'
import { fraction, shown, tally } from './tally'
import { newUpload } from './upload'

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
