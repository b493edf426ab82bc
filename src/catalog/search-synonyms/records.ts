// Lines of the shop's own search synonyms as records of an import or export.

import { Type } from 'typebox'
import { clip } from '../../base/clip.ts'
import type { RecordKind, RejectedRecord } from '../../base/records/record-kind.ts'
import { text } from '../../http/schema.ts'
import { parseSynonyms, type SynonymProblem } from '../../search/index.ts'
import { maxTextLength, setSearchSynonyms } from './search-synonyms.ts'
import { loadSynonyms, lockSynonyms } from './store.ts'

export const searchSynonymRecords: RecordKind = {
  name: 'search_synonym',
  key: 'line',
  area: 'admin',
  shape: Type.Object(
    {
      line: text({
        max: 4_000,
        pattern: '^[^#\\s][^\\n]*$',
        description: 'Forms of one meaning, or a word with narrower ones after >.',
        examples: ['самса, somsa, samosa'],
      }),
    },
    { additionalProperties: false },
  ),
  load: async (tx, records, counts = { unchanged: 0 }) => {
    const stored = (await lockSynonyms(tx))?.text ?? ''
    const {
      text: merged,
      refused,
      unchanged,
    } = mergeSynonyms(
      stored,
      records.map((it) => (it as { line: string }).line.trim()),
    )
    counts.unchanged += unchanged
    if (merged !== stored) await setSearchSynonyms(tx, { text: merged, ifMatch: undefined })
    return refused
  },
  page: async (read) => {
    const stored = await loadSynonyms(read)
    return { records: linesIn(stored?.text ?? '').map((line) => ({ line })), last: null }
  },
}

const linesIn = (synonyms: string): string[] =>
  synonyms
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '' && !it.startsWith('#'))

/** Appends lines. A line that contradicts those before it, closes a cycle or has a wrong form is refused. */
export function mergeSynonyms(
  stored: string,
  lines: readonly string[],
): { text: string; refused: RejectedRecord[]; unchanged: number } {
  const known = new Set(linesIn(stored))
  const refused: RejectedRecord[] = []
  const accepted: string[] = []
  let rest = lines.flatMap((line, at) => {
    if (known.has(line)) return []
    known.add(line)
    return [{ line, at }]
  })
  const unchanged = lines.length - rest.length
  const joined = (more: readonly { line: string }[]) =>
    [...(stored === '' ? [] : [stored.replace(/\n+$/, '')]), ...accepted, ...more.map((it) => it.line)].join(
      '\n',
    )
  while (rest.length > 0) {
    const count = validCount(rest.length, (many) => faultIn(joined(rest.slice(0, many))) === undefined)
    accepted.push(...rest.slice(0, count).map((it) => it.line))
    const wrong = rest[count]
    if (wrong) {
      const fault = faultIn(joined([wrong]))!
      refused.push({ at: wrong.at, faults: [{ path: 'line', ...fault }], isMissingReference: false })
    }
    rest = rest.slice(count + 1)
  }
  return { text: accepted.length === 0 ? stored : joined([]), refused, unchanged }
}

/** How many of the first lines are valid together, by halving: a line that is wrong stays wrong with more lines. */
function validCount(count: number, isValid: (many: number) => boolean): number {
  if (isValid(count)) return count
  let [valid, wrong] = [0, count]
  while (wrong - valid > 1) {
    const middle = (valid + wrong) >> 1
    if (isValid(middle)) valid = middle
    else wrong = middle
  }
  return valid
}

function faultIn(synonyms: string): { rule: string; limit: string | number } | undefined {
  if (synonyms.length > maxTextLength) return { rule: 'max_length', limit: maxTextLength }
  const parsed = parseSynonyms(synonyms)
  if ('lines' in parsed) return undefined
  return { rule: `synonyms_${parsed.problem.reason}`, limit: wordsOf(parsed.problem, synonyms) }
}

/** The text of the lines: their numbers in the shop's list mean nothing to the author of a file. */
function wordsOf(problem: SynonymProblem, synonyms: string): string {
  const lines = synonyms.split('\n')
  const numbers = 'otherLine' in problem ? [problem.otherLine, problem.line] : [problem.line]
  const quoted = numbers.map((it) => `“${clip(lines[it - 1]!, 100)}”`).join(', ')
  return 'form' in problem ? `${quoted} (${problem.form})` : quoted
}
