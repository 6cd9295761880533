import { describe, expect, it } from 'vitest'
import { FakeStorage } from './fakes'
import { Passage, PIECE_BYTES, PIECE_BYTES_MIN } from './passage'

const KB = 1024
const MB = 1024 * KB

describe('the way to the server', () => {
  it('is taken to let everything through until something is refused', () => {
    const passage = new Passage()
    expect([passage.pieceBytes, passage.takesWhole(PIECE_BYTES)]).toEqual([8 * MB, true])
  })

  it('halves the piece until one passes, and says when there is no smaller one', () => {
    const passage = new Passage()
    const tried = []
    do tried.push(passage.pieceBytes)
    while (passage.refusedPiece(passage.pieceBytes))
    expect(tried).toEqual([8 * MB, 4 * MB, 2 * MB, MB, 512 * KB])
    expect(passage.pieceBytes).toBe(PIECE_BYTES_MIN)
  })

  it('learns from how much was really sent', () => {
    const passage = new Passage()
    passage.refusedWhole(3 * MB)
    expect(passage.pieceBytes).toBe(2 * MB)
    expect(passage.refusedPiece(1_500_000)).toBe(true)
    expect(passage.pieceBytes).toBe(MB)
    // Another file was on its way with more already.
    expect(passage.refusedPiece(4 * MB)).toBe(true)
    expect(passage.pieceBytes).toBe(MB)
    expect(passage.refusedPiece(300 * KB)).toBe(false)
  })

  it('takes a file whole afterwards if it fits into a piece together with its form', () => {
    const passage = new Passage()
    // What stands around the file can be what was too much.
    passage.refusedWhole(MB)
    expect(passage.pieceBytes).toBe(MB)
    expect([900 * KB, MB - 100, MB, 2 * MB].map((bytes) => passage.takesWhole(bytes))).toEqual([true, false, false, false])
  })

  it('is remembered as long as the tab is open, and does without', () => {
    const store = new FakeStorage()
    new Passage(store).refusedPiece(2 * MB)
    expect(new Passage(store).pieceBytes).toBe(MB)
    for (const nonsense of ['', 'x', '-1', 'NaN']) {
      store.setItem('ferrotype.refusedBytes', nonsense)
      expect(new Passage(store).pieceBytes).toBe(PIECE_BYTES)
    }
    store.onWrite = () => {
      throw new Error('full')
    }
    const passage = new Passage(store)
    passage.refusedPiece(2 * MB)
    expect(passage.pieceBytes).toBe(MB)
  })
})
