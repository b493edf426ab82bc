// What a buyer typed, turned into known words: as written, by the root, as a beginning, with slips, or as typed on the
// wrong keyboard. Every step has a limit, so that no text costs more than another.

import { inOtherLayout } from './keyboard.ts'
import { isCyrillic, isModel, keysOf } from './letters.ts'
import { slipsAllowed } from './near-words.ts'
import { type Wanted, wantedIn } from './reading.ts'
import { meantBy } from './spoken-words.ts'
import type { TextIndex } from './text-index.ts'
import { rootsOf } from './vocabulary.ts'

export interface Term {
  entry: number
  /** 1 for the word itself, less for what stands for it. */
  quality: number
}

export interface Sought {
  terms: Term[]
  /** How many postings the terms have together. */
  size: number
}

export interface Reading {
  sought: Sought[]
  didYouMean: string | null
}

/** More of a text is not read. */
const longestText = 300
const mostTerms = 50
/** Who misspells more words than these is not helped by guesses. */
const mostCorrected = 4
/** Among more words than these with one beginning, the first by letters stand for all. */
const mostBeginnings = 4_000
const shortestBeginning = { typed: 1, sent: 2 }
/** Words with one beginning count while they have no more postings than this together. */
const mostBegun = { typed: 10_000, sent: 50_000 }

const quality = {
  itself: 1,
  otherReading: 0.95,
  root: 0.9,
  sameRoot: 0.85,
  meant: 0.8,
  instead: 0.6,
  beginning: 0.7,
}
const slipQuality = [1, 0.6, 0.45]

/** Reads a text. With `isBeing` typed, even one letter is a beginning. */
export function read(index: TextIndex, text: string, isBeing: 'typed' | 'sent'): Reading {
  const whole = text.slice(0, longestText)
  const asTyped = [...known(index, whole, isBeing)]
  if (asTyped.every(isAnswered)) return reading(asTyped, null)
  const swapped = allKnown(index, inOtherLayout(whole), isBeing)
  if (swapped.length > 0) return reading(swapped, swapped.map((it) => it.wanted.typed).join(' '))
  let corrected = 0
  const words = asTyped.map((it) => {
    if (isAnswered(it) || corrected === mostCorrected) return { ...it, shown: it.wanted.typed }
    const terms = nearTerms(index, it.wanted.word)
    if (terms.length === 0) return { ...it, shown: it.wanted.typed }
    corrected++
    return {
      wanted: it.wanted,
      sought: soughtOf(index, terms),
      shown: index.vocabulary.shown(terms[0]!.entry, isCyrillic(it.wanted.word)),
    }
  })
  return reading(words, corrected > 0 ? words.map((it) => it.shown).join(' ') : null)
}

interface Word {
  wanted: Wanted
  sought: Sought
}

/** Words that nothing answers are left out. */
const reading = (words: Word[], didYouMean: string | null): Reading => ({
  sought: words.filter(isAnswered).map((it) => it.sought),
  didYouMean,
})

const isAnswered = ({ sought }: Word): boolean => sought.terms.length > 0

/** The words of a text when products have every one of them, else none; gives up at the first that none has. */
function allKnown(index: TextIndex, text: string, isBeing: 'typed' | 'sent'): Word[] {
  const words: Word[] = []
  for (const word of known(index, text, isBeing)) {
    if (!isAnswered(word)) return []
    words.push(word)
  }
  return words
}

function* known(index: TextIndex, text: string, isBeing: 'typed' | 'sent'): Generator<Word> {
  const isKnown = (word: string) => keysOf(word).some((key) => sizeOf(index, key) > 0)
  const wanted = wantedIn(text, isKnown)
  for (const [at, it] of wanted.entries()) {
    const terms = knownTerms(index, it)
    if (at === wanted.length - 1) addBeginnings(index, it.word, isBeing, terms)
    yield { wanted: it, sought: soughtOf(index, terms) }
  }
}

const sizeOf = (index: TextIndex, key: string): number => {
  const entry = index.vocabulary.find(key)
  return entry === undefined ? 0 : index.postings.length(entry)
}

