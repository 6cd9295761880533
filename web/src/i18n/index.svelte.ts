// All text on screen comes from here, by typed keys. English says which keys there are; other
// languages must have the same (the compiler checks it). Only the language in use is loaded.
import type { Texts } from './en/texts'
import { fill, pluralOf, type Values } from './format'
import { KEPT, type Language } from './preferred'

export type Key = keyof Texts
type Stem<K> = K extends `${infer S}_other` ? S : never
export type PluralKey = Stem<Key>

export { languages, preferredLanguage, type Language } from './preferred'

type Table = Record<string, string>
/** One file for each language, with all texts: what is drawn never waits for its words. */
const loaders: Record<Language, () => Promise<{ texts: Table }>> = {
  en: () => import('./en/texts'),
  de: () => import('./de/texts'),
}

class I18n {
  language = $state<Language>('en')
  texts = $state.raw<Table>({})
  #rules = $derived(new Intl.PluralRules(this.language))
  /** Dates and numbers as in the reader's own country, if it speaks the language. */
  #locale = $derived(navigator.languages.find((name) => name.startsWith(this.language)) ?? this.language)

  /** Loads a language; nothing may be drawn before. */
  async use(language: Language): Promise<void> {
    const { texts } = await loaders[language]()
    this.texts = texts
    this.language = language
    document.documentElement.lang = language
  }

  async choose(language: Language): Promise<void> {
    localStorage.setItem(KEPT, language)
    await this.use(language)
  }

  text(key: Key, values?: Values): string {
    const text = this.texts[key] ?? missing(key)
    return values ? fill(text, values) : text
  }

  plural(key: PluralKey, count: number, values: Values = {}): string {
    const text = pluralOf(this.texts, this.#rules, key, count) ?? missing(key)
    return fill(text, { count: this.number(count), ...values })
  }

  number(value: number, options?: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(this.#locale, options).format(value)
  }

  date(value: string | number | Date, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
    return formatter(this.#locale, options).format(new Date(value))
  }

  dateTime(value: string | number | Date): string {
    return this.date(value, { dateStyle: 'medium', timeStyle: 'short' })
  }

  bytes(value: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
    let unit = 0
    let amount = value
    while (Math.abs(amount) >= 1000 && unit < units.length - 1) {
      amount /= 1000
      unit += 1
    }
    return this.number(amount, { style: 'unit', unit: units[unit], unitDisplay: 'short', maximumFractionDigits: unit > 1 && amount < 100 ? 1 : 0 })
  }
}

/** A key that has no text is a mistake of ours: nobody is shown it, and it is found by developers and tests. */
function missing(key: string): string {
  if (import.meta.env.DEV) throw new Error(`no text for the key ${key}`)
  console.error(`no text for the key ${key}`)
  return '…'
}

// Making a formatter is slow and days are formatted while scrolling.
const formatters = new Map<string, Intl.DateTimeFormat>()
function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = language + JSON.stringify(options)
  let found = formatters.get(name)
  if (!found) formatters.set(name, (found = new Intl.DateTimeFormat(language, options)))
  return found
}

export const i18n = new I18n()

/** The text of a key: `t('nav.albums')`, `t('share.ends', { date })`. */
export const t = (key: Key, values?: Values): string => i18n.text(key, values)
/** A text that counts: `n('photos', 3)` is “3 photos”. */
export const n = (key: PluralKey, count: number, values?: Values): string => i18n.plural(key, count, values)
