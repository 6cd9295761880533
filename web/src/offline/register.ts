// The service worker keeps the app and the thumbnails that were looked at.
export function startOffline(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  void navigator.serviceWorker.register('/sw.js').catch(() => {})
}
