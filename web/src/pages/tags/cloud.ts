// How large a tag is written: by the logarithm of its images, so that one frequent tag does not make all others small.

export interface Counted {
  tag: string
  count: number
}

/** Steps of size, from 0 to `STEPS - 1`. */
export const STEPS = 5

/** A step for each tag, by its place between the rarest and the most frequent of them. */
export function stepsOf(tags: readonly Counted[]): Map<string, number> {
  const logs = tags.map(({ count }) => Math.log(Math.max(count, 1)))
  const least = Math.min(...logs)
  const range = Math.max(...logs) - least
  return new Map(tags.map(({ tag }, place) => [tag, range === 0 ? 1 : stepOf(((logs[place] ?? least) - least) / range)]))
}

function stepOf(share: number): number {
  return Math.min(STEPS - 1, Math.floor(share * STEPS))
}
