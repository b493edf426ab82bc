// The step that takes the last word of a query as the beginning of a longer one: наушн, kettl, губная по.

import { isAdjective } from './head-words.ts'
import type { KnownWords } from './known-words.ts'
import { isFiller, isModelTier, isPurpose, isStopWord } from './lexicon.ts'
import { phraseRows } from './phrase-rows.ts'
import type { Report, StepWord } from './query-steps.ts'
import { stemsOf } from './stemmers.ts'
import type { Meaning } from './synonyms.ts'
import { fields, headFields } from './fields.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'

/** Letters from which a word that is the whole query may be a beginning. */
const minAlone = 3
/** Letters from which the word of a series may be the beginning of a thing: Blend-X, blender. */
const minSeries = 4
/** Up to so many letters, what follows another word must be sold with it. */
const maxShort = 2
/** Indexed words that are considered for one beginning, and of them those whose rows are counted. */
const maxPrefixMatches = 4_000
const maxCounted = 12
const maxListed = 24
const maxForms = 6

/**
 * A beginning is preferred to a typo, to a form of an adjective and to a word of another script, but never to a word that
 * the shop or the dictionary has in this spelling. Of several, what most products are.
 */
export function completeWord(words: readonly StepWord[], known: KnownWords, report: Report): StepWord[] {
  const last = words.at(-1)
  if (!last || isModel(last.word)) return [...words]
  const before = words.slice(0, -1).findLast((it) => !isStopWord(it.word) && !isFiller(it.word))?.word
  const { word: typed } = last
  if (typed.length < (before === undefined ? minAlone : 1)) return [...words]
  const ended = before === undefined ? undefined : phraseEnd(typed, before, known)
  const isPart = words.length === 1 && isOnlyPart(typed, known)
  if (ended === undefined && !isPart && isComplete(typed, before, known)) return [...words]
  const found = ended ?? completionOf(typed, before, known) ?? afterModifier(typed, before, known)
  if (found === undefined) return [...words]
  report('prefix', typed, found)
  return [...words.slice(0, -1), { ...last, word: found }]
}

/** Whether a word is whole as it is written. */
function isComplete(typed: string, before: string | undefined, known: KnownWords): boolean {
  if (typed.length <= maxShort)
    // A Russian noun precedes what is said of it: in «ковёр кр» no thing is begun.
    return before === undefined || (isCyrillic(typed) && !isAdjective(before)) || isSize(typed, known)
  if (isFiller(typed) || isPurpose(typed) || isStopWord(typed) || isModelTier(typed)) return true
  return known.hasForm(typed, before === undefined && typed.length >= minSeries ? thingFields : ~0)
}

const thingFields = headFields | fields.brand | fields.category

/** Whether a word that is the whole query is only a part of phrases and no thing: blend of espresso blend, blender. */
const isOnlyPart = (typed: string, known: KnownWords): boolean =>
  typed.length >= minSeries &&
  !(isFiller(typed) || isPurpose(typed) || isStopWord(typed) || isModelTier(typed)) &&
  !known.synonyms.has(typed) &&
  !known.isWrittenIn(typed, thingFields)

/** Sizes and parts of models are short words of names. */
function isSize(typed: string, { index }: KnownWords): boolean {
  const entry = index.vocabulary.find(keysOf(typed)[0]!)
  return (
    entry !== undefined &&
    (index.fieldsOf(entry) & (fields.variant | fields.name)) !== 0 &&
    index.vocabulary.isWritten(entry, isCyrillic(typed))
  )
}

/** The end of a phrase of the dictionary that is sold: frying p. */
function phraseEnd(typed: string, before: string, known: KnownWords): string | undefined {
  const isWord = typed.length > maxShort ? isComplete(typed, before, known) : known.isListed(typed)
  // A whole word is a beginning only when nothing is sold by both: электрический чай.
  if (isWord && phraseRows(known.index, [before, typed]).length > 0) return undefined
  const longer = known.synonyms.phraseEnds(before, typed).filter((it) => it !== typed)
  const ends = (longer.length === 0 || (isWord && known.isPhrase(before, typed)) ? [] : longer).map(
    (word) => {
      const meanings = known.synonyms.find([before, word], 0)?.meanings ?? []
      return { word, rows: rowsOf(meanings.flatMap(meant), { wanted: headFields }, known) }
    },
  )
  return mostOf(ends)
}

