// Changes when photos were taken. Every photo is sent the date that it is to have, worked out here:
// so a request can be repeated after its answer was lost, and what was before is known for the way back.
import { images, inHundreds, type Schema } from '../api'
import { n, t } from '../i18n'
import { toasts } from '../state/toasts.svelte'
import { patience } from './actions'
import { changed, clockOf, saidOf, writeDate, type DateChange } from './dates'

type Item = Schema.TakenItem

/** What the server says of those that were not changed, in our words. */
const reasons = { noDate: 'dates.noDate', impossible: 'dates.impossible', notFound: 'code.not_found', contested: 'dates.contested' } as const
type Reason = keyof typeof reasons

export interface Progress {
  /** So many of them have been dealt with. */
  (done: number): void
}

/** Changes the dates of photos, says what became of it, and offers the way back. */
export async function changeDates(ids: readonly string[], change: DateChange, refresh: () => Promise<unknown>, progress: Progress = () => {}): Promise<void> {
  const found = await images.some([...ids])
  const failed: Reason[] = ids.slice(found.length).map(() => 'notFound')
  const before = new Map(found.map((image) => [image.id, saidOf(image)]))
  const wanted = found.flatMap((image): Item[] => {
    const clock = changed(change, clockOf(image))
    if (clock === undefined) failed.push('noDate')
    return clock === undefined ? [] : [{ id: image.id, takenAt: clock && writeDate(clock) }]
  })
  const done = await send(wanted, failed, (count) => progress(failed.length + count))
  if (done.length > 0) {
    toasts.undo(n('dated', done.length), async () => {
      const lost: Reason[] = []
      await send(done.map((id) => ({ id, takenAt: before.get(id) ?? null })), lost)
      complain(lost)
      await refresh()
    })
  }
  complain(failed)
  await refresh()
}

/** Sends dates; answers with those that were changed. */
async function send(items: Item[], failed: Reason[], progress: Progress = () => {}): Promise<string[]> {
  const done: string[] = []
  let count = 0
  await inHundreds(items, async (some) => {
    const { items: ends } = await images.date(some)
    for (const { id, outcome } of ends) {
      if (outcome === 'changed') done.push(id)
      else failed.push(outcome in reasons ? (outcome as Reason) : 'contested')
    }
    progress((count += some.length))
  }, patience)
  return done
}

/** Says for how many it did not work, and why, each reason once. */
function complain(failed: readonly Reason[]): void {
  for (const reason of new Set(failed)) {
    const count = failed.filter((one) => one === reason).length
    toasts.error(new Error(n('failedFor', count, { why: t(reasons[reason]) })))
  }
}
