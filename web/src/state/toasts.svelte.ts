// Short messages at the edge of the screen, with a way back where there is one.
import { ApiError, isAborted } from '../api'
import { i18n, t } from '../i18n'

export interface Toast {
  id: number
  text: string
  kind: 'plain' | 'error'
  action?: { label: string; run: () => void }
}

const SHORT = 4000
const LONG = 9000

class Toasts {
  list = $state<Toast[]>([])
  #next = 1

  show(text: string, action?: Toast['action']): number {
    return this.#add({ text, kind: 'plain', action }, action ? LONG : SHORT)
  }

  /** Says that it is done and offers to take it back. */
  undo(text: string, undo: () => unknown): number {
    return this.show(text, { label: t('do.undo'), run: () => void Promise.resolve(undo()).catch((error: unknown) => this.error(error)) })
  }

  error(error: unknown): void {
    if (isAborted(error)) return
    this.#add({ text: explain(error), kind: 'error' }, LONG)
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  #add(toast: Omit<Toast, 'id'>, time: number): number {
    const id = this.#next++
    // More than three at once nobody reads.
    this.list = [...this.list.slice(-2), { ...toast, id }]
    setTimeout(() => this.dismiss(id), time)
    return id
  }
}

/** What went wrong: in our words if we have some for its code, else in those of the API. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'offline') return t('error.offline')
  const text = i18n.texts[`code.${error.code}`] ?? error.message
  return error.code === 'internal' && error.requestId ? `${text} ${t('error.id', { id: error.requestId })}` : text
}

export const toasts = new Toasts()