const meant = ({ forms, narrower }: Meaning) => (narrower.length > 0 ? narrower : forms)

/** What products are called comes before brands, and brands before other words for things. */
function completionOf(typed: string, before: string | undefined, known: KnownWords): string | undefined {
  const brands =
    before === undefined && !known.hasForm(typed, ~0) ? indexed(typed, { wanted: fields.brand }, known) : []
  const tiers = [indexed(typed, { before, wanted: headFields }, known), brands, listed(typed, before, known)]
  if (!known.isInflected(typed)) return tiers.map(mostOf).find((it) => it !== undefined)
  const own = new Set(stemsOf(typed, keysOf(typed)[0]!))
  // A form of a noun is no beginning of another one: машин is no машинка.
  const isOfStem = ({ word }: Completion) => stemsOf(word, keysOf(word)[0]!).some((it) => own.has(it))
  return tiers.map((it) => mostOf(it.filter(isOfStem))).find((it) => it !== undefined)
}

/** A thing that is not sold with the modifier before it: the modifier is left out of the search later. */
function afterModifier(typed: string, before: string | undefined, known: KnownWords): string | undefined {
  if (before === undefined || typed.length < minSeries || known.synonyms.has(before)) return undefined
  if (known.exactFieldsOf(before) !== 0 || known.isInflected(typed)) return undefined
  const tiers = [indexed(typed, { wanted: headFields }, known), listed(typed, undefined, known)]
  return tiers.map(mostOf).find((it) => it !== undefined)
}

function mostOf(found: readonly Completion[]): string | undefined {
  let best: Completion | undefined
  for (const it of found) if (it.rows > (best?.rows ?? 0)) best = it
  return best?.word
}

/** The last letters may be half of a digraph, which is one letter of a key: bosc, headp. */
const prefixOf = (typed: string): string =>
  keysOf(isCyrillic(typed) || typed.length < minSeries ? typed : typed.replace(halfDigraph, ''))[0]!
const halfDigraph = /(?:sc|[scpkzdt])$/

interface Completion {
  word: string
  /** How many rows are called so. */
  rows: number
}

/** Words in the wanted fields that begin so, in the script of the typed word. */
function indexed(
  typed: string,
  { before, wanted }: { before?: string | undefined; wanted: number },
  known: KnownWords,
): Completion[] {
  const { vocabulary, postings } = known.index
  const inCyrillic = isCyrillic(typed)
  const entries: number[] = []
  vocabulary.eachWithPrefix(prefixOf(typed), maxPrefixMatches, (entry) => {
    if ((known.index.fieldsOf(entry) & wanted) === 0 || postings.length(entry) === 0) return
    if (!vocabulary.isWritten(entry, inCyrillic)) return
    const word = vocabulary.shown(entry, inCyrillic)
    if (word.length > typed.length && word.startsWith(typed) && !isAdjective(word)) entries.push(entry)
  })
  return entries
    .toSorted((a, b) => postings.length(b) - postings.length(a))
    .slice(0, maxCounted)
    .map((entry) => vocabulary.shown(entry, inCyrillic))
    .map((word) => ({ word, rows: rowsOf([[word]], { before, wanted }, known) }))
}

/** Words of the dictionary that begin so and whose thing is sold. */
function listed(typed: string, before: string | undefined, known: KnownWords): Completion[] {
  if (typed.length <= maxShort) return []
  const found: Completion[] = []
  for (const word of known.synonyms.completions(prefixOf(typed), maxListed)) {
    if (!word.startsWith(typed) || isCyrillic(word) !== isCyrillic(typed) || isAdjective(word)) continue
    const meanings = known.synonyms.meaningsOf(word)
    const wanted = meanings.some((it) => it.kind === 'thing') ? headFields : fields.brand
    found.push({ word, rows: rowsOf(meanings.flatMap(meant), { before, wanted }, known) })
  }
  return found
}

/** The rows of the form that most have, in the wanted fields and beside another word. */
function rowsOf(
  forms: readonly (readonly string[])[],
  { before, wanted }: { before?: string | undefined; wanted: number },
  { index }: KnownWords,
): number {
  let most = 0
  for (const form of forms.slice(0, maxForms)) {
    let rows = 0
    const values = phraseRows(index, before === undefined ? form : [before, ...form])
    for (const value of values) if ((value & wanted) !== 0) rows++
    if (rows > most) most = rows
  }
  return most
}
