// Synonyms compiled for lookup by root: any form of any word of a meaning finds all its forms.

import { isAdjective } from './head-words.ts'
import { isStopWord } from './lexicon.ts'
import type { NeedRule } from './need-rules.ts'
import {
  isAboutOther,
  isExact,
  isForm,
  isShortBrand,
  isTurned,
  isTyped,
  type Meaning,
  type Phrase,
  positionsOf,
} from './phrases.ts'
import { SoundIndex } from './sounds.ts'
import { russianRoot, stemsOf, uzbekStem } from './stemmers.ts'
import type { SynonymLine } from './synonym-lines.ts'
import { tokensOf } from './tokens.ts'
import { type NearEntry, TypoIndex } from './typos.ts'
import { cachedRoots } from './word-roots.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'

/** Lines and rules of one kind. */
export interface SynonymSection {
  kind: Meaning['kind']
  lines: readonly SynonymLine[]
  rules?: readonly NeedRule[]
  /** The wider forms of the lines say what a shopper wants to do. */
  areNeeds?: boolean
}

/** A meaning found in a query, and the positions of its words. */
export interface FoundMeaning {
  meanings: Meaning[]
  positions: number[]
  /** The thing of the phrase does not stand where the language of the query has it: first in Russian, else last. */
  isTurned?: boolean
}

const maxPhraseWords = 4
/** Phrases of up to so many words are also found written together. */
const maxJoinedWords = 3

export class CompiledSynonyms {
  /** Phrases by the roots of their first word. */
  readonly byRoot = new Map<string, Phrase[]>()
  /** Of these, the phrases of one word: most words are asked for alone. */
  readonly #singles = new Map<string, Phrase[]>()
  readonly keys = new Set<string>()
  readonly meanings = new Set<Meaning>()
  readonly #roots = new Set<string>()
  readonly #nounRoots = new Set<string>()
  /** Words of things and brands, not of needs, as they are written. */
  readonly #exactForms = new Set<string>()
  /** Words by number, for typos and completions. */
  readonly #words: string[] = []
  readonly #keys: string[] = []
  /** Numbers of phrases written together; they are no completions. */
  readonly #joined = new Set<number>()
  /** Phrases of several words by the keys of all their words. */
  #byWord: Map<string, Phrase[]> | undefined
  readonly #falseFriends = new Map<string, (readonly string[])[]>()
  readonly #rootsOf = cachedRoots()
  /** Many rules name one group. */
  readonly #groupRoots = new Map<readonly string[], string[]>()
  #typos: TypoIndex | undefined
  #sounds: SoundIndex | undefined
  #sorted: number[] | undefined

