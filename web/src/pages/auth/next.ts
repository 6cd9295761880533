// Where to go after signing in: a path of this gallery, never another site.

/** The path that a link asks for, or the front page if it is none of ours. */
export function localPath(next: string | null | undefined): string {
  if (!next || !next.startsWith('/') || next.startsWith('//') || /[\\\s\u0000-\u001f]/.test(next)) return '/'
  // Nobody wants to come in to the page they have just come in by.
  return /^\/(signin|signup|setup)\b/.test(next) ? '/' : next
}
