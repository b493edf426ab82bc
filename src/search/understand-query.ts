// Reads a query: what is wanted (things), by whom it is made (brands), of which size (numbers) and how it is (modifiers).

import { formsOf, isSoldBy, readBesideBrands } from './brand-words.ts'
import { completeWord } from './complete-words.ts'
import { isAdjective } from './head-words.ts'
import type { KnownWords } from './known-words.ts'
import { isColour, isFiller, isPurpose, isStopWord, modifiersFor } from './lexicon.ts'
import { phraseRows } from './phrase-rows.ts'
import {
  dropFillers,
  englishAlike,
  joinWords,
  markPurposes,
  nearestWord,
  type Report,
  soundAlike,
  type Step,
  type StepName,
  type StepWord,
  withoutDiminutive,
} from './query-steps.ts'
import type { QueryUnit, UnitRole } from './query-unit.ts'
import { readLayout } from './read-layout.ts'
import { withRequired } from './required-units.ts'
import { splitWords } from './split-words.ts'
import type { FoundMeaning, Meaning } from './synonyms.ts'
import { fields, headFields } from './fields.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'
import { maxQueryWords, queryWords } from './words.ts'

export type { QueryUnit, UnitRole }

export interface UnderstoodQuery {
  units: QueryUnit[]
  /** The query that was searched instead, when letters were changed. */
  corrected: string | null
  steps: Step[]
}

/** Text that is still being typed is completed from the first letter on. */
export type QueryMode = 'typing' | 'submitted'

export interface ReadOptions {
  mode: QueryMode
  /** Searches the words as typed: no layout, sound or typo is changed. */
  isVerbatim?: boolean
  /** Steps to leave out, to measure what each contributes. */
  without?: ReadonlySet<StepName>
}

const maxTextLength = 300
const maxCorrectedWords = 4

export function understandQuery(text: string, known: KnownWords, options: ReadOptions): UnderstoodQuery {
  const steps: Step[] = []
  const report: Report = (step, from, to) => void steps.push({ step, from, to })
  const does = (step: StepName) => !options.without?.has(step)
  const given = text.slice(0, maxTextLength)
  const changes = !options.isVerbatim
  const read = changes && does('layout') ? readLayout(given, known, report) : given
  const isIndexed = (word: string) => keysOf(word).some((key) => sizeOf(known, key) > 0)
  const isThing = (word: string) => known.isListed(word)
  const areTogether = (together: readonly string[]) => phraseRows(known.index, together, 'name').length > 0
  let words: StepWord[] = queryWords(read, { isIndexed, isThing, areTogether }).map((it) => ({
    ...it,
    isPurpose: false,
  }))
  if (does('join')) words = joinWords(words, known, report)
  if (changes && does('sound')) words = readBesideBrands(words, known, report)
  if (does('split')) words = splitWords(words, known, report)
  if (does('prefix')) words = completeWord(words, known, report)
  words = markPurposes(words)
  if (does('filler')) words = dropFillers(words, known, report)
  words = words.slice(0, maxQueryWords)
  if (changes) {
    words = correctWords(words, known, { report, does, mode: options.mode })
    if (does('join')) words = joinWords(words, known, report)
  }
  const isChanged = steps.some((it) => it.step === 'layout' || it.step === 'sound' || it.step === 'typo')
  return {
    units: unitsOf(words, known, does('meaning') ? report : undefined),
    corrected: isChanged ? words.map((it) => it.word).join(' ') : null,
    steps,
  }
}

const sizeOf = ({ index }: KnownWords, key: string): number => {
  const entry = index.vocabulary.find(key)
  return entry === undefined ? 0 : index.postings.length(entry)
}

