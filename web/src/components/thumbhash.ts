// Tiny previews become data: addresses. Decoding takes about half a millisecond, so what was
// decoded is kept, up to a bound.
import { thumbHashToDataURL } from 'thumbhash'

const KEPT = 600
const cache = new Map<string, string>()

export function previewOf(thumbhash: string | null | undefined): string | undefined {
  if (!thumbhash) return undefined
  const found = cache.get(thumbhash)
  if (found !== undefined) return found
  const url = decode(thumbhash)
  if (cache.size >= KEPT) cache.delete(cache.keys().next().value as string)
  cache.set(thumbhash, url)
  return url
}

function decode(thumbhash: string): string {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)))
  } catch {
    return ''
  }
}
