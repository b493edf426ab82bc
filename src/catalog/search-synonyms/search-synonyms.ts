// The shop's own search synonyms, which are looked up before the curated dictionary.

import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { parseSynonyms, type SynonymLine, type SynonymProblem } from '../../search/index.ts'
import * as store from './store.ts'

export const maxTextLength = 200_000

export async function setSearchSynonyms(
  tx: Tx,
  { text, ifMatch }: { text: string; ifMatch: IfMatch | undefined },
): Promise<store.StoredSynonyms> {
  linesOf(text)
  const before = await store.lockSynonyms(tx)
  requireVersion(before ?? { version: 0 }, ifMatch)
  if (before?.text === text) return before

  const saved = await store.saveSynonyms(tx, text)
  publish(tx, { type: 'SearchSynonymsChanged', version: saved.version })
  return saved
}

/** The lines of a text; a text with a problem is refused with its line. */
export function linesOf(text: string): SynonymLine[] {
  const parsed = parseSynonyms(text)
  if ('lines' in parsed) return parsed.lines
  const { problem } = parsed
  throw refuse('validation_failed', {
    fields: [{ path: 'text', rule: `synonyms_${problem.reason}`, limit: placeOf(problem) }],
  })
}

/** The line, with the form that is wrong and the other line that it contradicts. */
function placeOf(problem: SynonymProblem): string {
  const form = 'form' in problem ? ` (${problem.form})` : ''
  const other = 'otherLine' in problem ? `, ${problem.otherLine}` : ''
  return `${problem.line}${other}${form}`
}
