// Takes files to the server, each in the way that suits it: small ones are asked about together and
// go in one request, where one passes; larger ones in pieces that can be resumed.

import { isSmall, Lookout, type Ask, type Known } from './ahead'
import { SIDECAR_BYTES_MAX } from './sidecars'
import { passage } from './passage'
import { failureFrom, tusTransport } from './transport'
import { sendWhole } from './whole'
import { API, post } from '../api/client'
import type { Problem, SendEvents, Sending, Transport, Upload } from './types'

/** A transport for a queue whose next files `next` tells. */
export function bulkTransport(next: () => readonly Readonly<Upload>[], ask: Ask = askServer, putBeside: PutBeside = putSidecar): Transport {
  const lookout = new Lookout(ask, next)

  function send(upload: Readonly<Upload>, events: SendEvents): Sending {
    const { sidecar } = upload
    let stopped = false
    let sending: Sending | undefined
    /** Where the photo was sent without what is beside it, that follows; the photo is there in any case. */
    const withBeside: SendEvents = {
      ...events,
      sent: (image, duplicate) => {
        if (!sidecar) return events.sent(image, duplicate)
        void putBeside(image, sidecar).then((problem) => {
          if (!stopped) events.sent(image, duplicate, problem)
        })
      },
    }
    const inPieces = (): void => void (sending = tusTransport.send(upload, withBeside))
    const whole = (known: Known, along: Readonly<Upload>): void => {
      const isAlong = along.sidecar !== undefined
      sending = sendWhole(along, known, {
        ...(isAlong ? events : withBeside),
        tooLarge: () => {
          passage.refusedWhole(bytesOf(along))
          inPieces()
        },
        // The photo is worth more than what is beside it.
        failed: (failure) => (isAlong && failure.code === 'bad_sidecar' ? whole(known, { ...upload, sidecar: undefined }) : events.failed(failure)),
      })
    }
    /** Not whole, or not with what is beside it, if that is more than passes. */
    const sendSmall = (known: Known): void => {
      const alone = { ...upload, sidecar: undefined }
      if (!passage.takesWhole(bytesOf(alone))) inPieces()
      else whole(known, sidecar && (sidecar.size > SIDECAR_BYTES_MAX || !passage.takesWhole(bytesOf(upload))) ? alone : upload)
    }
    if (!isSmall(upload)) inPieces()
    else {
      void lookout.find(upload).then((known) => {
        if (stopped) return
        if (known.image !== undefined) withBeside.sent(known.image, true)
        else sendSmall(known)
      })
    }
    return {
      stop: () => {
        stopped = true
        sending?.stop()
      },
    }
  }

  return { send, discard: (url) => tusTransport.discard(url) }
}

/** The bytes of the files of a form. */
function bytesOf({ sizeBytes, sidecar }: Readonly<Upload>): number {
  return sizeBytes + (sidecar?.size ?? 0)
}

/** Sends what is beside a photo; what went wrong, if anything. */
type PutBeside = (image: string, sidecar: File) => Promise<Problem | undefined>

async function putSidecar(image: string, sidecar: File): Promise<Problem | undefined> {
  try {
    const answer = await fetch(`${API}/images/${encodeURIComponent(image)}/sidecar`, { method: 'PUT', body: sidecar, headers: { 'content-type': 'application/rdf+xml', accept: 'application/json' } })
    if (answer.ok) return undefined
    const { code, message } = failureFrom(answer.status, await answer.text(), null)
    return { code: 'sidecar', message: code === 'unknown' ? `${sidecar.name} (${answer.status})` : message }
  } catch {
    return { code: 'sidecar', message: sidecar.name }
  }
}

interface KnownSums {
  items: { image?: string | null; trashed: boolean }[]
}

/** What is in the trash is sent anew. */
async function askServer(sums: string[]): Promise<(string | undefined)[]> {
  const { items } = await post<KnownSums>('/images/exists', { sha256: sums })
  return items.map(({ image, trashed }) => (trashed ? undefined : (image ?? undefined)))
}
