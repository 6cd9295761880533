// Who stays when several people turn out to be one.
import type { Person } from '../../api/people'

/** Whoever has a name, then whoever is in more photos, then who was there first. */
export function mainOf(people: readonly Person[]): Person | undefined {
  return [...people].sort((one, other) => rank(other) - rank(one) || other.count - one.count || numberOf(one) - numberOf(other))[0]
}

const rank = (person: Person): number => (person.name ? 1 : 0)
const numberOf = (person: Person): number => Number(person.id.replace(/\D+/g, '')) || 0

/** Whether somebody has to be asked who stays: only if several have names that differ. */
export function mustAsk(people: readonly Person[]): boolean {
  return new Set(people.map((person) => person.name).filter(Boolean)).size > 1
}
