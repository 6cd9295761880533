// What this installation offers beyond what every one does. Parts that an older server does not know are absent.
import { get } from '../../api'
import type { ServiceInfo } from '../../api/schema'
import { session } from '../../state/session.svelte'

export interface Accounts {
  signUp: 'open' | 'invitation' | 'closed'
  oidc?: { label: string; login: string } | null
  /** The first administrator has not been made yet. */
  setUp?: boolean
  passkeys?: boolean
}

export type Offer = Omit<ServiceInfo, 'accounts' | 'features' | 'people'> & {
  accounts?: Accounts
  features?: { people?: boolean; directUploads?: boolean }
  people?: { state: 'on' | 'off'; model?: string; message?: string }
  trashDays?: number
  apiDocs?: string
}

export const loadOffer = (): Promise<Offer> => get<Offer>('/service')

/** The offer that was loaded when somebody signed in. */
export const offer = (): Offer | undefined => session.service as Offer | undefined

export const hasPeople = (found: Offer | undefined): boolean => found?.people?.state === 'on' || found?.features?.people === true
