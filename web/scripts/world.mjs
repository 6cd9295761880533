// Draws the outline of the world that the small map shows, from Natural Earth's data (public domain)
// as packed by world-atlas. It is seldom run, so its two packages are not among ours:
//   npm install --no-save world-atlas@2.0.2 topojson-client@3.1.0 && node scripts/world.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'

const require = createRequire(import.meta.url)
const world = JSON.parse(readFileSync(require.resolve('world-atlas/countries-110m.json'), 'utf8'))
const land = feature(world, world.objects.land).features.flatMap(({ geometry }) => geometry.coordinates.flat())
const borders = mesh(world, world.objects.countries, (one, other) => one !== other).coordinates

// Tenths of a degree, from one point to the next: east is right, south is down.
function line(points, closed) {
  let x = 0
  let y = 0
  const steps = []
  points.forEach(([longitude, latitude], index) => {
    const [toX, toY] = [Math.round(longitude * 10), Math.round(-latitude * 10)]
    if (index > 0 && toX === x && toY === y) return
    steps.push(`${toX - x} ${toY - y}`)
    x = toX
    y = toY
  })
  const [first, ...rest] = steps
  // Each line begins with an absolute place, since the one before it may end anywhere.
  return `M${first}l${rest.join(' ')}${closed ? 'z' : ''}`
}

const text = `// Made by scripts/world.mjs from Natural Earth's data; not to be edited.
// Tenths of a degree: x is the longitude, y the latitude with south down.
export const land =
  '${land.map((ring) => line(ring, true)).join('').replaceAll(' -', '-')}'
export const borders =
  '${borders.map((points) => line(points, false)).join('').replaceAll(' -', '-')}'
`
writeFileSync(new URL('../src/viewer/world.ts', import.meta.url), text)
