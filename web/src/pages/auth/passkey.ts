// Passkeys: the browser speaks in bytes, JSON in base64url. Newer browsers translate by themselves, others do not yet.

type Json = Record<string, unknown>

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

export function textOf(bytes: ArrayBuffer | Uint8Array): string {
  const plain = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function' && window.isSecureContext

/** Asks the device for a new passkey. */
export async function createPasskey(options: Json): Promise<Json> {
  const credential = await navigator.credentials.create({ publicKey: creation(options) })
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey', 'NotAllowedError')
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    ...head(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** Asks the device to prove that it has a passkey. */
export async function usePasskey(options: Json): Promise<Json> {
  const credential = await navigator.credentials.get({ publicKey: request(options) })
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey', 'NotAllowedError')
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    ...head(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle ? textOf(response.userHandle) : undefined,
    },
  }
}

function head(credential: PublicKeyCredential): Json {
  const { id, type, authenticatorAttachment } = credential
  return { id, rawId: textOf(credential.rawId), type, authenticatorAttachment, clientExtensionResults: credential.getClientExtensionResults() }
}

export function creation(options: Json): PublicKeyCredentialCreationOptions {
  const user = options.user as { id: string; name: string; displayName: string }
  return {
    ...(options as unknown as PublicKeyCredentialCreationOptions),
    challenge: bytesOf(options.challenge as string),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: descriptors(options.excludeCredentials),
  }
}

export function request(options: Json): PublicKeyCredentialRequestOptions {
  return {
    ...(options as unknown as PublicKeyCredentialRequestOptions),
    challenge: bytesOf(options.challenge as string),
    allowCredentials: descriptors(options.allowCredentials),
  }
}

function descriptors(list: unknown): PublicKeyCredentialDescriptor[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.map((entry: { id: string }) => ({ ...(entry as unknown as PublicKeyCredentialDescriptor), id: bytesOf(entry.id) }))
}
