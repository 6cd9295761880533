// Writes src/api/schema.ts from the API's own description, so that the two cannot drift apart:
// `node scripts/api-types.mjs` renews it, `--check` fails if it is not current.
import { readFileSync, writeFileSync } from 'node:fs'

const SOURCE = new URL('../../docs/openapi.json', import.meta.url)
const TARGET = new URL('../src/api/schema.ts', import.meta.url)

export function typesOf(document) {
  const schemas = document.components.schemas
  const names = Object.keys(schemas).filter((name) => !isPage(schemas[name]))
  const head = '// Made from docs/openapi.json by scripts/api-types.mjs; not to be edited.\n\n'
  const page = 'export interface Page<T> {\n  items: T[]\n  nextCursor?: string | null\n}\n'
  return head + page + names.map((name) => declare(name, schemas[name])).join('')
}

// Pages differ only in what they hold.
function isPage({ properties = {} }) {
  return Object.keys(properties).sort().join() === 'items,nextCursor'
}

// One line for each: it is to be read by programs; people read docs/openapi.json.
function declare(name, schema) {
  return `\n${comment(schema.description)}\nexport type ${name} = ${typeOf(schema)}\n`
}

function typeOf(schema) {
  if (!schema) return 'unknown'
  if (schema.$ref) return schema.$ref.split('/').pop()
  if (schema.allOf) return schema.allOf.map((part) => partOf(part)).join(' & ')
  const any = schema.oneOf ?? schema.anyOf
  if (any) return unique(any.map((part) => (part.type === 'null' ? 'null' : typeOf(part)))).join(' | ')
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  return plain(schema)
}

// A part that may be null is one whose fields may all be absent.
function partOf(part) {
  const some = part.oneOf?.filter((one) => one.type !== 'null')
  return some && some.length < part.oneOf.length ? `Partial<${typeOf(some[0])}>` : `(${typeOf(part)})`
}

function plain(schema) {
  switch (schema.type) {
    case 'null':
      return 'null'
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return `(${typeOf(schema.items)})[]`
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function objectOf(schema) {
  if (!schema.properties) {
    const values = schema.additionalProperties
    return `Record<string, ${values && values !== true ? typeOf(values) : 'unknown'}>`
  }
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties).map(([name, value]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${comment(value.description)} ${key}${required.has(name) ? '' : '?'}: ${typeOf(value)}`.trim()
  })
  return `{ ${fields.join('; ')} }`
}

function comment(text) {
  return text ? `/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '')} */` : ''
}

const unique = (list) => [...new Set(list)]

const text = typesOf(JSON.parse(readFileSync(SOURCE, 'utf8')))
if (process.argv.includes('--check')) {
  if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('src/api/schema.ts is not current; run: node scripts/api-types.mjs')
    process.exit(1)
  }
} else {
  writeFileSync(TARGET, text)
}
