// Starts the service worker, says when there is no connection, and offers a new version.
import { base } from '../base'
import { t } from '../i18n'
import { toasts } from '../state/toasts.svelte'

export function startOffline(): void {
  addEventListener('offline', () => toasts.show(t('app.offline')))
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  void navigator.serviceWorker.register(`${base}/sw.js`).then(watch, () => {})
}

function watch(registration: ServiceWorkerRegistration): void {
  registration.addEventListener('updatefound', () => {
    const fresh = registration.installing
    fresh?.addEventListener('statechange', () => {
      // The first one has nothing to take over from.
      if (fresh.state === 'installed' && navigator.serviceWorker.controller) offer(fresh)
    })
  })
}

function offer(fresh: ServiceWorker): void {
  toasts.show(t('app.updated'), {
    label: t('app.reload'),
    run: () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      fresh.postMessage('take')
    },
  })
}

/** What is kept belongs to whoever was signed in. */
export function forgetOffline(): void {
  navigator.serviceWorker?.controller?.postMessage('forget')
}
