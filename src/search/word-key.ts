// One key for a word in any script: самсунг and samsung, ўйинчоқ and o‘yinchoq, naushniki and наушники have equal keys.
// A key consists of Latin letters and of ш and ч, which are one letter in Cyrillic and two in Latin: so a typo of one
// letter stays one letter. Keys are for comparison, never for display.

import type { Language } from './language.ts'

// oxfmt-ignore
const fromCyrillic: Record<string, string> = {
  а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'j', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l', м: 'm',
  н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'ts', ч: 'ч', ш: 'ш', щ: 'ш', ъ: '',
  ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  ў: 'o', қ: 'k', ғ: 'g', ҳ: 'h', і: 'i', ї: 'i', є: 'e', ә: 'a', ө: 'o', ү: 'u', ұ: 'u', ң: 'n', һ: 'h',
}

/** In model names every letter is significant: C55 is not K55. */
// oxfmt-ignore
const modelLetters: Record<string, string> = { ...fromCyrillic, х: 'x', қ: 'q', ч: 'ch', ш: 'sh', щ: 'sh', ж: 'zh' }

/** Latin letters typed in place of the Cyrillic ones they look like. */
const lookalikes: Record<string, string> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  k: 'к',
  m: 'м',
  t: 'т',
  h: 'н',
  b: 'в',
}

/** The other way round. */
const latinLookalikes = new Map(Object.entries(lookalikes).map(([to, from]) => [from, to]))

/** A model with the Latin letters that its Cyrillic ones look like. */
export const lookalike = (word: string): string => {
  let other = ''
  for (const letter of word) other += latinLookalikes.get(letter) ?? letter
  return other
}

/** Latin letters of models by how their Cyrillic ones sound or look. */
// oxfmt-ignore
const modelReadings: Record<string, string[]> = {
  а: ['a'], б: ['b'], в: ['v', 'w', 'b'], г: ['g'], д: ['d'], е: ['e'], ж: ['j'], з: ['z'], и: ['i'], й: ['y'], к: ['k', 'c', 'q'], л: ['l'],
  м: ['m'], н: ['n', 'h'], о: ['o'], п: ['p'], р: ['r', 'p'], с: ['s', 'c'], т: ['t'], у: ['u', 'y'], ф: ['f'], х: ['h', 'x'], э: ['e'],
}
const maxReadings = 24

/** Spellings in Latin letters of a model in Cyrillic ones: хд316 is HD316, м6500в is M6500W. */
export function modelSpellings(word: string): string[] {
  let spellings = ['']
  for (const letter of word.replaceAll('дж', 'j')) {
    const letters = modelReadings[letter] ?? [letter]
    if (spellings.length * letters.length > maxReadings) return []
    spellings = spellings.flatMap((it) => letters.map((read) => it + read))
  }
  return spellings
}

const cyrillic = /[\u0400-\u052f]/
const latin = /[a-z]/
const digit = /\d/
const beyondPlain = /[^a-z0-9\u0400-\u052f]/

export const isCyrillic = (word: string): boolean => cyrillic.test(word)
export const isModel = (word: string): boolean => digit.test(word)

/** The key of a lower-case word of a text in the given language. */
export function keyOf(word: string, language: Language): string {
  const plain = beyondPlain.test(word) ? withoutAccents(word) : word
  if (isModel(plain)) return transliterated(plain, modelLetters)
  if (!cyrillic.test(plain)) return simplified(fromLatin(plain))
  const whole = latin.test(plain) ? plain.replace(/[a-z]/g, (it) => lookalikes[it] ?? it) : plain
  const read = language === 'uz' ? whole.replaceAll('ё', 'йо') : whole.replaceAll('дж', 'ж')
  return simplified(transliterated(read, fromCyrillic))
}

/** All keys that a word of unknown language may have, the likeliest first. */
export function keysOf(word: string): string[] {
  // These letters are only Uzbek: ёғ is yog‘, and no egg.
  if (uzbekLetters.test(word)) return [keyOf(word, 'uz')]
  const keys = [keyOf(word, 'ru')]
  if (word.includes('ё') || word.includes('дж')) keys.push(keyOf(word, 'uz'))
  // Max is transliterated as макс, while Latin x also stands for х.
  if (keys[0]!.includes('ks') && !isModel(word)) keys.push(keys[0]!.replaceAll('ks', 'h'))
  return keys
}

const uzbekLetters = /[ўқғҳ]/

const transliterated = (word: string, letters: Record<string, string>): string => {
  let key = ''
  for (const letter of word) key += letters[letter] ?? letter
  return key
}

const fromLatin = (word: string): string =>
  word
    .replace(/shch|sch|sh/g, 'ш')
    .replace(/ch/g, 'ч')
    .replace(/dzh|zh|dj/g, 'j')
    .replace(/kh|x/g, 'h')
    .replace(/ph/g, 'f')
    .replace(/ck|q/g, 'k')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/c/g, 'k')
    .replace(/w/g, 'v')

/** Roman numerals of models with a repeated letter: Emberton III is no Emberton II. */
const romanNumeral = /^(?:x?i{2,3}|x?vi{2,3})$/

/** Й, ы and и are all typed as i or y; doubled consonants are the most common typo. A long row of one letter is none. */
function simplified(key: string): string {
  if (romanNumeral.test(key)) return key
  const short = key
    .replace(/ye/g, 'e')
    .replace(/y/g, 'i')
    .replace(/i+/g, 'i')
    .replace(/([^aeiou])\1{1,2}/g, '$1')
  return short.length === 1 && key.length > 2 ? key : short
}

const ownLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ş: 'sh',
  ç: 'ch',
}

/** Drops accents, except in й, ё and ў, which are letters of their own. */
export const withoutAccents = (word: string): string =>
  word
    .replace(/[^a-z0-9\u0400-\u052f]/g, (it) => ownLetters[it] ?? it)
    .replace(/[^\u0400-\u052f]+/g, (it) => it.normalize('NFD').replace(/\p{M}/gu, ''))

/** A Russian word typed in Latin letters, in Cyrillic again: close enough for stemming. */
export const backToCyrillic = (key: string): string =>
  key.replace(/ia|iu|ts|./g, (it) => toCyrillic[it] ?? it)

// oxfmt-ignore
const toCyrillic: Record<string, string> = {
  a: 'а', b: 'б', v: 'в', g: 'г', d: 'д', e: 'е', j: 'ж', z: 'з', i: 'и', k: 'к', l: 'л', m: 'м', n: 'н', o: 'о',
  p: 'п', r: 'р', s: 'с', t: 'т', u: 'у', f: 'ф', h: 'х', ia: 'я', iu: 'ю', ts: 'ц',
}
