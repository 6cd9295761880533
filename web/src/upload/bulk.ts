// Takes files to the server, each in the way that suits it: small ones are asked about together and
// go in one request, larger ones in pieces that can be resumed.

import { isSmall, Lookout, type Ask } from './ahead'
import { tusTransport } from './transport'
import { sendWhole } from './whole'
import { post } from '../api/client'
import type { SendEvents, Sending, Transport, Upload } from './types'

/** A transport for a queue whose next files `next` tells. */
export function bulkTransport(next: () => readonly Readonly<Upload>[], ask: Ask = askServer): Transport {
  const lookout = new Lookout(ask, next)
  /** Beyond this, something on the way to the server takes no single request. */
  let wholeMax = Number.POSITIVE_INFINITY

  function send(upload: Readonly<Upload>, events: SendEvents): Sending {
    if (!isSmall(upload) || upload.sizeBytes > wholeMax) return tusTransport.send(upload, events)
    let stopped = false
    let sending: Sending | undefined
    const inPieces = (): void => {
      wholeMax = Math.min(wholeMax, upload.sizeBytes - 1)
      sending = tusTransport.send(upload, events)
    }
    void lookout.find(upload).then((known) => {
      if (stopped) return
      if (known.image !== undefined) events.sent(known.image, true)
      else sending = sendWhole(upload, known, { ...events, tooLarge: inPieces })
    })
    return {
      stop: () => {
        stopped = true
        sending?.stop()
      },
    }
  }

  return { send, discard: (url) => tusTransport.discard(url) }
}

interface KnownSums {
  items: { image?: string | null; trashed: boolean }[]
}

/** What is in the trash is sent anew. */
async function askServer(sums: string[]): Promise<(string | undefined)[]> {
  const { items } = await post<KnownSums>('/images/exists', { sha256: sums })
  return items.map(({ image, trashed }) => (trashed ? undefined : (image ?? undefined)))
}
