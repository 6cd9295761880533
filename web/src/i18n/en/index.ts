import { core } from './core'
import { more } from './more'

export const texts = { ...core, ...more }
export type Texts = { [K in keyof typeof texts]: string }
