// Pictures that look like photographs of landscapes, made from a seed.

import { blend, clamp, dice, layered, mix, smooth, valueNoise } from './noise.mjs'
import { heightAt, makeTerrain, SIDE } from './terrain.mjs'

/** What the light and the land are like. Colours have levels from 0 to 255. */
export const MOODS = {
  alpine: {
    zenith: [58, 108, 176],
    horizon: [196, 214, 232],
    sun: [255, 244, 222],
    shade: [52, 70, 104],
    low: [62, 88, 40],
    high: [128, 118, 106],
    top: [246, 248, 252],
    snow: 0.62,
    water: 0.3,
    haze: 0.75,
    clouds: 0.5,
    terrain: { ridges: 0.75, scale: 5, sun: [0.7, -0.3, 0.5], trees: 1 },
  },
  evening: {
    zenith: [52, 62, 120],
    horizon: [252, 168, 104],
    sun: [255, 176, 98],
    shade: [58, 48, 88],
    low: [78, 68, 44],
    high: [122, 92, 82],
    top: [250, 214, 196],
    snow: 0.72,
    water: 0.34,
    haze: 1.1,
    clouds: 0.75,
    terrain: { ridges: 0.7, scale: 4.5, sun: [-0.9, -0.5, 0.26], trees: 1 },
  },
  dunes: {
    zenith: [70, 128, 190],
    horizon: [240, 216, 178],
    sun: [255, 226, 176],
    shade: [118, 74, 60],
    low: [214, 156, 96],
    high: [226, 172, 110],
    top: [236, 190, 130],
    snow: 2,
    water: -1,
    haze: 0.8,
    clouds: 0.15,
    terrain: { ridges: 0.25, scale: 3, sun: [0.85, 0.2, 0.3], trees: 0 },
  },
  coast: {
    zenith: [46, 116, 188],
    horizon: [206, 226, 236],
    sun: [255, 250, 236],
    shade: [48, 78, 92],
    low: [92, 126, 58],
    high: [150, 140, 112],
    top: [196, 188, 168],
    snow: 2,
    water: 0.43,
    haze: 0.7,
    clouds: 0.6,
    terrain: { ridges: 0.45, scale: 5, sun: [0.4, 0.7, 0.6], trees: 0.8 },
  },
  autumn: {
    zenith: [104, 142, 184],
    horizon: [232, 222, 204],
    sun: [255, 232, 190],
    shade: [66, 58, 70],
    low: [176, 98, 32],
    high: [124, 96, 66],
    top: [214, 206, 196],
    snow: 0.8,
    water: 0.33,
    haze: 1.2,
    clouds: 0.55,
    terrain: { ridges: 0.5, scale: 6, sun: [0.6, -0.6, 0.4], trees: 1.6 },
  },
  fog: {
    zenith: [150, 166, 182],
    horizon: [222, 226, 228],
    sun: [236, 234, 226],
    shade: [84, 100, 112],
    low: [54, 74, 60],
    high: [104, 112, 112],
    top: [230, 234, 236],
    snow: 0.75,
    water: 0.25,
    haze: 1.5,
    clouds: 0.35,
    terrain: { ridges: 0.65, scale: 6, sun: [0.5, 0.5, 0.6], trees: 1.5 },
  },
  night: {
    zenith: [6, 10, 26],
    horizon: [26, 44, 66],
    sun: [70, 92, 128],
    shade: [8, 14, 28],
    low: [24, 34, 34],
    high: [44, 50, 60],
    top: [132, 146, 168],
    snow: 0.6,
    water: 0.32,
    haze: 0.6,
    clouds: 0,
    stars: true,
    terrain: { ridges: 0.75, scale: 5, sun: [0.4, 0.6, 0.5], trees: 1 },
  },
}

/** A picture of so many pixels: `{ width, height, data }`, four bytes each. */
export function landscape(seed, mood, width, height) {
  const scene = MOODS[mood]
  const picture = { width, height, data: new Uint8Array(width * height * 4) }
  const view = lookFrom(seed, scene, width, height)
  const sky = skyOf(seed, scene, view)
  const below = paintSky(picture, sky, view)
  paintLand(picture, below, seed, scene, view, sky)
  develop(picture, seed)
  return picture
}

