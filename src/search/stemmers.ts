// Which stemmer reads a word, and the stemmer for Uzbek.

import type { Language } from './language.ts'
import { englishStem } from './stemmer-english.ts'
import { russianStem } from './stemmer-russian.ts'
import { backToCyrillic, isCyrillic } from './word-key.ts'

/**
 * The stem of a word in the language of its text, marked with that language: the stem of рыба is not that of ribbed. A
 * Latin word in a Russian text is read as English.
 */
export function stemOf(word: string, key: string, language: Language): string {
  if (language === 'uz') return `u ${uzbekStem(key)}`
  if (isCyrillic(word)) return `r ${russianRoot(word)}`
  return `e ${/^[a-z]+$/.test(word) ? englishStem(word) : key}`
}

/** The stems that a word of unknown language may have, in the script that it is written in. */
export function stemsOf(word: string, key: string): string[] {
  const uzbek = uzbekStem(key)
  const stems = [isCyrillic(word) ? `r ${russianRoot(word)}` : stemOf(word, key, 'en'), `u ${uzbek}`]
  // Keys contain no doubled letters, so "kabellar" may be "kabel" with the ending "lar", "telefonni" telefon with "ni".
  if (uzbek !== key && key.startsWith(uzbek) && /[lnsgd]/.test(key[uzbek.length]!))
    stems.push(`u ${uzbek}${key[uzbek.length]}`)
  // Words of two syllables drop the second vowel before an ending: atir, atri.
  if (oneSyllable.test(uzbek) && possession.test(key.slice(uzbek.length)))
    for (const vowel of ['i', 'u']) stems.push(`u ${uzbek.slice(0, -1)}${vowel}${uzbek.at(-1)}`)
  return stems
}

const oneSyllable = /^[^aeiou]*[aeiou][^aeiou]{2,3}$/
const possession = /^i(m|ng|ni|ga|da|dan|ning)?$/

/** The stem of a Russian word that is typed in Latin letters. */
export const latinRussianStem = (key: string): string => `r ${russianRoot(backToCyrillic(key))}`

/** A vowel that comes and goes: кошек and кошка, ковёр and ковры, чехол and чехлы. */
const fleetingVowel = /(?<=[бвгджзйклмнпрстфхцчшщ])[ое](?=[клрц]$)/
const minFleetingLength = 4

/** Nouns that Snowball reads as verbs in the past tense or as participles: диван, стаканы, одеяло, бензопила. */
const likeVerb = /^(.*[аеиоуыэюя].*[аяеиы][лн])[аоы]?$/

/** Forms of бельё, whose Snowball stem is that of белый. */
const linen = /^бель(?:[её]|[её]м|[яю])$/

/** The Snowball stem without fleeting vowel and soft sign: all forms of a noun have one root, also in Latin letters. */
export function russianRoot(word: string): string {
  if (linen.test(word)) return 'белье'
  const stem = (likeVerb.exec(word)?.[1] ?? russianStem(word)).replaceAll('ь', '')
  return stem.length > minFleetingLength ? stem.replace(fleetingVowel, '') : stem
}

/** Layers of Uzbek endings from the end of a word inwards: case, possession, number, adjective. */
const uzbekLayers = [
  { endings: ['ning', 'dan', 'ni', 'ga', 'da'], minStem: 3 },
  { endings: ['imiz', 'ingiz', 'im', 'ing', 'si', 'i'], minStem: 3 },
  { endings: ['lar'], minStem: 3 },
  { endings: ['lik', 'li'], minStem: 4 },
]

/** After a consonant, li forms an adjective; after a vowel its l belongs to the stem, as in kabeli. */
const adjective = /[^aeiou]li$/

/**
 * Removes only endings that are seldom part of a stem, and only while enough is left. It works on keys, so it serves both
 * scripts; in keys q is k, sh is ш and y is i.
 */
export function uzbekStem(key: string): string {
  let stem = dativeOfK.test(key) ? key.slice(0, -1) : key
  for (const { endings, minStem } of uzbekLayers) {
    const ending = endings.find(
      (it) =>
        stem.endsWith(it) && stem.length - it.length >= minStem && !(it === 'i' && adjective.test(stem)),
    )
    if (!ending) continue
    stem = stem.slice(0, -ending.length)
    // The k or q of a stem becomes g or g‘ before an ending: choynak, choynagi; yostiq, yostig‘i.
    if (stem.length >= minSoftened && /[aeiou]g$/.test(stem)) stem = `${stem.slice(0, -1)}k`
  }
  return stem
}

const minSoftened = 4
/** A stem that ends in k takes ka, and keys contain no doubled letters: noutbukka. In tarelka the ending is the stem's own. */
const dativeOfK = /^.{2,}[aeiou]ka$/
