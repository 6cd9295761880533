import { describe, expect, it } from 'vitest'
import { fromClipboard, fromFiles, fromDropped, mayBeImage } from './collect'
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

describe('images by name', () => {
  it.each([
    ['a.jpg', 'image/jpeg', true],
    ['a.HEIC', '', true],
    ['a.CR3', '', true],
    ['a.jxl', 'application/octet-stream', true],
    ['a.psd', 'image/vnd.adobe.photoshop', true],
    ['a.psb', '', true],
    ['a.jp2', '', true],
    ['a.tga', '', true],
    ['a.ico', 'image/vnd.microsoft.icon', true],
    ['a.svg', 'image/svg+xml', false],
    ['a.mp4', 'video/mp4', false],
    ['notes.txt', 'text/plain', false],
    ['.DS_Store', '', false],
    ['._a.jpg', 'image/jpeg', false],
    ['jpg', '', false],
  ])('%s of type %j: %s', (name, type, may) => {
    expect(mayBeImage({ name, type })).toBe(may)
  })
})

describe('what was dropped', () => {
  it('is found through folders, whole and in order', async () => {
    const children = [fakeFile('b10.jpg'), fakeFile('b9.jpg'), fakeFile('.hidden'), { name: 'sub', children: [fakeFile('x.jpg')] }]
    const found = await fromDropped(
      dropped([{ name: 'trip', children }, fakeFile('alone.jpg'), fakeFile('film.mov', 1, 'video/quicktime')]),
    )
    expect(found.candidates.map((one) => one.path)).toEqual(['trip/b9.jpg', 'trip/b10.jpg', 'trip/sub/x.jpg', 'alone.jpg'])
    expect(found.leftOut).toBe(2)
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
