// All texts in one file: no page or dialog can be drawn before its words are there.
import { admin } from './admin'
import { pages } from './pages'
import { shell } from './shell'
import { timeline } from './timeline'
import { upload } from './upload'
import { viewer } from './viewer'

export const texts = { ...shell, ...timeline, ...viewer, ...pages, ...upload, ...admin }
export type Texts = { [K in keyof typeof texts]: string }
