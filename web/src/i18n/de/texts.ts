import type { Texts } from '../en/texts'
import { admin } from './admin'
import { pages } from './pages'
import { shell } from './shell'
import { timeline } from './timeline'
import { upload } from './upload'
import { viewer } from './viewer'

export const texts: Texts = { ...shell, ...timeline, ...viewer, ...pages, ...upload, ...admin }