/** The best quality of each entry, the best first, and only those that some product has. */
class Terms extends Map<number, number> {
  readonly #index: TextIndex

  constructor(index: TextIndex) {
    super()
    this.#index = index
  }

  meet(entry: number | undefined, worth: number): void {
    if (entry === undefined || (this.get(entry) ?? 0) >= worth) return
    if (this.#index.postings.length(entry) > 0 && (this.size < mostTerms || this.has(entry)))
      this.set(entry, worth)
  }

  /** A root, and all words of it. */
  meetRoot(root: number | undefined, itself: number, others: number): void {
    if (root === undefined) return
    this.meet(root, itself)
    for (const entry of this.#index.vocabulary.wordsOf(root)) this.meet(entry, others)
  }
}

function knownTerms(index: TextIndex, { word, instead }: Wanted): Terms {
  const terms = new Terms(index)
  const { vocabulary } = index
  for (const [at, key] of keysOf(word).entries()) {
    const entry = vocabulary.find(key)
    terms.meet(entry, at === 0 ? quality.itself : quality.otherReading)
    if (isModel(word)) continue
    terms.meetRoot(entry, quality.root, quality.sameRoot)
    for (const root of rootsOf(word, key))
      terms.meetRoot(vocabulary.find(root), quality.root, quality.sameRoot)
  }
  const meant = meantBy(word)
  if (meant) terms.meetRoot(vocabulary.find(keysOf(meant)[0]!), quality.meant, quality.meant)
  if (instead && terms.size === 0)
    for (const key of keysOf(instead)) terms.meet(vocabulary.find(key), quality.instead)
  return terms
}

function addBeginnings(index: TextIndex, word: string, isBeing: 'typed' | 'sent', terms: Terms): void {
  const key = keysOf(word)[0]!
  if (key.length < shortestBeginning[isBeing] || /^[\d.]+$/.test(key)) return
  const met: number[] = []
  index.vocabulary.eachBeginning(key, mostBeginnings, (entry) => {
    if (index.postings.length(entry) > 0) met.push(entry)
  })
  const { postings, vocabulary } = index
  met.sort((a, b) => postings.length(b) - postings.length(a) || a - b)
  const most = met.length > 0 ? Math.log1p(postings.length(met[0]!)) : 1
  let seen = 0
  for (const entry of met.slice(0, mostTerms)) {
    seen += postings.length(entry)
    if (seen > mostBegun[isBeing]) break
    const nearness = key.length / vocabulary.key(entry).length + Math.log1p(postings.length(entry)) / most
    terms.meet(entry, quality.beginning * (0.8 + 0.1 * nearness))
  }
}

/** Words within a slip or two, the nearest first, then the most frequent. */
function nearTerms(index: TextIndex, word: string): Term[] {
  if (isModel(word)) return []
  const { vocabulary, postings } = index
  const frequency = (entry: number) =>
    postings.length(entry) + vocabulary.wordsOf(entry).reduce((sum, it) => sum + postings.length(it), 0)
  const terms = new Terms(index)
  for (const key of keysOf(word)) {
    const forms = [key, ...rootsOf(word, key)].filter((it) => slipsAllowed(it.length) > 0)
    const near = forms
      .flatMap((form) => vocabulary.near(form))
      .map((it) => ({ ...it, frequency: frequency(it.entry) }))
      .filter((it) => it.frequency > 0)
      .toSorted((a, b) => a.slips - b.slips || b.frequency - a.frequency || a.entry - b.entry)
    for (const { entry, slips } of near.slice(0, mostTerms))
      terms.meetRoot(entry, slipQuality[slips]!, slipQuality[slips]! * quality.sameRoot)
  }
  return inOrder(terms)
}

const inOrder = (terms: Terms): Term[] =>
  [...terms].map(([entry, worth]) => ({ entry, quality: worth })).toSorted((a, b) => b.quality - a.quality)

function soughtOf(index: TextIndex, terms: Terms | Term[]): Sought {
  const listed = terms instanceof Terms ? inOrder(terms) : terms
  return { terms: listed, size: listed.reduce((sum, it) => sum + index.postings.length(it.entry), 0) }
}
