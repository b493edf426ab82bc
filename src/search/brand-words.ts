// The step that reads words beside a brand or a series as words of its names: экко трек is Ecco Track, and no track for toy
// cars. What stands beside the name narrows the candidates, so a word may sound or be written less alike than elsewhere.

import { completeWord } from './complete-words.ts'
import { fields, headFields } from './fields.ts'
import { isAdjective } from './head-words.ts'
import type { KnownWords } from './known-words.ts'
import { isFiller, isPurpose, isStopWord } from './lexicon.ts'
import { phraseRows } from './phrase-rows.ts'
import { type Report, soundAlike, type StepWord } from './query-steps.ts'
import { soundDifference } from './sounds.ts'
import type { Meaning } from './synonyms.ts'
import { allowedTypos, editDistance } from './typos.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'

const minLength = 4
/** Longer queries are sentences, and no names. */
const maxWords = 6
/** Letters that may differ, as a share of the length: of an unknown word, and of one that means something else. */
const maxDifference = { unknown: 0.5, known: 0.34 }
const maxForms = 40
/** Letters from which a typo may lead to a word of another script: очень is no Omen. */
const minOtherScript = 7

export function readBesideBrands(words: readonly StepWord[], known: KnownWords, report: Report): StepWord[] {
  if (words.length < 2 || words.length > maxWords) return [...words]
  const texts = words.map((it) => it.word)
  const names = namesIn(texts, known)
  if (names.size === 0) return [...words]
  const isLastBegun = completeWord(words, known, () => {}).at(-1)!.word !== texts.at(-1)
  return words.map((it, at) => {
    if (!mayBeOfName(it.word) || (isLastBegun && at === words.length - 1)) return it
    const beside = [...names].filter(([position]) => position !== at).map(([, name]) => name)
    const isAnchor = names.has(at) && known.isKnown(it.word)
    if (isAnchor || beside.length === 0) return it
    const found = wordOfNames(it.word, beside, known)
    if (found === undefined || isSoldBeside(texts, at, { beside, known })) return it
    report('sound', it.word, found)
    return { ...it, word: found }
  })
}

const mayBeOfName = (word: string): boolean =>
  word.length >= minLength && !isModel(word) && !isStopWord(word) && !isFiller(word) && !isPurpose(word)

/** The brands and series of a query, by their positions, as names have them. */
function namesIn(texts: readonly string[], known: KnownWords): Map<number, readonly string[]> {
  const names = new Map<number, readonly string[]>()
  for (const [at, word] of texts.entries()) {
    if (isModel(word) || isStopWord(word) || isFiller(word)) continue
    const found = known.synonyms.find(texts, at)
    const brand = found?.meanings.find((it) => it.kind === 'brand')
    if (brand) for (const position of found!.positions) names.set(position, brand.forms.at(-1)!)
    else if (isName(known.exactFieldsOf(word) & ~fields.name)) names.set(at, [word])
    else if (!found && isName(known.exactFieldsOf(word))) names.set(at, [word])
    else if (!found && !known.isKnown(word) && word.length >= minLength) {
      const spoken = soundAlike(word, known)
      if (spoken !== undefined) names.set(at, [spoken])
    }
  }
  return names
}

/** Whether a word is that of a brand or a series, and no thing is called by it. */
const isName = (bits: number): boolean =>
  (bits & (fields.brand | fields.name)) !== 0 && (bits & headFields) === 0

/** Whether the word, or what it means, is sold under one of the names. */
function isSoldBeside(
  texts: readonly string[],
  at: number,
  { beside, known }: { beside: readonly (readonly string[])[]; known: KnownWords },
): boolean {
  const word = texts[at]!
  const meanings = known.synonyms.find(texts, at)?.meanings ?? []
  return isSoldBy([[word], ...meanings.flatMap(formsOf)], beside, known)
}

export const formsOf = ({ forms, narrower }: Meaning): readonly (readonly string[])[] =>
  narrower.length > 0 ? narrower : forms

/** Whether a product under one of the names has one of the forms. */
export function isSoldBy(
  forms: readonly (readonly string[])[],
  names: readonly (readonly string[])[],
  { index }: KnownWords,
): boolean {
  return names.some((name) =>
    forms.slice(0, maxForms).some((form) => phraseRows(index, [...name, ...form]).length > 0),
  )
}

/** The word of a name beside one of the others that sounds or is written most alike. */
function wordOfNames(
  word: string,
  beside: readonly (readonly string[])[],
  known: KnownWords,
): string | undefined {
  const { vocabulary, postings, sounds } = known.index
  const isKnown = known.isKnown(word)
  const key = keysOf(word)[0]!
  if (isAdjective(word) && isKnown) return undefined
  const most = Math.max(1, Math.floor(key.length * maxDifference[isKnown ? 'known' : 'unknown']))
  const alike = sounds
    .alike(word)
    .map(({ entry, name }) => ({ entry, difference: soundDifference(word, name, most) }))
  const near =
    isKnown || allowedTypos(key.length) === 0
      ? []
      : vocabulary
          .near(key)
          .filter(
            ({ entry }) => vocabulary.isWritten(entry, isCyrillic(word)) || key.length >= minOtherScript,
          )
          .map(({ entry, typos }) => ({ entry, difference: typos }))
  const isOfNames = ({ entry }: { entry: number }) =>
    postings.length(entry) > 0 &&
    (known.index.fieldsOf(entry) & fields.name) !== 0 &&
    vocabulary.key(entry) !== key &&
    beside.some((name) =>
      phraseRows(known.index, [...name, shown(entry)], 'name').some((it) => (it & fields.head) === 0),
    )
  const shown = (entry: number) =>
    vocabulary.shown(entry, isCyrillic(word) && !vocabulary.isWritten(entry, false))
  const [best] = [...alike, ...near]
    .filter((it) => it.difference <= most && isOfNames(it))
    .toSorted(
      (a, b) =>
        a.difference - b.difference ||
        editDistance(key, vocabulary.key(a.entry), key.length) -
          editDistance(key, vocabulary.key(b.entry), key.length),
    )
  return best && shown(best.entry)
}
