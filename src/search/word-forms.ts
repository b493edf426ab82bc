// The indexed forms of a word: itself, other spellings, and other words with its stem.

import type { Texts } from './texts.ts'

export type FormKind = 'exact' | 'otherKey' | 'stem'

/** Stems this long are also looked up as words of other languages: смартфонов finds smartfon. */
const minSharedStem = 5

/**
 * Visits the entries of all forms of a word. A Latin word that nothing has as it is may be a Russian word in Latin
 * letters (`mayBeRussian`).
 */
export function eachForm(
  { vocabulary, postings, roots }: Texts,
  word: string,
  { mayBeRussian }: { mayBeRussian: boolean },
  visit: (entry: number, kind: FormKind) => void,
): void {
  const { keys, stems, russian } = roots.of(word)
  let hasExact = false
  for (const [at, key] of keys.entries()) {
    const entry = vocabulary.find(key)
    if (entry === undefined || postings.length(entry) === 0) continue
    hasExact = true
    visit(entry, at === 0 ? 'exact' : 'otherKey')
  }
  const visitStem = (stem: string) => {
    for (const entry of vocabulary.wordsOf(stem)) if (postings.length(entry) > 0) visit(entry, 'stem')
    if (stem.length < minSharedStem + 2) return
    const shared = vocabulary.find(roots.keyOfStem(stem))
    if (shared !== undefined && postings.length(shared) > 0) visit(shared, 'stem')
  }
  for (const stem of stems) visitStem(stem)
  if (mayBeRussian && !hasExact && russian !== undefined) visitStem(russian)
}
