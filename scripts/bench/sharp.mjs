// Makes renditions with sharp for `cargo xtask bench imaging`; see crates/xtask/src/bench/imaging.
// Arguments: the folder sharp is installed in, `usual` or `best`, the job as JSON.
import { createRequire } from 'node:module'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const [folder, way, jobText] = process.argv.slice(2)
const sharp = createRequire(`${folder}/`)('sharp')
const job = JSON.parse(jobText)

// One thread per pipeline: what is in flight together is decided by the benchmark.
sharp.concurrency(1)

const ways = {
  // As the documentation and most code has it: one pipeline per rendition, default effort.
  async usual(path) {
    const made = []
    for (const size of job.sizes) {
      const pipeline = sharp(path).autoOrient().resize(box(size)).webp({ quality: job.quality })
      made.push([size.name, await pipeline.toBuffer()])
    }
    return made
  },

  // As fast as it can be used: one decode, each rendition from the pixels of the next larger
  // one, and the effort that Ferrotype uses.
  async best(path) {
    const webp = { quality: job.quality, effort: job.effort }
    const made = []
    let larger = sharp(path).autoOrient()
    for (const size of job.sizes) {
      const { data, info } = await larger.resize(box(size)).raw().toBuffer({ resolveWithObject: true })
      const raw = { width: info.width, height: info.height, channels: info.channels }
      made.push([size.name, await sharp(data, { raw }).webp(webp).toBuffer()])
      larger = sharp(data, { raw })
    }
    return made
  },
}

function box({ width, height, fit }) {
  return { width, height, fit, withoutEnlargement: true }
}

async function answer({ id, path, out }) {
  try {
    const made = await ways[way](path)
    if (out) for (const [name, bytes] of made) await writeFile(`${out}/${name}.webp`, bytes)
    say({ id, sizes: made.map(([name, bytes]) => ({ name, bytes: bytes.length })) })
  } catch (error) {
    say({ id, error: String(error) })
  }
}

function say(line) {
  process.stdout.write(JSON.stringify(line) + '\n')
}

const { sharp: version, vips, webp } = sharp.versions
say({ version: `sharp ${version} (libvips ${vips}, libwebp ${webp}, Node.js ${process.versions.node})` })
for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line))
