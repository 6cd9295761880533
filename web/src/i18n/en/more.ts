// What is loaded after the first page.
import { admin } from './admin'
import { pages } from './pages'
import { upload } from './upload'
import { viewer } from './viewer'

export const more = { ...viewer, ...pages, ...upload, ...admin }
