import { describe, expect, it } from 'vitest'
import { fromFiles } from './collect'
import { fakeFile } from './fakes'

/** The paths of photos with the names of their sidecars, and what is left out. */
function paired(...names: string[]): [Record<string, string | undefined>, string[]] {
  const files = names.map((path) => {
    const file = fakeFile(path.split('/').at(-1) ?? path, 10, path.endsWith('xmp') ? '' : 'image/jpeg')
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return file
  })
  const { candidates, leftOut } = fromFiles(files)
  return [Object.fromEntries(candidates.map(({ path, sidecar }) => [path, sidecar?.name])), leftOut.map(({ path, reason }) => `${path} ${reason}`)]
}

describe('sidecars', () => {
  it('go with the photo of their name, by both habits', () => {
    expect(paired('a/1.jpg', 'a/1.jpg.xmp', 'a/2.JPG', 'a/2.XMP', 'b/1.jpg')).toEqual([
      { 'a/1.jpg': '1.jpg.xmp', 'a/2.JPG': '2.XMP', 'b/1.jpg': undefined },
      [],
    ])
  })

  it('mean the RAW file of photos with one name', () => {
    expect(paired('1.jpg', '1.nef', '1.xmp')[0]).toEqual({ '1.jpg': undefined, '1.nef': '1.xmp' })
    expect(paired('1.jpg', '1.png', '1.xmp')[0]).toEqual({ '1.jpg': '1.xmp', '1.png': '1.xmp' })
  })

  it('are left out without their photo', () => {
    expect(paired('1.jpg', '2.xmp')).toEqual([{ '1.jpg': undefined }, ['2.xmp sidecarAlone']])
  })
})
