// Where the keys lead in a grid.
import type { Layout } from './layout'
import { verticalNeighbour } from './neighbours'
import type { Shape } from './shape'

/** The photo that a key leads to from the current one, if it is a key that leads anywhere. */
export function moveTo(key: string, current: number, shape: Shape, layout: Layout, viewport: number): number | undefined {
  const last = shape.count - 1
  const page = Math.max(1, Math.floor(viewport / layout.options.rowHeight) - 1)
  const vertical = (step: 1 | -1, times = 1): number => {
    let index = current
    for (let time = 0; time < times; time += 1) index = verticalNeighbour(shape, layout, index, step)
    return index
  }
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, current - 1)
    case 'ArrowRight':
      return Math.min(last, current + 1)
    case 'ArrowUp':
      return vertical(-1)
    case 'ArrowDown':
      return vertical(1)
    case 'PageUp':
      return vertical(-1, page)
    case 'PageDown':
      return vertical(1, page)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
