// The step that splits words written together: стиральнаямашина, кремдлялица, кроссовкинайк.

import { isAdjective } from './head-words.ts'
import type { KnownWords } from './known-words.ts'
import { isStopWord } from './lexicon.ts'
import { phraseRows } from './phrase-rows.ts'
import { hasWrongVowels, type Report, type StepWord } from './query-steps.ts'
import { headFields } from './fields.ts'
import { isModel } from './word-key.ts'

const minSplitLength = 6
const minPart = 3
/** Parts that no phrase of the dictionary joins must be at least this long. */
const minFreePart = 4
const maxWordLength = 40
/** Parts of one word beside its stop words. */
const maxParts = 3
/** Beginnings that are looked up in one query. */
const maxLookups = 240

/** How much may still be looked up. */
interface Budget {
  lookups: number
}

/** Words written together that are words of their own: стиральнаямашина. */
export function splitWords(words: readonly StepWord[], known: KnownWords, report: Report): StepWord[] {
  const budget: Budget = { lookups: maxLookups }
  return words.flatMap((it) => {
    if (it.word.length < minSplitLength || it.word.length > maxWordLength || isModel(it.word)) return [it]
    if (known.isKnown(it.word) || known.synonyms.has(it.word) || known.isBeginning(it.word)) return [it]
    const parts = partsOf(it.word, known) ?? manyParts(it.word, known, budget)
    if (!parts || hasWrongVowels(it.word, known)) return [it]
    report('split', it.word, parts.join(' '))
    return parts.map((word) => ({ ...it, word, typed: word, fallback: undefined }))
  })
}

function partsOf(word: string, known: KnownWords): string[] | undefined {
  const scripts = word.match(/[\u0400-\u052f]+|[^\u0400-\u052f]+/g)!
  if (scripts.length === 2 && scripts.every((it) => it.length >= minPart && known.isKnown(it))) return scripts
  let best: { parts: string[]; worth: number } | undefined
  for (let at = minPart; at <= word.length - minPart; at++) {
    const left = word.slice(0, at)
    if (isStopWord(left) || !isPart(left, known)) continue
    for (const parts of [[left, word.slice(at)], ...withStopWord(left, word.slice(at))]) {
      const worth = worthOf(parts, known)
      if (worth > (best?.worth ?? 0)) best = { parts, worth }
    }
  }
  return best?.parts
}

/** кремдлялица has a stop word inside. */
const withStopWord = (left: string, rest: string): string[][] =>
  [2, 3]
    .filter((length) => rest.length > length + minPart && isStopWord(rest.slice(0, length)))
    .map((length) => [left, rest.slice(0, length), rest.slice(length)])

const isPart = (word: string, known: KnownWords): boolean =>
  known.isWhole(word) || known.synonyms.knows(word) || isAdjective(word)

/** Whether names have the word, or it is a brand or a thing that is sold under another name: найк, блютуз. */
const isNamedPart = (word: string, known: KnownWords): boolean => known.isNamed(word) || known.isSold(word)

function worthOf(parts: readonly string[], known: KnownWords): number {
  const words = parts.filter((it) => !isStopWord(it))
  // An unknown adjective may stand before a known noun, or after one that is written so: ортопедическийматрас.
  const isQuality = (it: string, at: number) =>
    isAdjective(it) && words.length > 1 && (at === 0 || known.hasForm(words[0]!, headFields))
  const isOfPhrase = (it: string, at: number) =>
    known.isWhole(it) || known.synonyms.knows(it) || isQuality(it, at)
  if (!words.every(isOfPhrase) || words.every(isAdjective)) return 0
  const shortest = Math.min(...words.map((it) => it.length))
  if (known.synonyms.find(words, 0)?.positions.length === words.length) return 100 + shortest
  const areNamed = words.every((it, at) => isNamedPart(it, known) || isQuality(it, at))
  if (!areNamed) return 0
  // Short parts are accepted when some name has them together: promax.
  return shortest >= minFreePart || phraseRows(known.index, words, 'name').length > 0 ? shortest : 0
}

/** Three words written together, or a preposition at the beginning: стиральнаямашинаавтомат, длялица. */
function manyParts(word: string, known: KnownWords, budget: Budget): string[] | undefined {
  const found = splitFrom(word, 0)
  return found && found.filter((it) => !isStopWord(it)).length <= maxParts ? found : undefined

  function splitFrom(rest: string, count: number): string[] | undefined {
    const stop = [3, 2].find((it) => rest.length >= it + minFreePart && isStopWord(rest.slice(0, it)))
    // Many words begin like a short preposition: наушнки is no "на ушнки".
    const isLikely = stop === 3 || (stop === 2 && (count > 0 || known.hasForm(rest.slice(stop), ~0)))
    const after = isLikely ? splitFrom(rest.slice(stop), count) : undefined
    if (after) return [rest.slice(0, stop), ...after]
    if (count > 0 || word.length > rest.length) {
      const isLast = rest.length >= minFreePart && spend() && isSure(rest)
      if (isLast) return [rest]
    }
    if (count + 1 === maxParts) return undefined
    for (let at = rest.length - minFreePart; at >= minFreePart && budget.lookups > 0; at--) {
      const left = rest.slice(0, at)
      if (!spend() || !isSure(left)) continue
      const others = splitFrom(rest.slice(at), count + 1)
      if (others) return [left, ...others]
    }
    return undefined
  }

  function spend(): boolean {
    return budget.lookups-- > 0
  }

  function isSure(part: string): boolean {
    return known.isSold(part) || known.isNamed(part) || (isAdjective(part) && known.isKnown(part))
  }
}