  constructor(sections: readonly SynonymSection[]) {
    const same = new Map<string, Meaning>()
    const joined = new Set<string>()
    const roots = new Map<string, readonly string[]>()
    const rootsFor = (word: string) => {
      const known = roots.get(word)
      if (known) return known
      const keys = keysOf(word)
      const stems = stemsOf(word, keys[0]!)
      const isNoun = !isAdjective(word)
      for (const it of stems) {
        this.#roots.add(it)
        if (isNoun) this.#nounRoots.add(it)
      }
      const made = isModel(word) ? keys : [...new Set([...keys, ...stems])]
      roots.set(word, made)
      this.#words.push(word)
      this.#keys.push(keys[0]!)
      this.keys.add(keys[0]!)
      return made
    }
    const add = (words: string[], meaning: Meaning) => {
      if (words.length === 0 || words.length > maxPhraseWords) return
      const phrase: Phrase = { words, roots: words.map(rootsFor), meaning }
      this.meanings.add(meaning)
      if (!meaning.isNeed) for (const word of words) this.#exactForms.add(word)
      for (const root of phrase.roots[0]!) this.#list(root, phrase)
      // Phrases are also found when they are written together: hairdryer, стиральнаямашина.
      if (words.length === 1 || words.length > maxJoinedWords || meaning.narrower.length > 0) return
      const whole = words.join('')
      const key = keysOf(whole)[0]!
      this.#list(key, { words: [whole], roots: [[key]], meaning })
      if (!joined.has(whole) && !roots.has(whole)) {
        joined.add(whole)
        this.#exactForms.add(whole)
        this.#joined.add(this.#words.push(whole) - 1)
        this.#keys.push(key)
      }
    }
    for (const { kind, lines } of sections)
      for (const line of lines)
        if (line.kind === 'same') {
          const meaning: Meaning = { kind, forms: line.forms.map(wordsOf), narrower: [] }
          for (const [at, form] of line.forms.entries()) {
            if (!same.has(form)) same.set(form, meaning)
            add(meaning.forms[at]! as string[], meaning)
          }
        }
    // Wider words of one line share what they mean.
    const meant = new Map<readonly string[], Meaning['narrower']>()
    const formsFor = (forms: readonly string[]) => {
      const known = meant.get(forms) ?? forms.flatMap((it) => same.get(it)?.forms ?? [wordsOf(it)])
      meant.set(forms, known)
      return known
    }
    for (const { kind, lines, areNeeds = false } of sections)
      for (const line of lines)
        if (line.kind === 'narrower') {
          const words = wordsOf(line.form)
          const isNeed = areNeeds && words.length > 1
          add(words, {
            kind,
            forms: [words],
            narrower: formsFor(line.narrower),
            isNeed,
            named: line.narrower,
          })
        }
    for (const it of sections) this.#addRules(it, formsFor)
  }

