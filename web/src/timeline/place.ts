// Keeps what is seen where it is when photos come and go or the window changes, and finds it again
// when one comes back to a list.
import { boxOf, type Box, type Layout } from './layout'
import type { Mark, PhotoSource } from './source'

/** At the very top new photos may push the others down: that is where one waits for them. */
const TOP = 40

export interface PlaceHost {
  /** Where what is seen begins, and how to go elsewhere. */
  scroller: { readonly at: number; to: (y: number) => void }
  /** Where lists were left, by their names. */
  left: { keep: (name: string, top: number) => void; of: (name: string) => number }
}

export class KeptPlace {
  #mark: { mark: Mark; below: number } | undefined
  #shown: { source: PhotoSource; layout: Layout } | undefined
  #restored: string | undefined

  constructor(readonly host: PlaceHost) {}

  /** Notes what is seen; photos begin below `headHeight`. */
  remember(source: PhotoSource, layout: Layout, boxes: readonly Box[], headHeight: number): void {
    const { scroller, left } = this.host
    left.keep(source.name, scroller.at)
    const seen = scroller.at - headHeight
    const index = boxes.find((box) => box.top + box.height > seen)?.index
    const box = index === undefined ? undefined : boxOf(source.shape, layout, index)
    this.#mark = box && scroller.at > TOP ? { mark: source.mark(box.index), below: box.top - seen } : undefined
  }

  /** To be told what is shown before it is drawn; answers with whether it is another list than before. */
  follow(source: PhotoSource, layout: Layout, headHeight: number): boolean {
    const before = this.#shown
    this.#shown = { source, layout }
    if (before?.source !== source) {
      this.#mark = undefined
      return true
    }
    if (before.layout === layout || !this.#mark) return false
    const box = boxOf(source.shape, layout, source.find(this.#mark.mark))
    if (box) this.host.scroller.to(box.top - this.#mark.below + headHeight)
    return false
  }

  /** Whoever comes back finds the list where they left it, once. */
  restore(name: string): void {
    if (this.#restored === name) return
    this.#restored = name
    this.host.scroller.to(this.host.left.of(name))
  }
}
