import { mount } from 'svelte'
import App from './App.svelte'
import { i18n, preferredLanguage } from './i18n'
import { startOffline } from './offline/register'
import { router } from './router'
import { session } from './state/session.svelte'
import { theme } from './state/theme.svelte'
import './styles/tokens.css'
import './styles/base.css'

/** What is not needed for the first page comes when that one has what it needs, also on slow connections. */
const LATER_MS = 3000

async function start(): Promise<void> {
  theme.start()
  // Who is asking, in which language and for which page are found out at once. The frame waits for
  // the first two; the page comes into it.
  const texts = i18n.use(preferredLanguage())
  void router.place.route.load().catch(() => {})
  await Promise.all([texts, session.load()])

  const target = document.getElementById('app')
  target?.replaceChildren()
  if (target) mount(App, { target })
  setTimeout(startOffline, LATER_MS)
}

void start()
