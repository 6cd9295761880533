// What was not uploaded, by kind: what was never sent, what the server refused and what it had already.
import type { LeftOut, Reason } from './collect'
import type { Problem, Upload } from './types'

export type Kind = Reason | 'duplicate' | 'refused'

export interface Group {
  readonly kind: Kind
  /** What the server said; the same for the whole group. */
  readonly problem?: Problem
  readonly paths: string[]
}

const ORDER: readonly Kind[] = ['refused', 'tooLarge', 'unreadable', 'empty', 'sidecarAlone', 'video', 'notImage', 'hidden', 'duplicate']

/** The groups, those first that people can do something about. */
export function groupsOf(leftOut: readonly LeftOut[], uploads: readonly Readonly<Upload>[]): Group[] {
  const groups = new Map<string, Group>()
  const add = (name: string, kind: Kind, path: string, problem?: Problem): void => {
    const group = groups.get(name)
    if (group) group.paths.push(path)
    else groups.set(name, { kind, problem, paths: [path] })
  }
  for (const { path, reason } of leftOut) add(reason, reason, path)
  for (const { path, duplicate, state, image, problem } of uploads) {
    if (duplicate) add('duplicate', 'duplicate', path)
    // What has become an image was uploaded, whatever went wrong with it later.
    else if (state === 'failed' && image === undefined && problem) add(`refused ${problem.code}`, 'refused', path, problem)
  }
  return [...groups.values()].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/** The list as a text to keep: a line for each file, with the reason before it. */
export function listOf(groups: readonly Group[], nameOf: (group: Group) => string): string {
  return groups.flatMap((group) => group.paths.map((path) => `${nameOf(group)}\t${path}\n`)).join('')
}
