// What the first page loads must stay small: the scripts of index.html with all they import at
// once, and the texts of one language. Everything else is loaded when it is needed.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** 60 KB, and what all texts of a language take more than those of the first page alone. */
const LIMIT_BYTES = 69_000
const dist = process.argv[2] ?? 'dist'
const assets = join(dist, 'assets')

const html = readFileSync(join(dist, 'index.html'), 'utf8')
const first = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map((found) => found[1])
const languages = readdirSync(assets).filter((name) => /^texts-.*\.js$/.test(name))

const seen = new Set()
function follow(name) {
  if (seen.has(name)) return
  seen.add(name)
  const text = readFileSync(join(assets, name), 'utf8')
  for (const found of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) follow(found[1])
}
first.forEach(follow)

const size = (name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length
const rows = [...seen].map((name) => [name, size(name)])
const language = Math.max(0, ...languages.filter((name) => !seen.has(name)).map(size))
const total = rows.reduce((sum, [, bytes]) => sum + bytes, language)
for (const [name, bytes] of rows) console.log(String(bytes).padStart(7), name)
console.log(String(language).padStart(7), 'texts in one language')
console.log(String(total).padStart(7), `bytes gzipped at the start; allowed are ${LIMIT_BYTES}`)
if (first.length === 0 || total > LIMIT_BYTES) process.exit(1)
