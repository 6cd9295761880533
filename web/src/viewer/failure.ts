// Why a photo could not be shown, in words of people, and what they can do.
import { i18n, t } from '../i18n'

export interface Failure {
  code: string
  message: string
}

/** By the code of the API; one that is not known here is told in the API's own words. */
export function failureText({ code, message }: Failure): string {
  return i18n.texts[`failure.${code}`] ?? (message || t('failure.processing_failed'))
}
