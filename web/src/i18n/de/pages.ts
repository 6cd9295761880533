// The pages, one file per area.
import { albums } from './albums'
import { auth } from './auth'
import { errors } from './errors'
import { find } from './find'
import { passkeys } from './passkeys'
import { people } from './people'
import { profile } from './profile'

export const pages = { ...errors, ...auth, ...albums, ...find, ...passkeys, ...people, ...profile }
