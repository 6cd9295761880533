// A stand-in for the timeline of the server: a library of any size that nobody has, in the form
// that docs/api.md describes. Everything else that a page asks for comes from the real server.

const DAY_MS = 86_400_000
const HOURS_PER_DAY = 24
/** Width, height and their byte of the shape: what cameras make, upright or not. */
const SHAPES = [
  [6000, 4000, 149],
  [4000, 3000, 143],
  [4000, 6000, 107],
  [6000, 4000, 149],
  [3000, 3000, 128],
  [4000, 2250, 158],
  [3000, 4000, 113],
]
/** So few on the oldest day that its name is seen together with its photos. */
const LAST_DAY = 3

export class MadeUpLibrary {
  /** `picture` is the address of a picture, which all photos have. */
  constructor(count, picture, newest = Date.UTC(2026, 10, 1)) {
    this.count = count
    this.picture = picture
    this.months = months(count, Math.floor(newest / DAY_MS))
  }

  /** The oldest day, since 1970. */
  get lastDay() {
    return this.months.at(-1).days.at(-1).day
  }

  /** Answers instead of the server, in all pages of a window. */
  async standIn(window) {
    await window.route('**/api/v1/timeline**', (route) => {
      const url = new URL(route.request().url())
      const asked = url.searchParams
      if (url.pathname.endsWith('/timeline')) return route.fulfill({ contentType: 'application/octet-stream', body: this.skeleton() })
      if (url.pathname.endsWith('/timeline/months')) return route.fulfill({ json: this.#tags() })
      if (url.pathname.endsWith('/timeline/chunk')) return route.fulfill({ json: this.#chunk(asked.get('month'), Number(asked.get('offset')), Number(asked.get('count'))) })
      return route.fulfill({ status: 404, json: { error: { code: 'not_found', message: url.pathname } } })
    })
  }

  skeleton() {
    const hours = this.months.reduce((sum, { days }) => sum + days.length, 0)
    const bytes = Buffer.alloc(16 + this.months.length * 24 + hours * 8 + this.count)
    bytes.write('FTTL', 'latin1')
    bytes.writeUInt8(1, 4)
    bytes.writeUInt32LE(this.months.length, 8)
    bytes.writeUInt32LE(this.count, 12)
    let hourAt = 16 + this.months.length * 24
    this.months.forEach(({ name, count, days }, index) => {
      const at = 16 + index * 24
      bytes.writeUInt16LE(Number(name.slice(0, 4)), at)
      bytes.writeUInt8(Number(name.slice(5)), at + 2)
      bytes.writeUInt32LE(count, at + 4)
      bytes.writeUInt32LE(days.length, at + 8)
      bytes.writeBigUInt64LE(BigInt(`0x${tagOf(name)}`), at + 16)
      for (const day of days) {
        bytes.writeInt32LE(day.day * HOURS_PER_DAY + 12, hourAt)
        bytes.writeUInt32LE(day.count, hourAt + 4)
        hourAt += 8
      }
    })
    for (let index = 0; index < this.count; index += 1) bytes[hourAt + index] = SHAPES[index % SHAPES.length][2]
    return bytes
  }

  #tags() {
    return { total: this.count, months: this.months.map(({ name, count }) => ({ month: name, count, tag: tagOf(name) })) }
  }

  #chunk(name, offset, count) {
    const month = this.months.find((one) => one.name === name)
    const length = Math.max(0, Math.min(count, month.count - offset))
    const items = Array.from({ length }, (_, at) => this.#photo(month, offset + at))
    return { month: name, offset, tag: tagOf(name), items }
  }

  /** Its title says which of all photos it is. */
  #photo({ first, days }, place) {
    const number = first + place
    let rest = place
    const day = days.find(({ count }) => (rest -= count) < 0)
    const [width, height] = SHAPES[number % SHAPES.length]
    const takenAt = new Date(day.day * DAY_MS + DAY_MS / 2).toISOString()
    return {
      id: `MADEUP${String(number).padStart(20, '0')}`,
      title: `photo ${number}`,
      width,
      height,
      takenAt,
      uploadedAt: takenAt,
      offsetMinutes: 0,
      status: 'completed',
      visibility: 'private',
      version: 1,
      urls: { small: this.picture },
    }
  }
}

/** Days of uneven length, the newest first, in their months. */
function months(count, newest) {
  const found = []
  let first = 0
  for (let day = newest; first < count; day -= 1) {
    const left = count - first
    const many = left <= LAST_DAY ? left : Math.min(60 + ((day * 37) % 155), left - LAST_DAY)
    const name = new Date(day * DAY_MS).toISOString().slice(0, 7)
    if (found.at(-1)?.name !== name) found.push({ name, first, count: 0, days: [] })
    const month = found.at(-1)
    month.days.push({ day, count: many })
    month.count += many
    first += many
  }
  return found
}

const tagOf = (name) => `00000000${name.replace('-', '').padStart(8, '0')}`
