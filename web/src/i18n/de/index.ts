import { admin } from './admin'
import { pages } from './pages'
import { shell } from './shell'
import { timeline } from './timeline'
import { upload } from './upload'
import { viewer } from './viewer'

import type { Texts } from '../en'

export const texts: Texts = { ...shell, ...timeline, ...viewer, ...pages, ...upload, ...admin }
