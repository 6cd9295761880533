// The pages, one file per area.
import { albums } from './albums'
import { auth } from './auth'
import { errors } from './errors'
import { find } from './find'

export const pages = { ...errors, ...auth, ...albums, ...find }
