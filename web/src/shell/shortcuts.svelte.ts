// Keys that work everywhere, and the list of all keys for those who ask (?).
import type { Key } from '../i18n'

class ShortcutState {
  shown = $state(false)
  focusSearch: () => void = () => {}
}

export const shortcuts = new ShortcutState()

export const keys: { title: Key; rows: [string, Key][] }[] = [
  {
    title: 'keys.everywhere',
    rows: [
      ['/', 'keys.search'],
      ['G P', 'keys.photos'],
      ['G A', 'keys.albums'],
      ['U', 'keys.upload'],
      ['?', 'keys.help'],
    ],
  },
  {
    title: 'keys.grid',
    rows: [
      ['← ↑ → ↓', 'keys.move'],
      ['Enter', 'keys.open'],
      ['Space / X', 'keys.select'],
      ['Shift + ← ↑ → ↓', 'keys.extend'],
      ['Ctrl + A', 'keys.all'],
      ['Del', 'keys.trash'],
      ['Esc', 'keys.clear'],
      ['Home / End', 'keys.ends'],
    ],
  },
  {
    title: 'keys.viewer',
    rows: [
      ['← →', 'keys.nextPhoto'],
      ['+ − 0', 'keys.zoom'],
      ['I', 'keys.info'],
      ['F', 'keys.favourite'],
      ['S', 'keys.slideShow'],
      ['P', 'keys.faces'],
      ['D', 'keys.download'],
      ['Del', 'keys.trash'],
      ['Esc', 'keys.close'],
    ],
  },
]

/** Whether somebody is writing, so that letters are letters. */
export function isWriting(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null
  return !!target?.closest('input, textarea, select, [contenteditable="true"]')
}
