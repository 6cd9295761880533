import type { Texts } from '../en'
import { core } from './core'
import { more } from './more'

export const texts: Texts = { ...core, ...more }
