// The steps that turn typed text into words of the index and the dictionary. Each step is a pure function of the words
// and what is known, and reports what it changed.

import { basesOf } from './diminutives.ts'
import type { KnownWords } from './known-words.ts'
import { isAdjective } from './head-words.ts'
import { isFiller, isStopWord } from './lexicon.ts'
import { namingFields } from './fields.ts'
import { phraseRows } from './phrase-rows.ts'
import { haveOneStem, minTinyLength, thingNear } from './short-typos.ts'
import { allowedTypos, editDistance } from './typos.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'
import type { QueryWord } from './words.ts'

export const stepNames = [
  'price',
  'layout',
  'join',
  'split',
  'filler',
  'diminutive',
  'sound',
  'typo',
  'meaning',
  'prefix',
] as const
export type StepName = (typeof stepNames)[number]

/** What a step changed. */
export interface Step {
  step: StepName
  from: string
  to: string
}

export type Report = (step: StepName, from: string, to: string) => void

/** A word of a query on its way through the steps. */
export interface StepWord extends QueryWord {
  /** The word says what the thing is for, with or on: a cover for a boat, headphones with a microphone. */
  isPurpose: boolean
  /** What the thing comes with or in, or what it is about: tea with bergamot. */
  isAddition?: boolean
  /** A conjunction joins it with the word before. */
  isAlternative?: boolean
}

const minJoinedLength = 5
const minPart = 3

/** Two words that are one word of the index or the dictionary: ноут бук. */
export function joinWords(words: readonly StepWord[], known: KnownWords, report: Report): StepWord[] {
  const joined: StepWord[] = []
  for (let at = 0; at < words.length; at++) {
    const [one, other] = [words[at]!, words[at + 1]]
    const whole = other && one.word + other.word
    const spoken = whole && words.length <= maxNameWords ? spokenName(one.word, other.word, known) : undefined
    if (spoken !== undefined) {
      report('join', `${one.word} ${other!.word}`, spoken)
      joined.push({ ...one, word: spoken, typed: `${one.typed} ${other!.typed}` })
      at++
      continue
    }
    if (
      !whole ||
      isModel(whole) ||
      !isOneWord(whole, known, one.word, other.word) ||
      isPhrase(one, other, known)
    ) {
      joined.push(one)
      continue
    }
    report('join', `${one.word} ${other.word}`, whole)
    joined.push({ ...one, word: whole, typed: `${one.typed} ${other.typed}` })
    at++
  }
  return joined
}

const minSpokenName = 6
/** Longer queries are sentences, and no names. */
const maxNameWords = 6

/** A series that is said as two words of which one means nothing: винд фри is WindFree. */
function spokenName(one: string, other: string, known: KnownWords): string | undefined {
  const whole = one + other
  if (!isCyrillic(one) || !isCyrillic(other) || isModel(whole) || whole.length < minSpokenName)
    return undefined
  if (
    Math.min(one.length, other.length) < minPart ||
    [one, other].some((it) => isStopWord(it) || isFiller(it))
  )
    return undefined
  return [one, other].some((it) => !known.isNamed(it)) ? soundAlike(whole, known) : undefined
}

/** A short piece or a stop word joins only what is written exactly so: мастер и is no form of мастер. */
function isOneWord(whole: string, known: KnownWords, ...parts: string[]): boolean {
  if (whole.length < minJoinedLength || parts.some((it) => oneLetter.test(it))) return false
  if (parts.some(isFiller)) return isInName(whole, known)
  const isDoubtful = parts.some((it) => it.length < minPart || isStopWord(it))
  // Keys have no doubled vowels, so айфоны и would be айфоны.
  const key = keysOf(whole)[0]
  if (isDoubtful && parts.some((it) => keysOf(it)[0] === key)) return false
  // A preposition follows no half of a word, and plates are no платье с.
  if (isDoubtful) return !isStopWord(parts.at(-1)!) && known.isExact(whole)
  // A Latin word has stems in three languages: o‘rik qoqi is no form of o‘rik.
  return isCyrillic(whole) ? known.isWhole(whole) : known.isExact(whole) || known.synonyms.has(whole)
}

/** A row of one letter is no part of a word: холодильник ыыыы. */
const oneLetter = /^(\p{L})\1{2,}$/u