function correctWords(
  words: readonly StepWord[],
  known: KnownWords,
  { report, does, mode }: { report: Report; does: (step: StepName) => boolean; mode: QueryMode },
): StepWord[] {
  let count = 0
  const besides = (at: number) =>
    words.filter(({ word }, other) => other !== at && known.isWhole(word)).map((it) => it.word)
  return words.map((it, at) => {
    const { word } = it
    const isLast = at === words.length - 1
    if (count === maxCorrectedWords) return it
    if (known.isKnown(word)) {
      const meant = does('typo') ? nearestBesideEnding(word, known) : undefined
      if (meant === undefined) return it
      report('typo', word, meant.word)
      return { ...it, word: meant.word }
    }
    const mayBeLonger = isLast && (mode === 'typing' || does('prefix'))
    if (mayBeLonger && known.isBeginningHere(word)) return it
    const near = does('typo') ? nearestWord(word, known, besides(at)) : undefined
    // One typo away from a word is likelier than the beginning of what is not sold.
    if (mayBeLonger && (mode === 'typing' || near?.typos !== 1) && known.isBeginning(word)) return it
    const base = near?.typos !== 1 && does('diminutive') ? withoutDiminutive(word, known) : undefined
    if (base !== undefined) {
      report('diminutive', word, base)
      return { ...it, word: base }
    }
    const alike = near?.typos !== 1 && does('sound') ? soundAlike(word, known) : undefined
    const spoken = alike ?? (near === undefined && does('sound') ? englishAlike(word, known) : undefined)
    const found = spoken ?? near?.word
    if (found === undefined) return it
    count++
    report(spoken === undefined ? 'typo' : 'sound', word, found)
    return { ...it, word: found }
  })
}

/** Whether a Latin word is known only as a Russian one with another ending that is not sold: carpit as карп. */
const isReadAsRussian = (word: string, known: KnownWords): boolean =>
  word.length >= minReadLength &&
  !isCyrillic(word) &&
  !isModel(word) &&
  !isStopWord(word) &&
  !isFiller(word) &&
  !isPurpose(word) &&
  !known.isExact(word) &&
  !known.isWritten(word) &&
  !known.isSold(word)
const minReadLength = 5

/** The word of the shop that is meant by one that is only known by an ending, or by another script. */
function nearestBesideEnding(word: string, known: KnownWords): { word: string } | undefined {
  const isByEnding = word.length >= minReadLength && !isModel(word) && known.isKnownByEnding(word)
  if (!isByEnding && !isReadAsRussian(word, known)) return undefined
  const meant = nearestWord(word, known)
  if (meant?.typos !== 1) return undefined
  if (!isCyrillic(word) && isCyrillic(meant.word)) return undefined
  return !isByEnding || known.isNamed(meant.word) || known.isSold(meant.word) ? meant : undefined
}

/**
 * The meaning at a position. In Latin letters the order counts when nothing is sold by the phrase: a screen phone is a phone,
 * and no phone screen.
 */
function meaningAt(
  words: readonly StepWord[],
  texts: readonly string[],
  at: number,
  known: KnownWords,
): FoundMeaning | undefined {
  const found = known.synonyms.find(texts, at, (it) => words[it]!.isPurpose)
  if (!found?.isTurned || texts.some(isCyrillic)) return found
  if (found.meanings.some((it) => it.isNeed || isSold(it, known))) return found
  const alone = known.synonyms.find([texts[at]!], 0)
  return alone && { ...alone, positions: [at] }
}

const isSold = ({ forms, narrower }: Meaning, { index }: KnownWords): boolean =>
  (narrower.length > 0 ? narrower : forms).some((it) => phraseRows(index, it).length > 0)

