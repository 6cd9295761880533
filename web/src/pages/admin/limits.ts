// Limits as people write them: photos, and gigabytes rather than bytes.

const GIGABYTE = 1_000_000_000

export function gigabytesOf(bytes: number): string {
  return String(Math.round((bytes / GIGABYTE) * 100) / 100)
}

/** A count that is not negative, or `undefined` if the text is none. */
export function countOf(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(number) && number >= 0 ? number : undefined
}

/** Bytes of so many gigabytes; a comma is as good as a point. What was not touched stays exact. */
export function bytesOf(text: string, before?: number): number | undefined {
  if (before !== undefined && text === gigabytesOf(before)) return before
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? Math.round(number * GIGABYTE) : undefined
}