function lookFrom(seed, scene, width, height) {
  const roll = dice(seed * 31 + 5)
  const terrain = makeTerrain(seed, scene.terrain)
  return {
    ...goodPlace(roll, terrain.heights, scene),
    terrain,
    width,
    height,
    horizon: height * (0.34 + roll() * 0.12),
    // As much is seen across as a lens of 28 mm shows, the longer side counting.
    lens: Math.max(width, height) * 0.85,
    sunAcross: width * (0.15 + roll() * 0.7),
    sunUp: 0.25 + roll() * 0.5,
  }
}

/** Where to stand, and where to look: of some places, that with the widest and liveliest view. */
function goodPlace(roll, heights, scene) {
  const places = Array.from({ length: 60 }, () => {
    const [x, y, turn] = [roll() * SIDE, roll() * SIDE, roll() * Math.PI * 2]
    const eye = Math.max(heightAt(heights, x, y), scene.water) + 0.06 + roll() * 0.1
    let [hidden, lowest, highest, water] = [0, 1, 0, 0]
    for (const slant of [-0.5, -0.2, 0, 0.2, 0.5]) {
      for (let far = 6; far < 420; far *= 1.25) {
        const ground = heightAt(heights, x + Math.cos(turn + slant) * far, y + Math.sin(turn + slant) * far)
        hidden += clamp((ground - eye + 0.03) * 12) * (60 / (far + 20))
        lowest = Math.min(lowest, ground)
        highest = Math.max(highest, ground)
        if (ground < scene.water) water += 1
      }
    }
    return { x, y, turn, eye, worth: (highest - lowest) * 4 - hidden + Math.min(water, 30) * 0.03 }
  })
  return places.reduce((best, place) => (place.worth > best.worth ? place : best))
}

function skyOf(seed, scene, view) {
  const noise = valueNoise(seed + 11)
  const roll = dice(seed + 12)
  const stars = scene.stars ? Array.from({ length: 900 }, () => [roll() * view.width, roll() * view.horizon * 1.2, roll() ** 3]) : []
  const at = (x, y) => {
    const up = clamp(1 - y / view.horizon)
    let colour = blend(scene.horizon, scene.zenith, up ** 0.65)
    const away = Math.hypot((x - view.sunAcross) / view.width, (y - view.horizon * (1 - view.sunUp)) / view.height)
    colour = blend(colour, scene.sun, 0.75 * Math.exp(-away * away * 18) + 0.35 * Math.exp(-away * 4))
    if (scene.clouds === 0) return colour
    const far = 1 / (up + 0.12)
    const puff = layered(noise, (x / view.width - 0.5) * far * 3 + 20, far * 2.2, 6, 0.55)
    const cover = smooth(0.62 - scene.clouds * 0.22, 0.86 - scene.clouds * 0.12, puff) * smooth(0, 0.1, up) * 0.9
    const lit = blend(blend(scene.horizon, scene.shade, 0.25), [255, 252, 248], smooth(0.45, 0.8, puff) * 0.8)
    return blend(colour, blend(lit, scene.sun, Math.exp(-away * 3) * 0.5), cover)
  }
  return { at, stars }
}

/** Paints the sky; returns for each column how far down the land may begin: everywhere. */
function paintSky(picture, sky, view) {
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) put(picture, x, y, sky.at(x, Math.min(y, view.horizon)))
  }
  for (const [x, y, bright] of sky.stars) {
    if (y < picture.height) put(picture, Math.floor(x), Math.floor(y), [120 + bright * 135, 125 + bright * 130, 140 + bright * 115])
  }
  return new Float32Array(picture.width).fill(picture.height)
}

