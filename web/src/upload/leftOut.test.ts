import { expect, it } from 'vitest'
import { fakeFile } from './fakes'
import { groupsOf, listOf } from './leftOut'
import { newUpload } from './upload'
import type { Upload } from './types'

const upload = (path: string, more: Partial<Upload>): Upload => ({ ...newUpload(fakeFile(path), path, undefined), ...more })

it('names everything that was not uploaded, by kind and with its reason', () => {
  const damaged = { code: 'damaged_image', message: 'broken' }
  const groups = groupsOf(
    [
      { path: 'trip/a.txt', reason: 'notImage' },
      { path: 'trip/film.mov', reason: 'video' },
      { path: 'trip/b.txt', reason: 'notImage' },
    ],
    [
      upload('bad.jpg', { state: 'failed', problem: damaged }),
      upload('again.jpg', { state: 'done', image: '1', duplicate: true }),
      upload('fine.jpg', { state: 'done', image: '2' }),
      upload('kept.jpg', { state: 'failed', image: '3', problem: { code: 'processing_failed', message: '' } }),
      upload('waits.jpg', { state: 'waiting' }),
    ],
  )
  expect(groups).toEqual([
    { kind: 'refused', problem: damaged, paths: ['bad.jpg'] },
    { kind: 'video', paths: ['trip/film.mov'] },
    { kind: 'notImage', paths: ['trip/a.txt', 'trip/b.txt'] },
    { kind: 'duplicate', paths: ['again.jpg'] },
  ])
  expect(listOf(groups, ({ kind }) => kind)).toBe('refused\tbad.jpg\nvideo\ttrip/film.mov\nnotImage\ttrip/a.txt\nnotImage\ttrip/b.txt\nduplicate\tagain.jpg\n')
})
