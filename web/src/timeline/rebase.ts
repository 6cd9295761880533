// Browsers cannot scroll through arbitrarily tall content, and become inexact long before. The
// scrolled element is therefore never taller than a bound; what it shows of the whole begins at
// `origin`, which is moved when an edge comes near.

export const HEIGHT_MAX = 6_000_000
/** So near to an edge it is moved at once, farther away only when the scrolling rests. */
const URGENT = 50_000
const RESTING = 1_500_000

export interface Scroll {
  origin: number
  top: number
}

export const elementHeight = (height: number): number => Math.min(height, HEIGHT_MAX)

/** The place of `y` (of the whole), in the middle of the element as far as possible. */
export function placeAt(y: number, height: number, viewport: number): Scroll {
  const element = elementHeight(height)
  const last = Math.max(0, height - viewport)
  const target = Math.min(Math.max(0, y), last)
  const origin = Math.round(Math.min(Math.max(0, target - element / 2), height - element))
  return { origin, top: target - origin }
}

/** The new place, if the element should be moved under what is seen; what is seen stays. */
export function rebased(scroll: Scroll, height: number, viewport: number, resting: boolean): Scroll | undefined {
  const element = elementHeight(height)
  if (height <= element) return scroll.origin === 0 ? undefined : placeAt(scroll.origin + scroll.top, height, viewport)
  const near = resting ? RESTING : URGENT
  const nearTop = scroll.top < near && scroll.origin > 0
  const nearBottom = element - viewport - scroll.top < near && scroll.origin + element < height
  if (!nearTop && !nearBottom) return undefined
  const moved = placeAt(scroll.origin + scroll.top, height, viewport)
  return moved.origin === scroll.origin ? undefined : moved
}