/** Words that mean one thing together become one unit, the longest first. */
function unitsOf(words: readonly StepWord[], known: KnownWords, report: Report | undefined): QueryUnit[] {
  const texts = words.map((it) => it.word)
  const found = report
    ? texts
        .map((_, at) => meaningAt(words, texts, at, known))
        .filter((it) => it !== undefined)
        .filter((it) => it.positions.length > 1 || !isPurpose(texts[it.positions[0]!]!))
        .toSorted((a, b) => b.positions.length - a.positions.length)
    : []
  const taken = new Map<number, { meanings: Meaning[]; positions: number[] }>()
  for (const it of found)
    if (it.positions.every((at) => !taken.has(at))) for (const at of it.positions) taken.set(at, it)
  const units: QueryUnit[] = []
  for (const at of words.keys()) {
    const meaning = taken.get(at)
    if (meaning && Math.min(...meaning.positions) < at) continue
    const own = meaning ? meaning.positions.toSorted((a, b) => a - b).map((it) => words[it]!) : [words[at]!]
    const meanings = meaning?.meanings ?? []
    const isIncomplete = own.at(-1) === words.at(-1)
    const isInside = [...new Set(taken.values())].some(
      ({ meanings: [first], positions }) =>
        first?.isNeed === true &&
        !positions.includes(at) &&
        Math.min(...positions) < at &&
        at < Math.max(...positions),
    )
    units.push({
      words: own,
      meanings,
      isIncomplete,
      isAlone: own.length === words.length,
      typed: own.map((it) => it.typed).join(' '),
      role: roleOf(own, meanings, known),
      isRequired: false,
      isSeries: meanings.length === 0 && own.length === 1 && isSeriesWord(own[0]!.word, known),
      ...(isInside && { isInside }),
    })
    if (meaning && report)
      report('meaning', own.map((it) => it.word).join(' '), meanings.map(shownMeaning).join('; '))
  }
  const read = withModel(withAlternatives(withSeries(units, known)), known)
  return withExtras(withRequired(read, known), known)
}

/** Beside a brand, a word that no thing here is called by is part of a name: slim in IdeaPad Slim. */
function withSeries(units: QueryUnit[], known: KnownWords): QueryUnit[] {
  const brands = units.filter((it) => it.role === 'brand')
  if (brands.length === 0) return units
  const names = brands.flatMap((it) => [
    it.words.map(({ word }) => word),
    ...it.meanings.flatMap(({ forms }) => forms.slice(-1)),
  ])
  const isOfName = (word: string) =>
    names.some((name) => phraseRows(known.index, [...name, word], 'name').length > 0)
  const isThingOf = (meanings: readonly Meaning[]) =>
    names.some((name) =>
      meanings
        .flatMap(formsOf)
        .some((form) => phraseRows(known.index, [...name, ...form]).some((it) => (it & headFields) !== 0)),
    )
  const isSeries = ({ role, words: [first, second], meanings }: QueryUnit) => {
    if (role !== 'thing' || second !== undefined) return false
    const { word } = first!
    const bits = known.fieldsOf(word) & (headFields | fields.name)
    // Written so it is a name; only another form of it is a thing: Lego Техник is no техника.
    const isWritten = known.exactFieldsOf(word) === fields.name && !known.isListed(word)
    if ((isWritten || (meanings.length > 0 && bits === fields.name)) && isOfName(word)) return true
    // The brand sells no such thing, but has the word in a name: Marshall Monitor are headphones.
    return meanings.length > 0 && isOfName(word) && !isThingOf(meanings)
  }
  return units.map((it) =>
    isSeries(it) ? { ...it, role: 'brand' as const, meanings: [], isSeries: true } : it,
  )
}

/** A brand as names have it: the dictionary lists that form last. */
const nameOf = ({ words, meanings }: QueryUnit): readonly string[] =>
  meanings[0]?.forms.at(-1) ?? words.map(({ word }) => word)

/** Beside a brand with its series or model, a noun may be that of another thing whose name ends so: Edifier S1000 speakers. */
function withModel(units: QueryUnit[], known: KnownWords): QueryUnit[] {
  const isBrand = ({ role, isSeries }: QueryUnit) => role === 'brand' && !isSeries
  const isModelName = ({ role, isSeries, words: [first] }: QueryUnit) =>
    // Colours are words of names and of variants.
    (role === 'brand' && isSeries === true && (known.fieldsOf(first!.word) & fields.variant) === 0) ||
    (role === 'number' && modelName.test(first!.word) && known.isNamed(first!.word))
  if (!units.some(isBrand) || !units.some(isModelName)) return units
  const names = units.filter(isBrand).map(nameOf)
  const models = units.filter(isModelName).map((it) => it.words.map(({ word }) => word))
  const isWhole = isSoldBy(models, names, known)
  // Beside a whole name, another form of a word is no thing: Dyson V15 Detect is no detective.
  const isChance = ({ words: [first, second], meanings }: QueryUnit) =>
    isWhole &&
    second === undefined &&
    !known.synonyms.hasForm(first!.word) &&
    !isSoldBy(meanings.flatMap(formsOf), names, known)
  return units.map((it) => {
    if (it.role !== 'thing') return it
    return isChance(it) ? { ...it, role: 'modifier' as const, meanings: [] } : { ...it, isOfModel: true }
  })
}

