// The one place that speaks HTTP. The session is a cookie that scripts cannot read, and the browser
// itself says that a request comes from our page (`Sec-Fetch-Site`), so there is nothing to add.
import { base } from '../base'
import { takeEarly } from './early'
import { ApiError, errorOf, isAborted } from './errors'
import type { Page } from './schema'

export const API = `${base}/api/v1`

type Value = string | number | boolean | null | undefined
export type Query = Record<string, Value>

export interface Options {
  query?: Query
  signal?: AbortSignal
  headers?: Record<string, string>
  /** The version that is to be changed; sent as `If-Match`. */
  version?: number
}

let onSignedOut: () => void = () => {}

/** Told when the server no longer knows who is asking. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  const whole = API + path
  return text ? `${whole}?${text}` : whole
}

export async function send(method: string, path: string, body?: unknown, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
  if (options.version !== undefined) headers['if-match'] = `"${options.version}"`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await reach(address(path, options.query), {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: options.signal,
    credentials: 'same-origin',
  })
  if (response.ok) return response
  const error = await errorOf(response)
  if (error.status === 401 && error.code === 'unauthenticated') onSignedOut()
  throw error
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const early = init.method === 'GET' ? takeEarly(url) : undefined
    return (early && (await early)) ?? (await fetch(url, init))
  } catch (error) {
    if (isAborted(error)) throw error
    throw new ApiError('offline', String(error), 0)
  }
}

async function json<T>(response: Response): Promise<T> {
  return response.status === 204 || response.headers.get('content-length') === '0'
    ? (undefined as T)
    : ((await response.json()) as T)
}

export const get = async <T>(path: string, options?: Options): Promise<T> => json(await send('GET', path, undefined, options))
export const post = async <T = void>(path: string, body?: unknown, options?: Options): Promise<T> =>
  json(await send('POST', path, body, options))
export const put = async <T = void>(path: string, body?: unknown, options?: Options): Promise<T> =>
  json(await send('PUT', path, body, options))
export const patch = async <T = void>(path: string, body?: unknown, options?: Options): Promise<T> =>
  json(await send('PATCH', path, body, options))
export const del = async <T = void>(path: string, options?: Options): Promise<T> =>
  json(await send('DELETE', path, undefined, options))

export type Pager<T> = (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>

/** A list of the API, page by page. */
export function pager<T>(path: string, query: Query = {}): Pager<T> {
  return (cursor, signal) => get<Page<T>>(path, { query: { limit: 100, ...query, cursor }, signal })
}

/** Everything of a list that is known to be short; stops at `max` entries. */
export async function all<T>(path: string, query: Query = {}, max = 1000): Promise<T[]> {
  const next = pager<T>(path, query)
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await next(cursor)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor && items.length < max)
  return items
}
