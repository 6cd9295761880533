// What this installation offers.
import { get } from '../../api'
import type { ServiceInfo } from '../../api/schema'
import { session } from '../../state/session.svelte'

export type Offer = ServiceInfo

export const loadOffer = (): Promise<Offer> => get<Offer>('/service')

/** The offer that was loaded when somebody signed in. */
export const offer = (): Offer | undefined => session.service

export const hasPeople = (found: Offer | undefined): boolean => found?.people.state === 'on'
export const hasPasskeys = (found: Offer | undefined): boolean => found?.accounts.passkeys ?? false
