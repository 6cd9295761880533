// Which file of XMP belongs to which photo: `photo.jpg.xmp`, or `photo.xmp`, which of photos with one
// name means the RAW file, since programs write into others themselves.
import type { Candidate } from './types'

const RAW = new Set(
  'dng cr2 cr3 crw nef nrw arw srf sr2 orf rw2 raf pef srw 3fr fff erf kdc dcr mef mos mrw raw rwl iiq x3f gpr cap'.split(' '),
)

/** More is no sidecar, and is not sent with a photo. */
export const SIDECAR_BYTES_MAX = 1024 * 1024

/** Whether a file is called like one. */
export const isSidecar = (name: string): boolean => /.\.xmp$/i.test(name)

const lower = (path: string): string => path.toLowerCase()
const withoutEnding = (path: string): string => path.replace(/\.[^./]*$/, '')
const isRaw = (path: string): boolean => RAW.has(lower(path).split('.').at(-1) ?? '')

/** Gives each photo its sidecar; tells which are left. */
export function pair(photos: readonly Candidate[], sidecars: readonly Candidate[]): { photos: Candidate[]; left: Candidate[] } {
  const byPath = new Map(sidecars.map((sidecar) => [lower(withoutEnding(sidecar.path)), sidecar]))
  const withRaw = new Set(photos.filter(({ path }) => isRaw(path)).map(({ path }) => lower(withoutEnding(path))))
  const used = new Set<Candidate>()
  const paired = photos.map((photo) => {
    const name = lower(withoutEnding(photo.path))
    const shared = isRaw(photo.path) || !withRaw.has(name) ? byPath.get(name) : undefined
    const sidecar = byPath.get(lower(photo.path)) ?? shared
    if (!sidecar) return photo
    used.add(sidecar)
    return { ...photo, sidecar: sidecar.file }
  })
  return { photos: paired, left: sidecars.filter((sidecar) => !used.has(sidecar)) }
}
