// Turns the units of a query into lists of rows: by the words themselves, their stems, their meanings, and the last word
// as a prefix. Every step has a limit, so that no text costs much more than another.

import type { KnownWords } from './known-words.ts'
import { isPurpose, modifiersFor, sameAmounts } from './lexicon.ts'
import { type PhrasePlace, phraseRows } from './phrase-rows.ts'
import { fields, headFields, namingFields, slotBits } from './fields.ts'
import type { Texts } from './texts.ts'
import type { QueryUnit } from './query-unit.ts'
import type { QueryMode } from './understand-query.ts'
import { eachForm, type FormKind } from './word-forms.ts'
import { isCyrillic, keysOf } from './word-key.ts'

/** How what a row has stands for what was asked: the word itself, another form or spelling of it, … */
export const matchKinds = [
  'word',
  'spelling',
  'form',
  'synonym',
  'narrower',
  'amount',
  'part',
  'prefix',
  'brand',
] as const
export type MatchKind = (typeof matchKinds)[number]

/** Rows that have a word or a phrase, as postings; only postings with a field of `mask` count. */
export interface RowList {
  values: Uint32Array
  /** 1 for the word itself, less for what stands for it. */
  quality: number
  mask: number
  kind: MatchKind
  /** What the rows have: a word of the vocabulary, or the words of a phrase. */
  found: number | readonly string[]
}

/** All rows for one unit of the query. */
export interface UnitRows {
  unit: QueryUnit
  lists: RowList[]
  /** How many postings the lists have together. */
  size: number
}

const maxTerms = 50
const maxPhrases = 40
const maxPrefixMatches = 4_000
/** A short word that is the whole query is a word: лук is no beginning of Lukoil. */
const minPrefixLength = { typing: 1, submitted: 2, alone: 4 }
/** Prefix matches are added, the most frequent first, while they have no more postings than this together. */
const maxPrefixPostings = { typing: 10_000, submitted: 50_000 }
const maxCompletions = 6

const quality = {
  exact: 1,
  otherKey: 0.98,
  stem: 0.97,
  synonym: 0.95,
  amount: 0.97,
  /** Another word for the thing that serves a need, which may name a similar thing. */
  forNeed: 0.8,
  fallback: 0.6,
  prefix: 0.8,
  wider: 0.5,
  /**
   * A brand that is also the word for a thing: its products of that kind count slightly more than a head word, the
   * others slightly less.
   */
  brandOfKind: 7.2,
  brandAlone: 5.4,
}

const allFields = (1 << slotBits) - 1
/** A word that no name has is not looked up in descriptions alone. */
const described = allFields & ~fields.description

/** The dictionary has the word as it is typed: plate is no платье here either. */
const isListed = ({ words: [first], meanings }: QueryUnit): boolean =>
  meanings.some((it) => it.forms.some((form) => form.length === 1 && form[0] === first!.word))

const relatedWorth = { worth: quality.synonym, mask: namingFields | fields.variant, kind: 'synonym' as const }

export function rowsOf(unit: QueryUnit, known: KnownWords, mode: QueryMode): UnitRows {
  const terms = new Terms(known.index)
  const [first] = unit.words
  const isThing = unit.role === 'thing'
  const isKnown = isThing && unit.meanings.length > 0
  // Every description says that a thing is for the home: a purpose that no name has narrows nothing.
  const isFor = unit.role === 'modifier' && !unit.isExtra && (first!.isPurpose || isPurpose(first!.word))
  const mask = isThing
    ? namingFields | fields.variant
    : unit.role === 'unknown' || isFor
      ? described
      : allFields
  const narrower = unit.meanings.flatMap((it) => it.narrower)
  const lists: RowList[] = []
  const worth = narrower.length > 0 ? quality.wider : 1
  if (unit.isBeginning) addPrefix(terms, unit, known, mode)
  else if (unit.words.length === 1) {
    addWord(terms, first!.word, {
      worth,
      mask,
      kind: 'word',
      isListed: isListed(unit),
      mayBeRussian: !known.synonyms.knows(first!.word),
      isBrand: unit.role === 'brand' && isListed(unit),
    })
    lists.push(...gluedRows(first!.word, known))
    for (const amount of sameAmounts(first!.word))
      addKeys(terms, amount, { worth: quality.amount, mask, kind: 'amount' })
    if (unit.role === 'modifier')
      for (const word of modifiersFor(first!.word))
        addWord(terms, word, { ...relatedWorth, mayBeRussian: false, isListed: true })
    if (terms.size === 0 && first!.fallback)
      addKeys(terms, first!.fallback, { worth: quality.fallback, mask: allFields, kind: 'part' })
  } else {
    const words = unit.words.map((it) => it.word)
    const values = phraseRows(known.index, words)
    if (values.length > 0) lists.push({ values, quality: worth, mask, kind: 'word', found: words })
  }
  const synonymMask = isThing ? headFields : fields.head | fields.name | fields.brand
  const forms = inTurns(unit.meanings.map((it) => (it.narrower.length > 0 ? it.narrower : it.forms)))
  const given: Worth = {
    worth: quality.synonym,
    mask: synonymMask,
    kind: narrower.length > 0 ? 'narrower' : 'synonym',
  }
  const place = isThing ? 'name or category' : 'name'
  const named = new Set(unit.meanings.flatMap((it) => (it.isNeed ? (it.named ?? []) : [])))
  const near = { ...given, worth: quality.forNeed }
  for (const form of forms.slice(0, maxPhrases))
    lists.push(
      ...formRows(terms, form, { ...(named.size === 0 || named.has(form.join(' ')) ? given : near), place }),
    )
  if (unit.isIncomplete && !unit.isBeginning) addPrefix(terms, unit, known, mode)
  lists.push(...terms.lists())
  if (isKnown && !unit.isOfModel) dropFalseFriends(lists, unit, known)
  if (isKnown && unit.words.length === 1) lists.push(...brandRows(lists, first!.word, known))
  return { unit, lists, size: lists.reduce((sum, it) => sum + it.values.length, 0) }
}

