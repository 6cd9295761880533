// The language to begin with. Needed before anything else, so it needs nothing else.

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

export const KEPT = 'ferrotype.language'

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT)
  const wanted = [kept, ...navigator.languages].map((name) => name?.slice(0, 2))
  return (wanted.find((name) => name !== undefined && name !== null && name in languages) as Language | undefined) ?? 'en'
}
