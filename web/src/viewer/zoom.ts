// Zooming and panning. A scale of 1 fits the picture into the stage; x and y say how far its middle
// is from the middle of the stage.

export interface View {
  scale: number
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 }

/** The size at which a picture is seen whole. */
export function fitted(picture: Size, stage: Size): Size {
  if (picture.width <= 0 || picture.height <= 0) return stage
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height)
  return { width: picture.width * factor, height: picture.height * factor }
}

/** So far one may go in: twice as near as pixel for pixel, and always a good step. */
export function scaleMax(picture: Size, stage: Size, density: number): number {
  const fit = fitted(picture, stage)
  return Math.max(3, (picture.width / Math.max(1, fit.width * density)) * 2)
}

/** Zooms so that the point under the finger or the pointer stays where it is. */
export function zoomAt(view: View, scale: number, at: { x: number; y: number }): View {
  const factor = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor }
}

/** Keeps the picture on the stage: no gap at an edge that could be filled. */
export function bounded(view: View, fit: Size, stage: Size, max: number): View {
  const scale = Math.min(max, Math.max(1, view.scale))
  const limit = (side: number, room: number): number => Math.max(0, (side * scale - room) / 2)
  const clamp = (value: number, bound: number): number => Math.min(bound, Math.max(-bound, value)) || 0
  return { scale, x: clamp(view.x, limit(fit.width, stage.width)), y: clamp(view.y, limit(fit.height, stage.height)) }
}

export const isWhole = (view: View): boolean => view.scale <= 1.01
