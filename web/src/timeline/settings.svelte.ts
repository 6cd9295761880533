// How photos are shown, as everybody likes it on their own device.
import type { GroupBy } from './source'

export const sizes = ['small', 'medium', 'large'] as const
export type Size = (typeof sizes)[number]

const KEPT = 'ferrotype.grid'

class GridSettings {
  size = $state<Size>('medium')
  by = $state<'uploaded' | 'taken'>('taken')

  constructor() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<{ size: Size; by: GroupBy }>
      if (kept.size && sizes.includes(kept.size)) this.size = kept.size
      if (kept.by === 'uploaded' || kept.by === 'taken') this.by = kept.by
    } catch {
      // What is not understood is as if it was never kept.
    }
  }

  choose(change: { size?: Size; by?: 'uploaded' | 'taken' }): void {
    this.size = change.size ?? this.size
    this.by = change.by ?? this.by
    localStorage.setItem(KEPT, JSON.stringify({ size: this.size, by: this.by }))
  }
}

export const gridSettings = new GridSettings()

const FACTOR: Record<Size, number> = { small: 0.68, medium: 1, large: 1.5 }

export function rowHeightFor(width: number, size: Size): number {
  const usual = width < 520 ? 128 : width < 900 ? 180 : width < 1600 ? 224 : 264
  return Math.round(usual * FACTOR[size])
}

