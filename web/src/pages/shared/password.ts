// What a password must be, as the server has it too.

export const PASSWORD_CHARS_MIN = 10

export function isLongEnough(password: string): boolean {
  return Array.from(password).length >= PASSWORD_CHARS_MIN
}

/** Whether a text can be an e-mail address; whether it is one, only a letter to it tells. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim())
}
