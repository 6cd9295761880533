import { describe, expect, it } from 'vitest'
import { fromClipboard, fromFiles, fromDropped, reasonAgainst } from './collect'
import { fakeFile } from './fakes'

type Tree = File | { name: string; children: Tree[] }

/** An entry as browsers hand them out: folders in portions, everything by callback. */
function entry(tree: Tree, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${tree.name}`
  if (tree instanceof File) {
    const file = (done: (file: File) => void) => setTimeout(() => done(tree))
    return { isFile: true, isDirectory: false, name: tree.name, fullPath, file } as unknown as FileSystemEntry
  }
  const createReader = () => {
    const left = tree.children.map((child) => entry(child, fullPath))
    return { readEntries: (done: (some: FileSystemEntry[]) => void) => setTimeout(() => done(left.splice(0, 2))) }
  }
  return { isFile: false, isDirectory: true, name: tree.name, fullPath, createReader } as unknown as FileSystemEntry
}

const dropped = (trees: Tree[]) => trees.map((tree) => ({ entry: entry(tree), file: tree instanceof File ? tree : null }))

describe('a file by its name and size', () => {
  it.each([
    ['a.jpg', 'image/jpeg', undefined],
    ['a.HEIC', '', undefined],
    ['a.CR3', '', undefined],
    ['a.jxl', 'application/octet-stream', undefined],
    ['a.psd', 'image/vnd.adobe.photoshop', undefined],
    ['a.psb', '', undefined],
    ['a.jp2', '', undefined],
    ['a.tga', '', undefined],
    ['a.ico', 'image/vnd.microsoft.icon', undefined],
    ['a.svg', 'image/svg+xml', 'notImage'],
    ['a.mp4', 'video/mp4', 'video'],
    ['A.MTS', '', 'video'],
    ['notes.txt', 'text/plain', 'notImage'],
    ['.DS_Store', '', 'hidden'],
    ['Thumbs.db', '', 'hidden'],
    ['._a.jpg', 'image/jpeg', 'hidden'],
    ['jpg', '', 'notImage'],
  ])('%s of type %j: %s', (name, type, reason) => {
    expect(reasonAgainst({ name, type, size: 1 })).toBe(reason)
  })

  it('is left out if there is nothing in it, or more than the server takes', () => {
    const of = (size: number) => reasonAgainst({ name: 'a.jpg', type: 'image/jpeg', size }, { bytesMax: 100 })
    expect([of(0), of(100), of(101)]).toEqual(['empty', undefined, 'tooLarge'])
  })
})

describe('what was dropped', () => {
  it('is found through folders, whole and in order', async () => {
    const children = [fakeFile('b10.jpg'), fakeFile('b9.jpg'), fakeFile('.hidden'), { name: 'sub', children: [fakeFile('x.jpg')] }]
    const found = await fromDropped(
      dropped([{ name: 'trip', children }, fakeFile('alone.jpg'), fakeFile('film.mov', 1, 'video/quicktime')]),
    )
    expect(found.candidates.map((one) => one.path)).toEqual(['trip/b9.jpg', 'trip/b10.jpg', 'trip/sub/x.jpg', 'alone.jpg'])
    expect(found.leftOut).toEqual([
      { path: 'trip/.hidden', reason: 'hidden' },
      { path: 'film.mov', reason: 'video' },
    ])
  })

  it('names what could not be read, files and folders', async () => {
    const refused = (_: unknown, fail: () => void) => fail()
    const file = { isFile: true, name: 'a.jpg', fullPath: '/trip/a.jpg', file: refused } as unknown as FileSystemEntry
    const folder = { isDirectory: true, name: 'b', fullPath: '/trip/b', createReader: () => ({ readEntries: refused }) } as unknown as FileSystemEntry
    const found = await fromDropped([file, folder].map((entry) => ({ entry, file: null })))
    expect(found).toEqual({ candidates: [], leftOut: [{ path: 'trip/a.jpg', reason: 'unreadable' }, { path: 'trip/b/', reason: 'unreadable' }] })
  })

  it('is found where browsers do not know folders', async () => {
    const file = fakeFile('a.jpg')
    const found = await fromDropped([{ entry: null, file }])
    expect(found.candidates).toEqual([{ file, path: 'a.jpg' }])
  })
})

describe('what was chosen or pasted', () => {
  it('has the path within a chosen folder', () => {
    const file = Object.defineProperty(fakeFile('a.jpg'), 'webkitRelativePath', { value: 'trip/a.jpg' })
    expect(fromFiles([file, fakeFile('b.jpg')]).candidates.map((one) => one.path)).toEqual(['trip/a.jpg', 'b.jpg'])
  })

  it('gets a name of its own when it was pasted', () => {
    const pasted = (file: File) => fromClipboard([file], new Date('2026-05-04T10:20:30Z')).candidates[0]?.path
    expect(pasted(fakeFile('image.png', 1, 'image/png'))).toBe('pasted-2026-05-04T10-20-30.png')
    expect(pasted(fakeFile('holiday.png', 1, 'image/png'))).toBe('holiday.png')
  })
})
