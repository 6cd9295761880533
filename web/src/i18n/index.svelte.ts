// All text on screen comes from here, by typed keys. English says which keys there are; other
// languages must have the same (the compiler checks it). Only the language in use is loaded.
import type { Texts } from './en'
import { fill, pluralOf, type Values } from './format'
import { KEPT, type Language } from './preferred'

export type Key = keyof Texts
type Stem<K> = K extends `${infer S}_other` ? S : never
export type PluralKey = Stem<Key>

export { languages, preferredLanguage, type Language } from './preferred'

type Some = Record<string, string>
/** The texts of the first page, and all others. */
const loaders: Record<Language, { core: () => Promise<{ core: Some }>; more: () => Promise<{ more: Some }> }> = {
  en: { core: () => import('./en/core'), more: () => import('./en/more') },
  de: { core: () => import('./de/core'), more: () => import('./de/more') },
}

class I18n {
  language = $state<Language>('en')
  texts = $state.raw<Record<string, string>>({})
  #rules = $derived(new Intl.PluralRules(this.language))
  /** Dates and numbers as in the reader's own country, if it speaks the language. */
  #locale = $derived(navigator.languages.find((name) => name.startsWith(this.language)) ?? this.language)

  #whole: Promise<void> | undefined

  /** Begins with a language: enough for the first page. */
  async use(language: Language): Promise<void> {
    this.language = language
    const { core } = await loaders[language].core()
    // The others may have come first.
    this.#take(language, { ...this.texts, ...core })
  }

  /** All texts; pages wait for it unless they need only the first ones. */
  whole(): Promise<void> {
    const { language } = this
    return (this.#whole ??= loaders[language].more().then(({ more }) => this.#take(language, { ...this.texts, ...more })))
  }

  async choose(language: Language): Promise<void> {
    localStorage.setItem(KEPT, language)
    const [{ core }, { more }] = await Promise.all([loaders[language].core(), loaders[language].more()])
    this.#whole = Promise.resolve()
    this.#take(language, { ...core, ...more })
  }

  #take(language: Language, texts: Some): void {
    this.texts = texts
    this.language = language
    document.documentElement.lang = language
  }

  text(key: Key, values?: Values): string {
    const text = this.texts[key] ?? key
    return values ? fill(text, values) : text
  }

  plural(key: PluralKey, count: number, values: Values = {}): string {
    return fill(pluralOf(this.texts, this.#rules, key, count), { count: this.number(count), ...values })
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
