import { mount } from 'svelte'
import App from './App.svelte'
import { i18n, preferredLanguage } from './i18n'
import { startOffline } from './offline/register'
import { session } from './state/session.svelte'
import { theme } from './state/theme.svelte'
import './styles/tokens.css'
import './styles/base.css'

theme.start()

// Who is asking and in which language are found out at once; the page waits for both.
await Promise.all([i18n.use(preferredLanguage()), session.load()])

const target = document.getElementById('app')
if (target) mount(App, { target })
startOffline()
// What the next page will need.
setTimeout(() => void i18n.whole(), 1500)
