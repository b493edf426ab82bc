import type { Columns } from './columns.ts'
import type { Asking, Suggestion } from './question.ts'
import type { TextIndex } from './text-index.ts'

export function suggestions(
  _columns: Columns,
  _index: TextIndex,
  _typed: string,
  _asking: Asking,
): Suggestion[] {
  return []
}
