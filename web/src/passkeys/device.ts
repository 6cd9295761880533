// What holds the passkeys: this device, a phone nearby, a security key. The browser speaks to it.
import type { CredentialJson } from '../api/passkeys'
import { creationOptions, credentialJson, requestOptions } from './encoding'

/** The translations that newer browsers have. */
interface Translating {
  parseCreationOptionsFromJSON?(json: CredentialJson): PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?(json: CredentialJson): PublicKeyCredentialRequestOptions
  isConditionalMediationAvailable?(): Promise<boolean>
}
const browser = (): Translating => PublicKeyCredential as unknown as Translating

/** Why there can be none here: the page came without https, or the browser knows nothing of them. */
export function whyImpossible(): 'insecure' | 'unsupported' | undefined {
  if (!globalThis.isSecureContext) return 'insecure'
  return typeof PublicKeyCredential === 'function' && 'credentials' in navigator ? undefined : 'unsupported'
}

/** Whether the browser can offer passkeys among what it fills in. */
export async function canSuggest(): Promise<boolean> {
  return whyImpossible() === undefined && ((await browser().isConditionalMediationAvailable?.().catch(() => false)) ?? false)
}

/** Has a device make a passkey. */
export async function makePasskey(json: CredentialJson): Promise<CredentialJson> {
  const publicKey = browser().parseCreationOptionsFromJSON?.(json) ?? creationOptions(json)
  return written(await navigator.credentials.create({ publicKey }))
}

/** Has a device prove that it has a passkey. `suggest` waits until one is chosen where the address is entered. */
export async function usePasskey(json: CredentialJson, { suggest = false, signal }: { suggest?: boolean; signal?: AbortSignal } = {}): Promise<CredentialJson> {
  const publicKey = browser().parseRequestOptionsFromJSON?.(json) ?? requestOptions(json)
  return written(await navigator.credentials.get({ publicKey, signal, ...(suggest ? { mediation: 'conditional' as const } : {}) }))
}

function written(credential: Credential | null): CredentialJson {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey was chosen', 'NotAllowedError')
  return typeof credential.toJSON === 'function' ? (credential.toJSON() as unknown as CredentialJson) : credentialJson(credential)
}
