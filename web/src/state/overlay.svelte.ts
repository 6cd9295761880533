import { untrack } from 'svelte'

// Whether something covers the whole page, such as the viewer; what is below is then out of reach.
class Overlay {
  #count = $state(0)

  get open(): boolean {
    return this.#count > 0
  }

  /** Covers the page; answers with how to uncover it. */
  cover(): () => void {
    const add = (by: number): void => untrack(() => void (this.#count += by))
    add(1)
    return () => add(-1)
  }
}

export const overlay = new Overlay()

/** Moves an element to the end of the document, out of what it would be clipped or covered by. */
export function portal(node: HTMLElement): { destroy: () => void } {
  document.body.append(node)
  return { destroy: () => node.remove() }
}
