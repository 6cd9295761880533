// What was said by hand about people, in words, and how to take it back.
import { persons, type PersonEdit } from '../../api/people'
import { t } from '../../i18n'

export function describe(edit: PersonEdit): string {
  if (edit.kind === 'different' && edit.before) return t('edit.notCalled', { name: edit.before })
  if (edit.kind !== 'rename') return t(`edit.${edit.kind}`)
  const [before, after] = [edit.before ?? '', edit.after ?? '']
  if (!before) return t('edit.name', { after })
  return after ? t('edit.rename', { before, after }) : t('edit.unname', { before })
}

/** The newest is taken back first, as each may build upon those before it. */
export async function undoAll(edits: readonly PersonEdit[]): Promise<void> {
  for (const edit of [...edits].reverse()) await persons.undo(edit.id)
}
