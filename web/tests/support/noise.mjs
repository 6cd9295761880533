// Seeded chance and smooth noise, from which the pictures of the tests are made.

/** Numbers in [0, 1) that are the same for the same seed. */
export function dice(seed) {
  let state = seed >>> 0 || 1
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Value noise in [0, 1], which repeats every 256 units. */
export function valueNoise(seed) {
  const roll = dice(seed)
  const lattice = Float32Array.from({ length: 65536 }, roll)
  return (x, y) => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const across = ease(x - left)
    const down = ease(y - top)
    const [x0, x1] = [left & 255, (left + 1) & 255]
    const [y0, y1] = [(top & 255) << 8, ((top + 1) & 255) << 8]
    const above = lattice[y0 | x0] + (lattice[y0 | x1] - lattice[y0 | x0]) * across
    const below = lattice[y1 | x0] + (lattice[y1 | x1] - lattice[y1 | x0]) * across
    return above + (below - above) * down
  }
}

/** Noise on many scales, each finer one weaker, in [0, 1]. */
export function layered(noise, x, y, octaves, gain = 0.5) {
  let [sum, weight, total, scale] = [0, 1, 0, 1]
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += weight * noise(x * scale + octave * 17.3, y * scale + octave * 9.1)
    total += weight
    weight *= gain
    scale *= 2.03
  }
  return sum / total
}

export const clamp = (value, low = 0, high = 1) => Math.min(Math.max(value, low), high)
export const mix = (from, to, part) => from + (to - from) * part
export const smooth = (from, to, value) => ease(clamp((value - from) / (to - from)))
/** Between two colours. */
export const blend = (a, b, part) => [mix(a[0], b[0], part), mix(a[1], b[1], part), mix(a[2], b[2], part)]

function ease(part) {
  return part * part * (3 - 2 * part)
}
