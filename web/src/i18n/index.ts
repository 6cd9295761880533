export { i18n, languages, n, preferredLanguage, t, type Key, type Language, type PluralKey } from './index.svelte'
