// Somebody else has changed a photo while one was editing it. What only one side has changed is
// taken from there; where both have, people choose.
import type { Image, ImageEdit } from '../api'

export type Text = 'title' | 'description' | 'altText'
export type Field = Text | 'tags'
export const FIELDS: readonly Field[] = ['title', 'description', 'altText', 'tags']

type Values = Pick<Image, Field>

export interface Dispute {
  field: Field
  mine: string | string[]
  theirs: string | string[]
}

const valueOf = (values: Partial<Values> | ImageEdit, field: Field): string | string[] =>
  field === 'tags' ? [...(values.tags ?? [])].sort() : ((values[field] as string | null | undefined) ?? '')

const same = (one: string | string[], other: string | string[]): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The fields that both have changed, each in another way. */
export function disputes(before: Values, mine: ImageEdit, theirs: Values): Dispute[] {
  return FIELDS.filter((field) => field in mine).flatMap((field) => {
    const [old, my, their] = [valueOf(before, field), valueOf(mine, field), valueOf(theirs, field)]
    if (same(my, their) || same(old, their) || same(old, my)) return []
    return [{ field, mine: my, theirs: their }]
  })
}

/** What to send after the choice: one's own values, without those for which the other was chosen. */
export function settled(mine: ImageEdit, keptTheirs: readonly Field[]): ImageEdit {
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !keptTheirs.includes(field as Field)))
}
