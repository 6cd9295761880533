// Doubles for the tests of this folder: a clock that is turned by hand and a transport that is led.

import type { Memory, Remembered } from './memory'
import type { Clock, SendEvents, Transport, Upload } from './types'

/** Time passes only when it is told to. */
export class FakeClock implements Clock {
  #now = 1_000_000
  #calls: { at: number; call: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, call: () => void): () => void {
    const entry = { at: this.#now + ms, call }
    this.#calls.push(entry)
    return () => {
      this.#calls = this.#calls.filter((other) => other !== entry)
    }
  }

  /** Lets time pass, and everything happen that was to happen by then. */
  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = this.#calls.filter((call) => call.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#calls = this.#calls.filter((other) => other !== due)
      this.#now = due.at
      due.call()
    }
    this.#now = end
  }
}

/** A transport whose events come from the test. */
export class FakeTransport implements Transport {
  /** What is being sent now, by name of the file. */
  readonly active = new Map<string, SendEvents>()
  /** Addresses at which sending began, by name; undefined where a new upload began. */
  readonly startedAt: [string, string | undefined][] = []
  readonly discarded: string[] = []

  send(upload: Readonly<Upload>, events: SendEvents) {
    this.startedAt.push([upload.name, upload.url])
    const over = () => this.active.delete(upload.name)
    this.active.set(upload.name, {
      ...events,
      sent: (image, duplicate, problem) => {
        over()
        events.sent(image, duplicate, problem)
      },
      failed: (failure) => {
        over()
        events.failed(failure)
      },
    })
    return { stop: over }
  }

  async discard(url: string): Promise<void> {
    this.discarded.push(url)
  }

  /** The events of a file that is being sent; an error if it is not. */
  of(name: string): SendEvents {
    const events = this.active.get(name)
    if (!events) throw new Error(`${name} is not being sent`)
    return events
  }
}

/** Remembers in a map, through JSON as a browser does. */
export class FakeMemory implements Memory {
  readonly kept = new Map<string, Remembered>()

  all(): Remembered[] {
    return [...this.kept.values()]
  }

  put(upload: Readonly<Upload>): void {
    const { file: _, sidecar: __, ...rest } = upload
    this.kept.set(upload.key, JSON.parse(JSON.stringify({ ...rest, tab: 'this' })) as Remembered)
  }

  forget(key: string): void {
    this.kept.delete(key)
  }
}

/** The browser's storage, without a browser. */
export class FakeStorage {
  readonly entries = new Map<string, string>()
  /** What happens on writing, such as an error for being full. */
  onWrite = (): void => {}

  get length(): number {
    return this.entries.size
  }

  key(index: number): string | null {
    return [...this.entries.keys()][index] ?? null
  }

  getItem(name: string): string | null {
    return this.entries.get(name) ?? null
  }

  setItem(name: string, value: string): void {
    this.onWrite()
    this.entries.set(name, value)
  }

  removeItem(name: string): void {
    this.entries.delete(name)
  }
}

/** A file of so many bytes, which are all zero. */
export function fakeFile(name: string, bytes = 100, type = 'image/jpeg'): File {
  return new File([new Uint8Array(bytes)], name, { type, lastModified: 1_700_000_000_000 })
}

/** The same, as it is added to the queue. */
export function candidate(name: string, bytes = 100) {
  const file = fakeFile(name.split('/').at(-1) ?? name, bytes)
  return { file, path: name }
}
