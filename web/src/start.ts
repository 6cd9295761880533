// Runs before the app, which is much larger: sees which page will be the first and has the browser
// fetch what that one needs at the same time as the app. Everything works without it, only later.
import { askEarly } from './api/early'
import { base, below } from './base'
import { preferredLanguage } from './i18n/preferred'

const texts = { en: () => import('./i18n/en/texts'), de: () => import('./i18n/de/texts') }
const opened = below(location.pathname)
const ignore = (): void => {}

texts[preferredLanguage()]().catch(ignore)

// Whoever was here before is most likely signed in, and wants to see the photos.
if ((opened === '/' || opened === '/photos') && localStorage.getItem('ferrotype.user')) {
  import('./pages/Photos.svelte').catch(ignore)
  const by = localStorage.getItem('ferrotype.grid')?.includes('"by":"uploaded"') ? 'uploaded' : 'taken'
  askEarly(`${base}/api/v1/timeline?by=${by}`, { accept: 'application/octet-stream' })
}
