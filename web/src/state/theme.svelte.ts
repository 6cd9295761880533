// Light, dark, or as the system has it.
export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEPT = 'ferrotype.theme'

class ThemeState {
  current = $state<Theme>('auto')

  start(): void {
    const kept = localStorage.getItem(KEPT)
    this.#apply(themes.find((theme) => theme === kept) ?? 'auto')
  }

  choose(theme: Theme): void {
    localStorage.setItem(KEPT, theme)
    this.#apply(theme)
  }

  #apply(theme: Theme): void {
    this.current = theme
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
}

export const theme = new ThemeState()
