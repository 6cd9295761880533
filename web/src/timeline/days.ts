// Names of days and months. Days are counted since 1970 and have no time zone.
import { i18n, t } from '../i18n'
import { NO_DAY } from './shape'

const DAY = 86_400_000

export const today = (): number => {
  const now = new Date()
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY)
}

export const dateOfDay = (day: number): Date => new Date(day * DAY)

export function nameOfDay(day: number): string {
  if (day === NO_DAY) return ''
  const ago = today() - day
  if (ago === 0) return t('timeline.today')
  if (ago === 1) return t('timeline.yesterday')
  const date = dateOfDay(day)
  const thisYear = date.getUTCFullYear() === new Date().getFullYear()
  return i18n.date(date, { weekday: 'short', day: 'numeric', month: 'long', ...(thisYear ? {} : { year: 'numeric' }), timeZone: 'UTC' })
}

export const nameOfMonth = (day: number): string => i18n.date(dateOfDay(day), { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const yearOf = (day: number): number => dateOfDay(day).getUTCFullYear()
export const monthOf = (day: number): number => yearOf(day) * 12 + dateOfDay(day).getUTCMonth()