/** Whether a name has the word in exactly this spelling. */
function isInName(word: string, { index }: KnownWords): boolean {
  const entry = index.vocabulary.find(keysOf(word)[0]!)
  return (
    entry !== undefined &&
    (index.fieldsOf(entry) & namingFields) !== 0 &&
    index.vocabulary.shown(entry, isCyrillic(word)) === word
  )
}

const isPhrase = (one: StepWord, other: StepWord, known: KnownWords): boolean =>
  known.synonyms.find([one.word, other.word], 0)?.positions.length === 2 ||
  known.synonyms.find([one.word, other.word], 1)?.positions.length === 2

const purposeBefore = new Set(
  'для на с со к от из без под над перед возле около вокруг в во по о об for with without to in on under over at about'.split(
    ' ',
  ),
)
const purposeAfter = new Set(['uchun', 'учун', 'bilan', 'билан', 'haqida', 'ҳақида'])
/** What follows is a part, a package or a topic: tea in bags, a book about love. */
const additionBefore = new Set('с со в о об with in about'.split(' '))
const additionAfter = new Set(['bilan', 'билан', 'haqida', 'ҳақида'])

/** Services have the ending of an adjective in the instrumental case: с установкой. */
const service = /^(установк|доставк|гаранти|скидк|рассрочк|оплат)/

/** Whether a word may stand between a preposition and its noun. */
const standsBefore = (word: string): boolean =>
  !service.test(word) &&
  (isAdjective(word) ||
    instrumental.test(word) ||
    isModel(word) ||
    isFiller(word) ||
    englishAdjectives.has(word))

/** Adjectives with an ending that some nouns have too, and reflexive participles: с большим экраном. */
const instrumental = /.{2}[гжкнхчшщ]им$|[шщ].{2,3}ся$/

/** English adjectives have no ending of their own. */
const englishAdjectives = new Set(
  'good great best big large small little long short powerful strong fast high low new nice soft warm cool extra my your'.split(
    ' ',
  ),
)

const conjunctions = new Set('и или and or va ва ёки yoki'.split(' '))

/** Drops stop words, and marks the nouns that they make a purpose. */
export function markPurposes(words: readonly StepWord[]): StepWord[] {
  const purposes = new Set<number>()
  const additions = new Set<number>()
  for (const [at, { word }] of words.entries()) {
    if (purposeAfter.has(word) && at > 0) purposes.add(at - 1)
    if (additionAfter.has(word) && at > 0) additions.add(at - 1)
    if (!purposeBefore.has(word)) continue
    // Adjectives and numbers stand between the preposition and its noun: на 4 конфорки.
    let noun = at + 1
    while (noun + 1 < words.length && standsBefore(words[noun]!.word) && !isStopWord(words[noun + 1]!.word))
      noun++
    purposes.add(noun)
    if (additionBefore.has(word)) additions.add(noun)
  }
  const marked = words.map((it, at) => ({
    ...it,
    isPurpose: purposes.has(at),
    isAddition: additions.has(at),
    isAlternative: conjunctions.has(words[at - 1]?.word ?? ''),
  }))
  const significant = marked.filter((it) => !isStopWord(it.word))
  return significant.length > 0 ? significant : marked
}

/** Words that say nothing about the thing: купить, narxi, cheap. A phrase of the dictionary keeps them: food delivery. */
export function dropFillers(words: readonly StepWord[], known: KnownWords, report: Report): StepWord[] {
  if (!words.some((it) => isFiller(it.word))) return [...words]
  const kept = new Set<number>()
  const texts = words.map((it) => it.word)
  for (const at of words.keys()) {
    const found = known.synonyms.find(texts, at)
    const positions = found?.positions ?? []
    const areBeside = Math.max(...positions) - Math.min(...positions) === positions.length - 1
    const isNeed = found?.meanings.some((it) => it.isNeed)
    if (positions.length > 1 && (areBeside || isNeed)) for (const it of positions) kept.add(it)
  }
  // A thing with delivery or installation is the thing, not the service.
  const isDropped = (it: StepWord, at: number) =>
    isFiller(it.word) && (!kept.has(at) || (it.isAddition === true && at > 0))
  const left = words.filter((it, at) => !isDropped(it, at))
  if (left.length === 0 || left.length === words.length) return [...words]
  const dropped = words.filter(isDropped)
  report('filler', dropped.map((it) => it.word).join(' '), '')
  return left
}

