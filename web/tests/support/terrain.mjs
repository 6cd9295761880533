// Mountains, lakes and dunes: a map of heights with light and shadow on it.

import { clamp, layered, valueNoise } from './noise.mjs'

export const SIDE = 1024

/** A map of heights in [0, 1] with its light, as seen from the direction of the sun. */
export function makeTerrain(seed, { ridges = 0.6, scale = 5, sun = [0.6, 0.5, 0.45], trees = 0 }) {
  const heights = heightsOf(seed, ridges, scale)
  if (trees > 0) plant(heights, seed, trees)
  return { heights, light: lightOn(heights, sun) }
}

/** The value of a map at a place, between its points. Beyond its rim the map goes on mirrored. */
export function heightAt(map, x, y) {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const [x0, x1] = [mirrored(left), mirrored(left + 1)]
  const [y0, y1] = [mirrored(top) * SIDE, mirrored(top + 1) * SIDE]
  const [across, down] = [x - left, y - top]
  const above = map[y0 + x0] + (map[y0 + x1] - map[y0 + x0]) * across
  const below = map[y1 + x0] + (map[y1 + x1] - map[y1 + x0]) * across
  return above + (below - above) * down
}

function mirrored(place) {
  const within = place & (2 * SIDE - 1)
  return within < SIDE ? within : 2 * SIDE - 1 - within
}

function heightsOf(seed, ridges, scale) {
  const [noise, bend] = [valueNoise(seed), valueNoise(seed + 1)]
  const heights = new Float32Array(SIDE * SIDE)
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const [u, v] = [(x / SIDE) * scale, (y / SIDE) * scale]
      // Bent, or ridges would run along the axes.
      const du = layered(bend, u * 0.8, v * 0.8, 3) * 1.4
      const dv = layered(bend, u * 0.8 + 40, v * 0.8 + 40, 3) * 1.4
      const soft = layered(noise, u + du, v + dv, 8, 0.48)
      const sharp = 1 - Math.abs(2 * layered(noise, u * 0.9 + dv, v * 0.9 + du, 7, 0.52) - 1) * 1.6
      heights[y * SIDE + x] = clamp(soft * (1 - ridges) + soft * sharp * ridges * 1.35)
    }
  }
  return heights
}

/** Roughens what lies low, as woods do. */
function plant(heights, seed, trees) {
  const noise = valueNoise(seed + 7)
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const at = y * SIDE + x
      const grows = clamp((0.5 - heights[at]) * 6)
      heights[at] += grows * trees * (noise(x * 0.83, y * 0.83) ** 2 - 0.2) * 0.018
    }
  }
}

/** How much sun falls on each point: by its slope, and none behind a mountain. */
function lightOn(heights, [sunX, sunY, sunZ]) {
  const light = new Float32Array(SIDE * SIDE)
  const steep = 150
  const length = Math.hypot(sunX, sunY, sunZ)
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const here = heights[y * SIDE + x]
      const dx = (heights[y * SIDE + Math.min(x + 1, SIDE - 1)] - here) * steep
      const dy = (heights[Math.min(y + 1, SIDE - 1) * SIDE + x] - here) * steep
      const facing = (-dx * sunX - dy * sunY + sunZ) / (Math.hypot(dx, dy, 1) * length)
      light[y * SIDE + x] = clamp(facing) * shadow(heights, x, y, here, [sunX, sunY, sunZ])
    }
  }
  return light
}

function shadow(heights, x, y, from, [sunX, sunY, sunZ]) {
  let open = 1
  for (let step = 2; step < 90; step += 4) {
    const px = mirrored(Math.round(x + sunX * step))
    const py = mirrored(Math.round(y + sunY * step))
    const over = heights[py * SIDE + px] - (from + (sunZ * step) / 190)
    if (over > 0) open = Math.min(open, clamp(1 - over * 40))
  }
  return open
}
