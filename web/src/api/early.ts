// Answers that were asked for before anybody needs them: at the very start, while the app itself is
// still on its way. It must need nothing but the browser, since it is there first.

/** Older answers may be wrong by now. */
const FRESH_MS = 10_000

const asked = new Map<string, { answer: Promise<Response | undefined>; at: number }>()

export function askEarly(url: string, headers: Record<string, string>): void {
  const answer = fetch(url, { headers, credentials: 'same-origin' }).catch(() => undefined)
  asked.set(url, { answer, at: performance.now() })
}

/**
 * The answer, once, if it was asked for just now; it comes to nothing if it is not a good one. Then, or
 * if it was not asked for, it is to be asked for as ever.
 */
export function takeEarly(url: string): Promise<Response | undefined> | undefined {
  const found = asked.get(url)
  if (!found) return undefined
  asked.delete(url)
  if (performance.now() - found.at > FRESH_MS) return undefined
  return found.answer.then((answer) => (answer?.ok ? answer : undefined))
}
