// Filling in texts: `{name}` is replaced by what is given.

export type Values = Record<string, string | number>

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

/** `photos` has the texts `photos_one` and `photos_other`; a language may have more forms. */
export function pluralOf(texts: Record<string, string>, rules: Intl.PluralRules, key: string, count: number): string | undefined {
  return texts[`${key}_${rules.select(count)}`] ?? texts[`${key}_other`]
}