const glued = /^(\p{L}{3,})(\d{1,4})$/u

/** A series and its number written together: flip7 is Flip 7, also when another brand writes it together. */
function gluedRows(word: string, { index }: KnownWords): RowList[] {
  const [, series, number] = glued.exec(word) ?? []
  if (series === undefined) return []
  const values = phraseRows(index, [series, number!], 'name')
  const found = { kind: 'spelling' as const, found: [series, number!], mask: allFields & ~fields.description }
  return values.length > 0 ? [{ ...found, values, quality: quality.stem }] : []
}

/** The first of each list, then the second of each, so that no limit leaves a whole list out. */
function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  if (lists.length < 2) return lists[0] ?? []
  const longest = Math.max(...lists.map((it) => it.length))
  const turns: T[] = []
  for (let at = 0; at < longest; at++) for (const list of lists) if (at < list.length) turns.push(list[at]!)
  return turns
}

/** A brand that became the word for its thing ranks first: pampers. Its products of this kind precede its others. */
function brandRows(lists: readonly RowList[], word: string, { index }: KnownWords): RowList[] {
  const entry = index.vocabulary.find(keysOf(word)[0]!)
  if (entry === undefined || !isBrandOnly(index, entry)) return []
  const ofBrand = index.postings.view(entry).filter((it) => (it & fields.brand) !== 0)
  const ofKind = new Set<number>()
  for (const { values, mask } of lists)
    for (const value of values) if ((value & mask & headFields) !== 0) ofKind.add(value >>> slotBits)
  const isOfKind = (value: number) => ofKind.has(value >>> slotBits)
  const found = { mask: fields.brand, kind: 'brand' as const, found: entry }
  return [
    { ...found, values: ofBrand.filter(isOfKind), quality: quality.brandOfKind },
    { ...found, values: ofBrand.filter((it) => !isOfKind(it)), quality: quality.brandAlone },
  ]
}

/** Rows whose head noun is part of a phrase with another meaning: "exercise bike" for bike, "духовой шкаф" for wardrobe. */
function dropFalseFriends(
  lists: RowList[],
  { words, meanings }: QueryUnit,
  { index, synonyms }: KnownWords,
): void {
  const friends = synonyms.falseFriends(words.length === 1 ? words[0]!.word : undefined, meanings)
  const dropped = new Set<number>()
  for (const phrase of friends)
    for (const value of phraseRows(index, phrase, 'name'))
      if ((value & headFields) !== 0) dropped.add(value >>> slotBits)
  if (dropped.size === 0) return
  for (const list of lists) list.values = list.values.filter((it) => !dropped.has(it >>> slotBits))
}

function formRows(terms: Terms, form: readonly string[], given: Worth & { place: PhrasePlace }): RowList[] {
  const { worth, mask, kind, place } = given
  if (form.length === 1) {
    addWord(terms, form[0]!, { worth, mask, kind, mayBeRussian: false, isListed: true })
    return []
  }
  const values = phraseRows(terms.index, form, place)
  return values.length > 0 ? [{ values, quality: worth, mask, kind, found: form }] : []
}

interface Worth {
  worth: number
  mask: number
  kind: MatchKind
}

/** The best quality of each entry; only entries that some row has. */
class Terms {
  readonly index: Texts
  readonly #terms = new Map<number, Worth>()

  constructor(index: Texts) {
    this.index = index
  }

  get size(): number {
    return this.#terms.size
  }

