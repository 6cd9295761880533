// The stream of changes: one connection for the whole page, opened when somebody listens. The
// browser repeats a broken connection by itself and says where it was; when the server refuses,
// we try again later, each time a little later.
import { API } from './client'
import type { Change } from './schema'

type Listener = (change: Change) => void

const listeners = new Set<Listener>()
const gaps = new Set<() => void>()
let source: EventSource | undefined
let last: string | undefined
let wait = 1000
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls `listener` with every change from now on; answers with how to stop. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  open()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) close()
  }
}

/** Calls `act` when changes may have been missed, so that lists are loaded afresh. */
export function onGap(act: () => void): () => void {
  gaps.add(act)
  return () => gaps.delete(act)
}

function open(): void {
  if (source || timer) return
  source = new EventSource(`${API}/changes/stream?after=${encodeURIComponent(last ?? 'now')}`)
  source.addEventListener('open', () => (wait = 1000))
  source.addEventListener('change', (event) => {
    last = event.lastEventId || last
    const change = JSON.parse(event.data as string) as Change
    for (const listener of [...listeners]) listener(change)
  })
  source.addEventListener('error', () => {
    if (source?.readyState === EventSource.CLOSED) openLater()
  })
}

function openLater(): void {
  close()
  // A cursor that the server does not take any more is the usual reason to be refused.
  const missed = last !== undefined
  last = undefined
  timer = setTimeout(() => {
    timer = undefined
    if (listeners.size === 0) return
    open()
    if (missed) for (const act of [...gaps]) act()
  }, wait)
  wait = Math.min(wait * 2, 60_000)
}

function close(): void {
  clearTimeout(timer)
  timer = undefined
  source?.close()
  source = undefined
}