  #addRules(
    { kind, rules = [] }: SynonymSection,
    formsFor: (things: readonly string[]) => Meaning['narrower'],
  ): void {
    for (const { groups, things } of rules) {
      const words = groups.map(([first]) => first!)
      const meaning: Meaning = {
        kind,
        forms: [words],
        narrower: formsFor(things),
        isNeed: true,
        named: things,
      }
      const phrase: Phrase = { words, roots: groups.map((it) => this.#rootsOfGroup(it)), meaning }
      for (const root of phrase.roots[0]!) this.#list(root, phrase)
    }
  }

  /** Words of needs are known, but nothing is corrected or completed to them. */
  readonly #rootsOfGroup = (group: readonly string[]): string[] => {
    const known = this.#groupRoots.get(group)
    if (known) return known
    const roots = new Set<string>()
    for (const word of group) {
      const keys = keysOf(word)
      const stems = stemsOf(word, keys[0]!)
      for (const it of stems) this.#roots.add(it)
      for (const it of [...keys, ...stems]) roots.add(it)
    }
    const made = [...roots]
    this.#groupRoots.set(group, made)
    return made
  }

  #list(root: string, phrase: Phrase): void {
    for (const lists of phrase.words.length === 1 ? [this.byRoot, this.#singles] : [this.byRoot]) {
      const known = lists.get(root)
      if (known) known.push(phrase)
      else lists.set(root, [phrase])
    }
  }

  knows(word: string): boolean {
    return this.#rootsOf(word).some((it) => this.#roots.has(it))
  }

  hasStem(stems: readonly string[]): boolean {
    return stems.some((it) => this.#roots.has(it))
  }

  hasNounStem(stems: readonly string[]): boolean {
    return stems.some((it) => this.#nounRoots.has(it))
  }

  hasForm(word: string): boolean {
    return this.#exactForms.has(word)
  }

  /** Phrases of one word that are this word, by its key or else by its root. */
  single(word: string): Phrase[] {
    const found = new Set<Phrase>()
    for (const root of this.#rootsOf(word))
      for (const phrase of this.#singles.get(root) ?? []) found.add(phrase)
    return [...found]
  }

  /** `isFor` returns whether the word at a position says what the thing is for. */
  find(words: readonly string[], at: number, isFor?: (at: number) => boolean): FoundMeaning | undefined {
    const own = new Set(this.#rootsOf(words[at]!))
    let best: { phrase: Phrase; positions: number[] }[] = []
    const candidates = new Set([...own].flatMap((root) => this.byRoot.get(root) ?? []))
    const rootSets = new Map<number, ReadonlySet<string>>([[at, own]])
    for (const phrase of candidates) {
      const positions = positionsOf(phrase, { words, at, rootSets, roots: this.#rootsOf })
      if (!positions) continue
      if (isFor && !phrase.meaning.isNeed && isAboutOther(phrase, { words, positions, isFor })) continue
      const longest = best[0]?.positions.length ?? 0
      if (positions.length > longest) best = [{ phrase, positions }]
      else if (positions.length === longest) best.push({ phrase, positions })
    }
    if (best.length === 0) return undefined
    const exact = best.filter(({ phrase, positions }) => isExact(phrase, words, positions))
    const written = exact.filter(({ phrase }) => isCyrillic(phrase.words[0]!) === isCyrillic(words[at]!))
    // платье and plate have one key, and so have TWS and TVs.
    const typed = written.filter(({ phrase, positions }) => isTyped(phrase, words, positions))
    // Short Latin words share their stem with too many others: qo‘l is no кола.
    const isShort = words[at]!.length <= maxShortLatin && !isCyrillic(words[at]!)
    const forms = () =>
      best.filter(
        ({ phrase }) =>
          isForm(phrase, words[at]!) &&
          !(phrase.words.length === 1 && (isShort || isShortBrand(phrase, words[at]!))),
      )
    const kept = [typed, written, exact].find((it) => it.length > 0) ?? forms()
    if (kept.length === 0) return undefined
    return {
      meanings: [...new Set(kept.map((it) => it.phrase.meaning))],
      positions: kept[0]!.positions,
      isTurned: kept.every((it) => isTurned(it.phrase, words, it.positions)),
    }
  }

  /**
   * A phrase is narrower than a meaning when it shares several of the meaning's words in its own forms, as a mountain bike
   * and a горный велосипед do; otherwise it only shares one word by chance.
   */
  falseFriends(word: string | undefined, meanings: readonly Meaning[]): (readonly string[])[] {
    const key = `${word ?? ''} ${meanings.map((it) => it.forms[0]!.join(' ')).join()}`
    const known = this.#falseFriends.get(key) ?? this.#findFalseFriends(word, meanings)
    if (this.#falseFriends.size >= maxCached) this.#falseFriends.clear()
    this.#falseFriends.set(key, known)
    return known
  }

  #findFalseFriends(word: string | undefined, meanings: readonly Meaning[]): (readonly string[])[] {
    const own = new Set(
      meanings.flatMap((it) =>
        [...it.forms, ...it.narrower].filter((form) => form.length === 1).map(([only]) => baseOf(only!)),
      ),
    )
    if (word !== undefined) own.add(baseOf(word))
    const wider = new Set<Meaning>(meanings)
    const friends: (readonly string[])[] = []
    for (const form of own)
      for (const phrase of this.#withWord(form)) {
        if (wider.has(phrase.meaning) || isNarrower(phrase.meaning, own, meanings)) continue
        friends.push(phrase.words)
        if (friends.length === maxFalseFriends) return friends
      }
    return friends
  }

  #withWord(key: string): readonly Phrase[] {
    if (!this.#byWord) {
      this.#byWord = new Map()
      for (const phrase of new Set([...this.byRoot.values()].flat()))
        // What a wider phrase means is said by other words: rice for plov is rice. A series is a thing of its kind.
        if (
          phrase.words.length > 1 &&
          phrase.meaning.narrower.length === 0 &&
          phrase.meaning.kind === 'thing'
        )
          for (const it of phrase.words) {
            const at = baseOf(it)
            this.#byWord.set(at, [...(this.#byWord.get(at) ?? []), phrase])
          }
    }
    return this.#byWord.get(key) ?? []
  }

  near(word: string, most?: 1 | 2): { word: string; typos: number }[] {
    if (!this.#typos) {
      this.#typos = new TypoIndex()
      for (const [at, key] of this.#keys.entries()) if (!isModel(key)) this.#typos.add(key, at)
    }
    const near: NearEntry[] = this.#typos.find(keysOf(word)[0]!, (at) => this.#keys[at]!, most)
    return near.map(({ entry, typos }) => ({ word: this.#words[entry]!, typos }))
  }

  /** Last words of phrases of two words that begin with one and continue so. */
  phraseEnds(word: string, beginning: string): string[] {
    const ends = new Set<string>()
    for (const root of this.#rootsOf(word))
      for (const { words, meaning } of this.byRoot.get(root) ?? [])
        if (words.length === 2 && !meaning.isNeed && words[1]!.startsWith(beginning)) ends.add(words[1]!)
    return [...ends].slice(0, maxPhraseEnds)
  }

  /** The English word that a Cyrillic one sounds like: бэкпэк is backpack. */
  soundAlike(word: string): string | undefined {
    if (!this.#sounds) {
      this.#sounds = new SoundIndex()
      for (const [at, it] of this.#words.entries())
        if (it.length >= minSpokenLength && spoken.test(it) && !this.#joined.has(at))
          this.#sounds.learn(it, at)
    }
    const found = this.#sounds.find(word, () => 'brand')
    return found === undefined ? undefined : this.#words[found]
  }

  completions(prefix: string, limit: number): string[] {
    const keys = this.#keys
    this.#sorted ??= Array.from(keys, (_, at) => at).toSorted((a, b) => (keys[a]! < keys[b]! ? -1 : 1))
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (keys[this.#sorted[middle]!]! < prefix) low = middle + 1
      else high = middle
    }
    const found: string[] = []
    for (let at = low; at < this.#sorted.length && found.length < limit; at++) {
      const entry = this.#sorted[at]!
      if (!keys[entry]!.startsWith(prefix)) break
      if (!this.#joined.has(entry)) found.push(this.#words[entry]!)
    }
    return found
  }
}

const maxShortLatin = 3
const maxPhraseEnds = 12
const minSpokenLength = 4
/** Words in Latin letters alone. */
const spoken = /^[a-z]+$/

/** One key for the forms of a word of the dictionary. */
const baseOf = (word: string): string => {
  const key = keysOf(word)[0]!
  return isCyrillic(word) ? keysOf(russianRoot(word))[0]! : uzbekStem(key.replace(englishPlural, ''))
}

const englishPlural = /(?<=.{3}[^s])s$/

const minSharedWords = 2
/** Of the forms of a narrower meaning, at least this share has a word of the wider one, in both scripts. */
const narrowerShare = 0.4
const maxFalseFriends = 24
const maxCached = 2_000

function isNarrower(meaning: Meaning, own: ReadonlySet<string>, wider: readonly Meaning[]): boolean {
  const shared = new Set<string>()
  const scripts = new Set<boolean>()
  let count = 0
  for (const form of meaning.forms) {
    const words = form.filter((it) => own.has(baseOf(it)))
    if (words.length === 0) continue
    if (form.length === 1) return true
    count++
    for (const word of words) {
      shared.add(baseOf(word))
      scripts.add(isCyrillic(word))
    }
  }
  if (shared.size >= minSharedWords) return true
  if (scripts.size === 2 && count >= meaning.forms.length * narrowerShare) return true
  const narrower = wider.flatMap((it) => it.narrower.map((form) => form.join(' ')))
  return meaning.forms.some((form) => narrower.includes(form.join(' ')))
}

/** The words of a form without stop words. */
const wordsOf = (form: string): string[] => {
  const words = tokensOf(form, maxPhraseWords * 2).map((it) => it.text)
  const significant = words.filter((it) => !isStopWord(it))
  return significant.length > 0 ? significant : words
}
