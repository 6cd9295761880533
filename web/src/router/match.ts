// Paths with names in them, such as `/albums/:id`.

export type Params = Record<string, string>

/** The named parts of `path` if it has the form of `pattern`. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const want = parts(pattern)
  const have = parts(path)
  if (want.length !== have.length) return undefined
  const params: Params = {}
  for (const [index, part] of want.entries()) {
    const value = have[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return params
}

const parts = (path: string): string[] => path.split('/').filter((part) => part !== '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
