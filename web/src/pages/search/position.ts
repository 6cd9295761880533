// Where a search was not understood.

export interface Marked {
  before: string
  wrong: string
  after: string
}

/**
 * A query parted where it is wrong. The server counts characters, not the halves of which JavaScript's texts are
 * made, so emoji count as one.
 */
export function markedAt(query: string, offset: number, found: string | undefined): Marked {
  const characters = Array.from(query)
  const start = Math.min(Math.max(offset, 0), characters.length)
  const length = Math.max(1, Array.from(found ?? '').length)
  return {
    before: characters.slice(0, start).join(''),
    wrong: characters.slice(start, start + length).join(''),
    after: characters.slice(start + length).join(''),
  }
}
