/**
 * The path of the host below which the gallery is, without a slash at its end: usually nothing, or such as
 * `/photos`. What stands in `href` and `src` begins with it; the router and the calls of the API add it by
 * themselves.
 */
export const base: string = baseOf(import.meta.url)

/** The scripts say where we are: they stand in `assets` (while one works on the gallery, elsewhere). */
export function baseOf(script: string): string {
  return /^(.*)\/assets\/[^/]+$/.exec(new URL(script).pathname)?.[1] ?? ''
}

/** The same address as our routes know it. */
export function below(path: string, from = base): string {
  return path === from ? '/' : path.startsWith(`${from}/`) ? path.slice(from.length) : path
}
