// Typos in words of three and four letters, which have too many neighbours for the usual rules.

import { headFields, namingFields } from './fields.ts'
import type { KnownWords } from './known-words.ts'
import { isCyrillic, keysOf } from './word-key.ts'

/** Letters that are pronounced alike at the end of a word or without stress. */
const alike = ['бп', 'вф', 'гк', 'дт', 'жш', 'зс', 'аоуеиыэюяё', 'bp', 'vf', 'gk', 'dt', 'zs', 'jш', 'aeiouy']
const soundOf = (word: string): string =>
  [...word].map((letter) => alike.find((it) => it.includes(letter))?.[0] ?? letter).join('')

/** Whether a letter is missing, or another one is pronounced alike: towl and towel, шкав and шкаф, but not шиха and шина. */
const soundsLike = (word: string, found: string): boolean =>
  found.length > word.length || soundOf(word) === soundOf(found)

/**
 * A word of three or four letters is corrected only to a thing: to the only one here that is a letter away and sounds so
 * (шкав is шкаф), or to one with the same letters in another order or with the same consonants (gilm is gilam).
 */
export function thingNear(word: string, known: KnownWords): { word: string; typos: number } | undefined {
  const { vocabulary, postings } = known.index
  const key = keysOf(word)[0]!
  if (key.length < minTinyLength) return undefined
  const indexed = known
    .near(key, 1)
    .filter(({ entry }) => postings.length(entry) > 0 && (known.index.fieldsOf(entry) & namingFields) !== 0)
    .map(({ entry }) => ({
      word: vocabulary.shown(entry, isCyrillic(word)),
      key: vocabulary.key(entry),
      isThing: (known.index.fieldsOf(entry) & headFields) !== 0,
    }))
  const listed = known
    .nearListed(word, 1)
    .map((it) => ({ word: it.word, key: keysOf(it.word)[0]!, isThing: known.isSold(it.word) }))
  const isNear = (it: { word: string; key: string }) =>
    it.key[0] === key[0] && isCyrillic(it.word) === isCyrillic(word)
  const here = indexed.filter(isNear)
  if (word.length > minTinyLength && here.length === 1 && here[0]!.isThing && soundsLike(word, here[0]!.word))
    return { word: here[0]!.word, typos: 1 }
  const sure = [...here, ...listed.filter(isNear)].filter(
    (it) => it.isThing && it.word.length >= minTinyLength && hasTinyTypo(key, it.key),
  )
  const [best] = sure
  return best && sure.every((it) => it.key === best.key || haveOneStem(it.word, best.word, known))
    ? { word: best.word, typos: 1 }
    : undefined
}

export const minTinyLength = 3

/** Whether two letters are swapped, or a vowel is missing or too many. */
const hasTinyTypo = (key: string, other: string): boolean =>
  [...key].toSorted().join('') === [...other].toSorted().join('') ||
  (key.length !== other.length && key.replaceAll(/[aeiou]/g, '') === other.replaceAll(/[aeiou]/g, ''))

export function haveOneStem(one: string, other: string, { index: { roots } }: KnownWords): boolean {
  const { stems } = roots.of(one)
  return roots.of(other).stems.some((it) => stems.includes(it))
}