/** From near to far, column by column: what is nearer hides what is behind it. */
function paintLand(picture, below, seed, scene, view, sky) {
  const grain = valueNoise(seed + 21)
  const { heights, light } = view.terrain
  for (let column = 0; column < picture.width; column += 1) {
    const slant = (column - picture.width / 2) / view.lens
    const [dx, dy] = [Math.cos(view.turn) - Math.sin(view.turn) * slant, Math.sin(view.turn) + Math.cos(view.turn) * slant]
    for (let far = 4; far < 900; far *= 1.006) {
      const [x, y] = [view.x + dx * far, view.y + dy * far]
      const ground = heightAt(heights, x, y)
      const isWater = ground < scene.water
      const top = view.horizon + ((view.eye - Math.max(ground, scene.water)) * 95 * view.lens) / far
      if (top >= below[column]) continue
      const place = { x, y, far, ground, light: heightAt(light, x, y) }
      const from = Math.max(Math.ceil(top), 0)
      const colour = isWater ? undefined : landColour(scene, grain, place)
      for (let row = from; row < below[column]; row += 1) {
        const seen = colour ?? waterColour(picture, scene, view, sky, grain, place, column, row)
        put(picture, column, row, hazed(scene, seen, far))
      }
      below[column] = Math.min(below[column], Math.max(top, 0))
      if (below[column] <= 0) break
    }
  }
}

function landColour(scene, grain, { x, y, ground, light }) {
  const fine = grain(x * 1.7, y * 1.7) * 0.5 + grain(x * 6.1, y * 6.1) * 0.5
  const patch = grain(x * 0.12, y * 0.12)
  let colour = blend(scene.low, scene.high, smooth(0.36, 0.56, ground + (patch - 0.5) * 0.12))
  const snow = smooth(scene.snow - 0.06, scene.snow + 0.05, ground + (fine - 0.5) * 0.08)
  colour = blend(colour, scene.top, snow)
  // Snow has no grain, and would lose its shape if it were any brighter.
  const bright = mix(0.95 + fine * 0.5, 0.82 + fine * 0.16, snow)
  const lit = colour.map((level, channel) => (level * bright * scene.sun[channel]) / 255)
  const shaded = colour.map((level, channel) => (level * bright * 0.5 + scene.shade[channel] * 0.55) * 0.8)
  return blend(shaded, lit, clamp(light * 1.45))
}

/** Water shows the sky, disturbed by waves; where it is shallow, the ground. */
function waterColour(picture, scene, view, sky, grain, { x, y, far, ground }, column, row) {
  const wave = (layered(grain, x * 3.1, y * 3.1, 3) - 0.5) * (26 / (1 + far * 0.02))
  const mirrored = clamp(2 * view.horizon - row + wave * 2.2, 0, view.horizon - 1)
  const reflected = sky.at(clamp(column + wave * 3, 0, picture.width - 1), mirrored)
  const deep = blend(scene.shade, scene.zenith, 0.25).map((level) => level * 0.72)
  const shallow = blend(deep, scene.low, 0.45)
  const body = blend(shallow, deep, smooth(0, 0.05, scene.water - ground))
  return blend(body, reflected, clamp(0.42 + far / 420 + wave * 0.015))
}

function hazed(scene, colour, far) {
  return blend(colour, blend(scene.horizon, scene.zenith, 0.12), 1 - Math.exp((-far / 520) * scene.haze))
}

/** What the camera adds: a darker rim, a curve, and grain. */
function develop({ width, height, data }, seed) {
  const roll = dice(seed + 99)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const rim = 1.06 - 0.2 * (((x / width - 0.5) * 1.5) ** 2 + ((y / height - 0.5) * 1.5) ** 2)
      const grain = (roll() + roll() - 1) * 5
      const at = (y * width + x) * 4
      for (let channel = 0; channel < 3; channel += 1) {
        const level = clamp((data[at + channel] * rim + grain) / 255)
        data[at + channel] = mix(level, level * level * (3 - 2 * level), 0.45) * 255
      }
    }
  }
}

function put({ width, data }, x, y, colour) {
  const at = (y * width + x) * 4
  data[at] = clamp(colour[0], 0, 255)
  data[at + 1] = clamp(colour[1], 0, 255)
  data[at + 2] = clamp(colour[2], 0, 255)
  data[at + 3] = 255
}
