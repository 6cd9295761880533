// People in the photos: who they are, their faces, and what was said about them by hand.
import { all, del, get, pager, patch, post, type Pager } from './client'
import type { Image } from './calls'

export interface Person {
  id: string
  owner: string
  isOwner?: boolean
  name?: string | null
  /** How many images they are in; `more` if counting stopped there. */
  count: number
  more?: boolean
  hidden?: boolean
  cover?: { face: string; image: string; url: string } | null
  user?: string | null
  createdAt: string
  updatedAt: string
  version: number
}

export interface Face {
  id: string
  image: string
  /** Parts of the upright image. */
  box: { left: number; top: number; width: number; height: number }
  confidence: number
  confirmed?: boolean
  person?: { id: string; name?: string | null } | null
  /** Whose it may be by what is written in the file. */
  written?: { name: string; person?: string | null } | null
  url: string
}

export interface PersonEdit {
  id: string
  kind: 'rename' | 'hide' | 'cover' | 'link' | 'merge' | 'split' | 'assign' | 'reject' | 'different' | 'delete'
  person?: string | null
  other?: string | null
  face?: string | null
  image?: string | null
  before?: string | null
  after?: string | null
  faces?: number
  by: string
  at: string
  undoneAt?: string | null
  undoneBy?: string | null
}

export interface Suggested {
  persons: [Person, Person]
  confidence: number
}

/** Somebody without a name, and what is written beside their faces. */
export interface SuggestedName {
  person: Person
  name: string
  count: number
  /** Who is called so already. */
  known?: Person | null
}

export interface Edited {
  person: Person
  edits: PersonEdit[]
}

export interface PersonChanges {
  name?: string | null
  hidden?: boolean
  cover?: string | null
  user?: string | null
}

export interface WhichPersons {
  q?: string
  hidden?: boolean
  named?: boolean
  order?: 'seen' | 'count'
}

const id = encodeURIComponent

export const persons = {
  list: (which: WhichPersons = {}): Pager<Person> => pager('/persons', { ...which }),
  load: (person: string) => get<Person>(`/persons/${id(person)}`),
  change: (person: string, version: number, changes: PersonChanges) => patch<Person>(`/persons/${id(person)}`, { ...changes, version }),
  remove: (person: string, version: number) => del(`/persons/${id(person)}`, { query: { version } }),
  images: (person: string): Pager<Image> => pager(`/persons/${id(person)}/images`),
  faces: (person: string): Pager<Face> => pager(`/persons/${id(person)}/faces`),
  merge: (person: string, others: string[]) => post<Edited>(`/persons/${id(person)}/merge`, { with: others }),
  split: (person: string, faces: string[]) => post<Edited>(`/persons/${id(person)}/split`, { faces }),
  suggestions: async () => (await get<{ items: Suggested[] }>('/persons/suggestions')).items,
  answer: (one: string, other: string, same: boolean) =>
    post<{ person?: Person; edits: PersonEdit[] }>('/persons/suggestions', { persons: [one, other], same }),
  suggestedNames: async () => (await get<{ items: SuggestedName[] }>('/persons/suggestions/names')).items,
  answerName: (person: string, name: string, same: boolean) =>
    post<{ person?: Person; edits: PersonEdit[] }>('/persons/suggestions/names', { person, name, same }),
  edits: (): Pager<PersonEdit> => pager('/persons/edits'),
  undo: (edit: string) => post<PersonEdit>(`/persons/edits/${id(edit)}/undo`),
  me: () => all<Person>('/me/persons'),
  withMe: (): Pager<Image> => pager('/me/photos-with-me'),
}

export const faces = {
  assign: (face: Pick<Face, 'id' | 'image'>, to: { person: string } | { name: string }) =>
    post<Edited>(`/faces/${id(face.id)}/assign`, { image: face.image, ...to }),
  reject: (face: Pick<Face, 'id' | 'image'>) => post<{ edits: PersonEdit[] }>(`/faces/${id(face.id)}/reject`, { image: face.image }),
}