const minDiminutiveLength = 6

/** The word of which an unknown one is a diminutive: лэптопчик is лэптоп. */
export function withoutDiminutive(word: string, known: KnownWords): string | undefined {
  if (word.length < minDiminutiveLength) return undefined
  return basesOf(word).find((it) => known.isExact(it) && known.isWhole(it))
}

const minSoundLength = 4

/** The name that sounds like a word in another script: мишлен is Michelin. */
export function soundAlike(word: string, known: KnownWords): string | undefined {
  if (word.length < minSoundLength) return undefined
  const entry = known.index.sounds.find(word)
  return entry === undefined || known.index.postings.length(entry) === 0
    ? undefined
    : known.index.vocabulary.shown(entry, false)
}

/** The English word of the dictionary that a word in Cyrillic letters sounds like: бэкпэк is backpack. */
export const englishAlike = (word: string, known: KnownWords): string | undefined =>
  word.length >= minSoundLength && isCyrillic(word) ? known.synonyms.soundAlike(word) : undefined

/** Shorter words are not corrected: they have too many neighbours. */
const minCorrectedLength = 5

/** A word that may be meant by a misspelt one. */
interface NearWord {
  word: string
  key: string
  typos: number
  worth: number
  isIndexed: boolean
}

/** The nearest word of a name, a brand, a category or the dictionary, and how many typos away it is. */
export function nearestWord(
  word: string,
  known: KnownWords,
  /** Known words of the query. Beside them, two typos lead only to what the shop has: longline is no landline. */
  beside: readonly string[] = [],
): { word: string; typos: number } | undefined {
  if (word.length < minCorrectedLength && word.length >= minTinyLength) return thingNear(word, known)
  if (word.length < minCorrectedLength || allowedTypos(word.length) === 0) return undefined
  const key = keysOf(word)[0]!
  const near = nearWords({ word, key }, known).filter(
    (it) => it.isIndexed || it.typos === 1 || beside.length === 0 || known.isNamed(it.word),
  )
  const named = namedBeside(near, beside, known)
  const [best, ...others] = near.toSorted(
    (a, b) =>
      a.typos - b.typos ||
      // What a name has together with the brand: huawei matbook is MateBook, and no MacBook.
      Number(named.has(b)) - Number(named.has(a)) ||
      // What is sold is likelier than a part of a phrase: telfon is telefon, and no teflon.
      Number(isSold(b)) - Number(isSold(a)) ||
      // Two swapped letters are likelier than a wrong one: koylka is koylak.
      Number(hasSameLetters(b.key)) - Number(hasSameLetters(a.key)) ||
      // The first letter is seldom wrong: dafter is daftar, and no after.
      Number(b.key[0] === key[0]) - Number(a.key[0] === key[0]) ||
      // A wrong vowel is likelier than a wrong consonant: garmen is Garmin, and no garden.
      Number(b.isIndexed && haveSameConsonants(key, b.key)) -
        Number(a.isIndexed && haveSameConsonants(key, a.key)) ||
      spellingDifference(word, a.word) - spellingDifference(word, b.word) ||
      b.worth - a.worth ||
      (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  )
  // Of the forms of one word the one that most names have: наушнки is наушники.
  const usual = others.find(
    (it) => it.typos === best!.typos && it.worth > best!.worth && haveOneStem(it.word, best!.word, known),
  )
  return usual ?? best

  function isSold({ word: other, isIndexed }: NearWord): boolean {
    return isIndexed || known.isSold(other)
  }

  function hasSameLetters(other: string): boolean {
    return [...key].toSorted().join('') === [...other].toSorted().join('')
  }
}

/** Words of the shop and of the dictionary that are near enough, and of the same kind. */
function nearWords({ word, key }: { word: string; key: string }, known: KnownWords): NearWord[] {
  const { vocabulary, postings } = known.index
  const most = key.length >= minVowelTypos ? 2 : undefined
  const indexed = known
    .near(key, most)
    .filter(({ entry }) => postings.length(entry) > 0 && (known.index.fieldsOf(entry) & namingFields) !== 0)
    .map(({ entry, typos }) => ({
      word: vocabulary.shown(entry, isCyrillic(word)),
      key: vocabulary.key(entry),
      typos,
      worth: 1 + Math.log1p(postings.length(entry)),
      isIndexed: true,
    }))
  const listed = known.nearListed(word, most).map((it) => ({
    ...it,
    key: keysOf(it.word)[0]!,
    worth: isCyrillic(it.word) === isCyrillic(word) ? 1 : 0.5,
    isIndexed: false,
  }))
  return [...indexed, ...listed]
    .filter((it) => it.key.length >= minCorrectedLength - 1 && beginsAlike(key, it.key))
    .filter((it) => it.typos <= allowedTypos(key.length) || haveSameConsonants(key, it.key))
    .filter((it) => isCyrillic(word) === isCyrillic(it.word) || isSureInOtherScript(key, it))
    .filter(
      (it) =>
        it.typos === 1 || (!isAdjective(word) && !isAdjective(it.word)) || haveSameConsonants(key, it.key),
    )
    .filter(isSameKind)

  function isSameKind(it: { word: string; key: string }): boolean {
    return (!plainAdjective.test(word) || isAdjective(it.word)) && without.test(key) === without.test(it.key)
  }
}

/** Of words with equal keys, the one that is written more alike: konditsoner is no conditioner. */
const spellingDifference = (word: string, other: string): number =>
  isCyrillic(word) === isCyrillic(other)
    ? editDistance(word, other, maxSpellingDifference)
    : maxSpellingDifference + 1

/** Of several words with the fewest typos, those that a name has together with another word of the query. */
function namedBeside<T extends { word: string; typos: number }>(
  near: readonly T[],
  beside: readonly string[],
  known: KnownWords,
): ReadonlySet<T> {
  const least = near.filter((it) => near.every(({ typos }) => it.typos <= typos))
  // A brand of the dictionary is found by the form that names have: редмонт мультиварка is no ремонт.
  const formsOf = (word: string) => [
    [word],
    ...known.synonyms.meaningsOf(word).flatMap((it) => (it.kind === 'brand' ? it.forms.slice(-1) : [])),
  ]
  const isNamed = ({ word }: T) =>
    beside.some((it) =>
      formsOf(word).some((form) => phraseRows(known.index, [it, ...form], 'name').length > 0),
    )
  return new Set(least.length > 1 ? least.filter(isNamed) : [])
}

/** Whether a word has only other vowels than a word of the shop or the dictionary: басаножки. */
export function hasWrongVowels(word: string, known: KnownWords): boolean {
  const near = word.length < minVowelTypos ? undefined : nearestWord(word, known)
  return (
    near !== undefined &&
    known.isWhole(near.word) &&
    haveSameConsonants(keysOf(near.word)[0]!, keysOf(word)[0]!)
  )
}

/** Endings that no misspelt noun has: крепкий is not кепки, лёгкий not лепка. */
const plainAdjective = /.{2}(?:ый|кий|[кнв]ая|[кнв]ое|[кнв]ые|кие)$/
/** The Uzbek ending for "without" in keys: tugmasiz is the opposite of tugmali. */
const without = /.{3}siz$/

/** From this length on, two wrong vowels are accepted: тилифон. */
const minVowelTypos = 6
const maxSpellingDifference = 3

/** The consonants in their places. */
const withoutVowels = (key: string): string => key.replaceAll(/[aeiouy]/g, '.')
const haveSameConsonants = (key: string, other: string): boolean =>
  withoutVowels(key) === withoutVowels(other)

/** Words of another script are mostly names: what is not quite alike is another word, as парик and Paris. */
const minOtherScript = 7
const isSureInOtherScript = (key: string, { typos }: { typos: number }): boolean =>
  key.length >= minOtherScript && typos === 1

const vowels = /^[aeiou]/
const beginsAlike = (one: string, other: string): boolean =>
  one[0] === other[0] ||
  // Of short words the first letter decides: сифон is no iphone.
  (one.length > minCorrectedLength && begins(one, other))

const begins = (one: string, other: string): boolean =>
  (vowels.test(one) && vowels.test(other)) || one[0] === other[1] || one[1] === other[0]
