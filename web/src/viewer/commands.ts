// What the keys of the viewer mean.

export type Command =
  | 'previous'
  | 'next'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'closer'
  | 'farther'
  | 'whole'
  | 'info'
  | 'favourite'
  | 'faces'
  | 'slideShow'
  | 'download'
  | 'help'
  | 'trash'
  | 'stopShow'
  | 'close'

export interface KeyState {
  /** The whole photo is seen: arrows go to the next one rather than around in this one. */
  whole: boolean
  /** A slide show runs. */
  running: boolean
}

const ALWAYS = new Map<string, Command>([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['+', 'closer'],
  ['=', 'closer'],
  ['-', 'farther'],
  ['0', 'whole'],
  ['i', 'info'],
  ['f', 'favourite'],
  ['p', 'faces'],
  ['s', 'slideShow'],
  ['d', 'download'],
  ['?', 'help'],
  ['Delete', 'trash'],
])

export function commandOf(key: string, { whole, running }: KeyState): Command | undefined {
  if (key === 'ArrowLeft') return whole ? 'previous' : 'left'
  if (key === 'ArrowRight') return whole ? 'next' : 'right'
  if (key === 'Escape') return running ? 'stopShow' : whole ? 'close' : 'whole'
  return ALWAYS.get(key.length === 1 ? key.toLowerCase() : key)
}