/** Letters and digits, but no amount: 256gb. */
const modelName = /^(?=.*\p{L})(?=.*\d)(?!\d+(?:\.\d+)?\p{L}+$)/u

/** Things or brands that a conjunction joins are wanted alike: ложки и вилки, кола и пепси. */
function withAlternatives(units: QueryUnit[]): QueryUnit[] {
  const joined: QueryUnit[] = []
  const isListed = ({ role, meanings }: QueryUnit) =>
    (role === 'thing' || role === 'brand') && meanings.length > 0
  const areAlike = (one: QueryUnit, other: QueryUnit) =>
    isListed(one) && isListed(other) && one.role === other.role
  for (const it of units) {
    const before = joined.at(-1)
    if (!before || !it.words[0]!.isAlternative || !areAlike(before, it)) joined.push(it)
    else
      joined[joined.length - 1] = {
        ...before,
        words: [...before.words, ...it.words],
        meanings: [...before.meanings, ...it.meanings],
        typed: `${before.typed} ${it.typed}`,
        isIncomplete: it.isIncomplete,
      }
  }
  return joined
}

/**
 * A word that means a wider thing ranks the products first that have the word itself in their name: энциклопедия. A purpose
 * ranks those first whose description has it.
 */
function withExtras(units: QueryUnit[], known: KnownWords): QueryUnit[] {
  const purposes = units
    .filter(
      (it) =>
        it.role === 'modifier' && it.words.some(({ word, isPurpose: isFor }) => isFor || isPurpose(word)),
    )
    .map((it) => ({ ...it, isRequired: false, isIncomplete: false, isExtra: true }))
  const extras = units
    .filter((it) => it.role === 'thing' && it.meanings.some(({ narrower }) => narrower.length > 0))
    .flatMap((unit) => unit.words.map((word) => ({ unit, word })))
    .filter(({ word: { word } }) => !isAdjective(word) && isSeriesWord(word, known))
  if (extras.length + purposes.length === 0) return units
  const extra = ({ unit, word }: { unit: QueryUnit; word: StepWord }): QueryUnit => ({
    ...unit,
    words: [word],
    typed: word.typed,
    meanings: [],
    role: 'brand',
    isRequired: false,
    isIncomplete: false,
    isExtra: true,
    isSeries: true,
  })
  return [...units, ...purposes, ...extras.map(extra)]
}

/** Whether names have the word, but no thing and no brand here is called by it. */
const isSeriesWord = (word: string, known: KnownWords): boolean =>
  (known.fieldsOf(word) & (headFields | fields.name | fields.brand)) === fields.name

const shownForms = 6
const shownMeaning = ({ forms, narrower }: Meaning): string =>
  (narrower.length > 0 ? narrower : forms)
    .slice(0, shownForms)
    .map((it) => it.join(' '))
    .join(', ')

function roleOf(words: readonly StepWord[], meanings: readonly Meaning[], known: KnownWords): UnitRole {
  if (meanings.length > 0) return meanings.some((it) => it.kind === 'thing') ? 'thing' : 'brand'
  const { word } = words[0]!
  if (isModel(word)) return 'number'
  if (isPurpose(word) || isStopWord(word)) return 'modifier'
  const bits = known.fieldsOf(word)
  if (isAdjective(word) || isColour(word)) return 'modifier'
  if (modifiersFor(word).length > 0 && (bits & headFields) === 0) return 'modifier'
  // A letter is part of a model: galaxy s.
  if ((bits & headFields) !== 0 && word.length > 1) return 'thing'
  if (bits !== 0) return (bits & (fields.brand | fields.name)) !== 0 ? 'brand' : 'modifier'
  return known.synonyms.has(word) ? 'thing' : 'unknown'
}
