// The step that reads text typed in the other keyboard layout.

import { inOtherLayout } from './keyboard-layout.ts'
import type { KnownWords } from './known-words.ts'
import { isFiller, isStopWord, unitOf } from './lexicon.ts'
import type { Report } from './query-steps.ts'
import { tokensOf } from './tokens.ts'
import { isCyrillic, keyOf } from './word-key.ts'

/** Shorter pieces are no evidence of a wrong keyboard layout. */
const minLayoutWord = 3
const maxChunks = 24
/** An apostrophe is a part of the Uzbek letters o‘ and g‘. */
const markInside = /\p{L}[,.;[\]]\p{L}|[^og]'\p{L}/iu
const isUnit = (word: string): boolean => unitOf(keyOf(`${word}0`, 'en').slice(0, -1)) !== undefined

/** Chunks that mean nothing as typed and something in the other keyboard layout are read in the other layout. */
export function readLayout(text: string, known: KnownWords, report: Report): string {
  const chunks = text.trim().split(/\s+/).slice(0, maxChunks)
  const swapped = chunks.map((chunk) => {
    const other = inOtherLayout(chunk)
    // б, ю, ж, э and х are punctuation marks in the other layout: a Latin word has none inside.
    if (isCyrillic(chunk) && markInside.test(other)) return undefined
    return (!isRead(chunk, known) || isOneWord(chunk, other)) && isRead(other, known) ? other : undefined
  })
  if (swapped.every((it) => it === undefined)) {
    if (!areShortWords(chunks, known)) return text
    const read = chunks.map(inOtherLayout).join(' ')
    report('layout', text, read)
    return read
  }
  // Short pieces follow when everything else was typed in the other layout.
  const areAll = chunks.every((chunk, at) => swapped[at] !== undefined || !isEvidence(chunk))
  const read = chunks.map((chunk, at) => swapped[at] ?? (areAll ? inOtherLayout(chunk) : chunk)).join(' ')
  report('layout', text, read)
  return read
}

/** Pieces around a mark that are one word in the other layout are no words: le[jdjq is духовой. */
const isOneWord = (chunk: string, other: string): boolean =>
  !isCyrillic(chunk) && latinMark.test(chunk) && letters.test(other)
const latinMark = /\p{L}[,.;[\]]\p{L}/u
const letters = /^\p{L}+$/u

/** Words of two letters are evidence only when nothing else was typed and each of them means something: nd is тв. */
const areShortWords = (chunks: readonly string[], known: KnownWords): boolean =>
  chunks.every(
    (it) =>
      shortWord.test(it) &&
      !known.isExact(it) &&
      !isStopWord(it) &&
      shortWord.test(inOtherLayout(it)) &&
      known.synonyms.has(inOtherLayout(it)),
  )
const shortWord = /^\p{L}{2}$/u

const isEvidence = (chunk: string): boolean =>
  tokensOf(chunk, 8).some((it) => it.text.length >= minLayoutWord && !it.hasDigit)

const oneLetter = /^(\p{L})\1{2,}$/u

function isRead(chunk: string, known: KnownWords): boolean {
  const tokens = tokensOf(chunk, 8)
  const long = tokens.filter((it) => it.text.length >= minLayoutWord && !it.hasDigit)
  // A row of one letter is no word in any layout: ыыыы.
  if (long.length === 0 || long.some(({ text }) => oneLetter.test(text))) return false
  return long.every(({ text }) =>
    text.length > minLayoutWord
      ? known.isKnown(text) || known.isBeginning(text) || isUnit(text)
      : known.isExact(text) || isStopWord(text) || isFiller(text),
  )
}
