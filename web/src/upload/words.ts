// What the panel says about uploads.
import { i18n, n, t } from '../i18n'
import type { Group } from './leftOut'
import { isExplained } from './problems'
import type { Held } from './queue'
import type { Tally } from './tally'
import type { Problem, Upload } from './types'

/** The line at the top: how far everything is. */
export function headline(sums: Tally, held: Held): string {
  if (sums.open > 0) {
    const progress = t('upload.progress', { sent: i18n.number(sums.filesSent), files: i18n.number(sums.files) })
    return held === 'paused' ? `${t('upload.paused')} · ${progress}` : progress
  }
  if (sums.processing > 0) return n('upload.processing', sums.processing)
  if (isNew(sums)) return n('upload.finished', sums.filesSent - sums.duplicates)
  if (sums.duplicates > 0) return n('upload.duplicates', sums.duplicates)
  return sums.failed > 0 ? n('upload.failed', sums.failed) : t('upload.nothing')
}

/** The line below it: bytes and time while something is sent, afterwards what came of it. */
export function details(sums: Tally, secondsLeft: number | undefined): string {
  if (sums.open > 0) {
    const bytes = t('upload.bytes', { sent: i18n.bytes(sums.bytesSent), all: i18n.bytes(sums.bytes) })
    return secondsLeft === undefined ? bytes : `${bytes} · ${timeLeft(secondsLeft)}`
  }
  const parts = [
    sums.duplicates > 0 && isNew(sums) ? n('upload.duplicates', sums.duplicates) : '',
    sums.failed > 0 && sums.filesSent > 0 ? n('upload.failed', sums.failed) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

const isNew = (sums: Tally): boolean => sums.filesSent > sums.duplicates

/** Why nothing is sent for a while: only what did not answer cannot be reached. */
export function whyResting(problem: Problem | undefined): string {
  if (problem?.code === 'rate_limited') return t('upload.slower')
  if (problem?.code === 'storage_full') return t('upload.problem.storage_full')
  return t(problem?.code === 'network' ? 'upload.unreachable' : 'upload.trouble')
}

/** What stands below the name of a file. */
export function statusOf(upload: Readonly<Upload>): string {
  if (upload.problem && upload.state !== 'waiting' && upload.state !== 'sending') return problemText(upload.problem)
  const percent = i18n.number(portion(upload), { style: 'percent', maximumFractionDigits: 0 })
  switch (upload.state) {
    case 'sending':
      return t('upload.state.sending', { percent, size: i18n.bytes(upload.sizeBytes) })
    case 'paused':
      return t('upload.state.paused', { percent })
    case 'done':
      return [upload.duplicate ? t('upload.state.duplicate') : t('upload.state.done'), placeOf(upload)].filter(Boolean).join(' · ')
    default:
      return t(`upload.state.${upload.state as 'waiting' | 'processing' | 'fileMissing'}`)
  }
}

/** How much of a file has been sent, from 0 to 1. */
export function portion(upload: Readonly<Upload>): number {
  return upload.sizeBytes === 0 ? 0 : Math.min(upload.sentBytes / upload.sizeBytes, 1)
}

function problemText({ code, message }: Problem): string {
  return isExplained(code) ? t(`upload.problem.${code}`, { message }) : message
}

/** Why the files of a group were not uploaded. */
export function reasonOf({ kind, problem }: Group): string {
  return kind === 'refused' ? problemText(problem as Problem) : t(`leftOut.${kind}`)
}

function placeOf({ album, inAlbum }: Readonly<Upload>): string {
  return album && inAlbum ? t('upload.state.inAlbum', { album: album.title }) : ''
}

function timeLeft(seconds: number): string {
  if (seconds < 50) return t('upload.secondsLeft')
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? n('upload.minutesLeft', Math.max(minutes, 1)) : n('upload.hoursLeft', Math.round(minutes / 60))
}
