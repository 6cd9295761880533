// An order by hand: what a drop or a key press means, and what to tell the server.

/** Some images put behind another one; `null` puts them first. What the server does, done here at once. */
export function moved(order: readonly string[], ids: readonly string[], behind: string | null): string[] {
  const moving = new Set(ids)
  const chosen = order.filter((id) => moving.has(id))
  const rest = order.filter((id) => !moving.has(id))
  const at = behind === null ? 0 : rest.indexOf(behind) + 1
  return [...rest.slice(0, at), ...chosen, ...rest.slice(at)]
}

/** Behind which image something stands that is dropped before the `index`-th; `null` if it is then the first. */
export function behindAt(order: readonly string[], ids: readonly string[], index: number): string | null {
  const moving = new Set(ids)
  return order.slice(0, index).findLast((id) => !moving.has(id)) ?? null
}

/**
 * Behind which image some stand after one step back or forth, or `undefined` if they are at the end already.
 * Several that are apart come together first.
 */
export function steppedBehind(order: readonly string[], ids: readonly string[], step: -1 | 1): string | null | undefined {
  const places = order.flatMap((id, place) => (ids.includes(id) ? [place] : []))
  const first = places[0]
  const last = places.at(-1)
  if (first === undefined || last === undefined) return undefined
  const target = step < 0 ? first - 1 : last + 2
  if (target < 0 || target > order.length) return undefined
  return behindAt(order, ids, target)
}
