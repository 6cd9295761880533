// How much the way to the server lets through at once, as far as it has been found out. Proxies refuse
// larger requests (nginx those of more than 1 MB, unless it is told otherwise) and do not say what they
// would take.

/** The most bytes of one request: what a killed server may lose of a file. */
export const PIECE_BYTES = 8 * 1024 * 1024
/** Smaller pieces are not tried: each costs a round trip. */
export const PIECE_BYTES_MIN = 512 * 1024

/** What stands around a file that is sent in one request: the other fields of the form. */
const FORM_BYTES = 4096
const NAME = 'ferrotype.refusedBytes'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** What is known of the way to the server. */
export class Passage {
  /** The smallest request that was refused. */
  #refused: number

  /** What is in `store` is known from before. */
  constructor(private readonly store?: Store) {
    this.#refused = read(store) ?? Number.POSITIVE_INFINITY
  }

  /** How long the next piece may be. */
  get pieceBytes(): number {
    let bytes = PIECE_BYTES
    while (bytes > PIECE_BYTES_MIN && bytes >= this.#refused) bytes /= 2
    return bytes
  }

  /** Whether so many bytes may be sent with one form. Nothing is known against it until something was refused. */
  takesWhole(bytes: number): boolean {
    return this.#refused === Number.POSITIVE_INFINITY || bytes + FORM_BYTES <= this.pieceBytes
  }

  /** A form with so many bytes in it was refused. The form itself may have been what was too much. */
  refusedWhole(bytes: number): void {
    this.#learn(bytes + 1)
  }

  /** A piece of so many bytes was refused; answers whether there are smaller ones to try. */
  refusedPiece(bytes: number): boolean {
    this.#learn(bytes)
    return bytes > PIECE_BYTES_MIN
  }

  #learn(refused: number): void {
    if (refused >= this.#refused) return
    this.#refused = refused
    try {
      this.store?.setItem(NAME, String(refused))
    } catch {
      // Full, or forbidden: it is found out anew after a reload.
    }
  }
}

/** Until the tab is closed; whoever opens another finds out whether the proxy allows more by now. */
export const passage = new Passage(ownStore())

function ownStore(): Store | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}

/** Storage can hold anything. */
function read(store: Store | undefined): number | undefined {
  try {
    const refused = Number(store?.getItem(NAME) ?? undefined)
    return refused > 0 ? refused : undefined
  } catch {
    return undefined
  }
}
