// What the first page needs.
import { shell } from './shell'
import { timeline } from './timeline'

export const core = { ...shell, ...timeline }
