// The browser speaks of passkeys in bytes, the API in JSON with base64url. Newer browsers translate
// by themselves; this is for the others.
import type { CredentialJson } from '../api/passkeys'

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
}

export function textOf(bytes: ArrayBuffer | Uint8Array): string {
  let letters = ''
  for (const byte of new Uint8Array(bytes)) letters += String.fromCharCode(byte)
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function creationOptions(json: CredentialJson): PublicKeyCredentialCreationOptions {
  const { user, challenge, excludeCredentials, ...rest } = json
  const { id, ...person } = user as { id: string }
  return {
    ...rest,
    challenge: bytesOf(challenge as string),
    user: { ...person, id: bytesOf(id) },
    ...(excludeCredentials ? { excludeCredentials: descriptors(excludeCredentials) } : {}),
  } as unknown as PublicKeyCredentialCreationOptions
}

export function requestOptions(json: CredentialJson): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials, ...rest } = json
  return {
    ...rest,
    challenge: bytesOf(challenge as string),
    ...(allowCredentials ? { allowCredentials: descriptors(allowCredentials) } : {}),
  } as PublicKeyCredentialRequestOptions
}

function descriptors(list: unknown): PublicKeyCredentialDescriptor[] {
  return (list as { id: string; type: 'public-key' }[]).map((entry) => ({ ...entry, id: bytesOf(entry.id) }))
}

/** What a device answered, as `toJSON` of newer browsers writes it. */
export function credentialJson(credential: PublicKeyCredential): CredentialJson {
  const { id, rawId, type, authenticatorAttachment } = credential
  return {
    id,
    rawId: textOf(rawId),
    type,
    ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    clientExtensionResults: credential.getClientExtensionResults(),
    response: responseJson(credential.response as AuthenticatorAttestationResponse | AuthenticatorAssertionResponse),
  }
}

function responseJson(response: AuthenticatorAttestationResponse | AuthenticatorAssertionResponse): CredentialJson {
  const clientDataJSON = textOf(response.clientDataJSON)
  if ('attestationObject' in response) {
    return { clientDataJSON, attestationObject: textOf(response.attestationObject), transports: response.getTransports?.() ?? [] }
  }
  return {
    clientDataJSON,
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    ...(response.userHandle ? { userHandle: textOf(response.userHandle) } : {}),
  }
}