  addEntry(entry: number | undefined, given: Worth): void {
    if (entry === undefined || this.index.postings.length(entry) === 0) return
    if ((this.index.fieldsOf(entry) & given.mask) === 0) return
    const known = this.#terms.get(entry)
    if (known && known.worth >= given.worth) return
    if (known || this.#terms.size < maxTerms) this.#terms.set(entry, given)
  }

  lists(): RowList[] {
    return [...this.#terms]
      .map(([entry, { worth, mask, kind }]) => ({
        values: this.index.postings.view(entry),
        quality: worth,
        mask,
        kind,
        found: entry,
      }))
      .toSorted((a, b) => b.quality - a.quality)
  }
}

const isBrandOnly = (index: Texts, entry: number): boolean =>
  (index.fieldsOf(entry) & (fields.brand | headFields | fields.category)) === fields.brand

/** Latin words of the dictionary up to this length are not stemmed. */
const maxUnstemmed = 3
/** Letters up to which a word of the dictionary must be in the script of the text: plate is not платье. */
const maxAmbiguousLength = 5

const isShortLatin = (word: string): boolean => word.length <= maxUnstemmed && !isCyrillic(word)

const formKinds: Record<FormKind, MatchKind> = { exact: 'word', otherKey: 'spelling', stem: 'form' }

/** A brand is not found by a word that only shares its stem. */
function addWord(
  terms: Terms,
  word: string,
  {
    worth,
    mask,
    kind: given,
    mayBeRussian,
    isListed: isOfDictionary,
    isBrand = false,
  }: Worth & {
    mayBeRussian: boolean
    isListed: boolean
    /** The word is the name of a brand, which has no other forms: Gardena is no garden. */
    isBrand?: boolean
  },
): void {
  eachForm(terms.index, word, { mayBeRussian }, (entry, kind) => {
    if (kind === 'stem' && (isBrand || isBrandOnly(terms.index, entry))) return
    // A gerund of the dictionary is not the noun of its stem: booking is no book. Short words have too many: UPS is no up.
    if (kind === 'stem' && isOfDictionary && (word.endsWith('ing') || isShortLatin(word))) return
    if (
      isOfDictionary &&
      !isBrandOnly(terms.index, entry) &&
      word.length <= maxAmbiguousLength &&
      !terms.index.vocabulary.isWritten(entry, isCyrillic(word))
    )
      return
    terms.addEntry(entry, {
      worth: worth * quality[kind],
      mask,
      kind: given === 'word' ? formKinds[kind] : given,
    })
  })
}

function addKeys(terms: Terms, word: string, given: Worth): void {
  for (const key of keysOf(word)) terms.addEntry(terms.index.vocabulary.find(key), given)
}

/** The last word may be incomplete: while typing always, in a submitted query only when it means nothing as it is. */
function addPrefix(terms: Terms, unit: QueryUnit, known: KnownWords, mode: QueryMode): void {
  const { word } = unit.words.at(-1)!
  const key = keysOf(word)[0]!
  const least = unit.isAlone ? minPrefixLength.alone : minPrefixLength[mode]
  if (unit.words.length > 1 || word.length < (mode === 'typing' ? 1 : least) || /^[\d.]+$/.test(key)) return
  // In Cyrillic letters a whole word may be the beginning of another one: бленд is Blend-X, and блендер.
  const isName = unit.isAlone && unit.isSeries && isCyrillic(word) && key.length >= minPrefixLength.alone
  const isWhole = (terms.size > 0 && !isName) || unit.meanings.length > 0
  if (mode === 'submitted' && !unit.isBeginning && isWhole) return
  const { index } = known
  const found: number[] = []
  index.vocabulary.eachWithPrefix(key, maxPrefixMatches, (entry) => {
    if (index.postings.length(entry) > 0 && (index.fieldsOf(entry) & ~fields.description) !== 0)
      found.push(entry)
  })
  const { postings, vocabulary } = index
  found.sort(
    (a, b) => postings.length(b) - postings.length(a) || (vocabulary.key(a) < vocabulary.key(b) ? -1 : 1),
  )
  let seen = 0
  for (const entry of found.slice(0, maxTerms)) {
    // The most frequent word is always meant, however many rows have it.
    if (seen > 0 && seen + postings.length(entry) > maxPrefixPostings[mode]) break
    seen += postings.length(entry)
    const nearness = key.length / vocabulary.key(entry).length
    terms.addEntry(entry, {
      worth: quality.prefix * (0.9 + 0.1 * nearness),
      mask: ~fields.description & allFields,
      kind: 'prefix',
    })
  }
  for (const word of known.synonyms.completions(key, maxCompletions)) {
    const meanings = known.synonyms.meaningsOf(word)
    for (const { kind, forms } of meanings)
      for (const form of forms)
        if (form.length === 1)
          addWord(terms, form[0]!, {
            mayBeRussian: false,
            isListed: true,
            worth: quality.prefix * 0.9,
            kind: 'prefix',
            mask: kind === 'thing' ? headFields : fields.brand | fields.head,
          })
  }
}
