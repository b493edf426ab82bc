// The Snowball stemmer for Russian: http://snowballstem.org/algorithms/russian/stemmer.html
// A test compares it with PostgreSQL's.

const words = (text: string) => text.split(' ')

/** Endings, the longest first. Those of `afterA` count only after а or я, which is kept. */
function endings(afterA: string, always: string): { ending: string; needsA: boolean }[] {
  return [
    ...words(afterA).map((ending) => ({ ending, needsA: true })),
    ...words(always).map((ending) => ({ ending, needsA: false })),
  ]
    .filter((it) => it.ending)
    .toSorted((a, b) => b.ending.length - a.ending.length)
}

const gerunds = endings('в вши вшись', 'ив ивши ившись ыв ывши ывшись')
const adjectives = endings(
  '',
  'ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею',
)
const participles = endings('ем нн вш ющ щ', 'ивш ывш ующ')
const reflexives = endings('', 'ся сь')
const verbs = endings(
  'ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно',
  'ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю',
)
const nouns = endings(
  '',
  'а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я',
)
const derivations = endings('', 'ост ость')
const superlatives = endings('', 'ейш ейше')

/** The prefix up to and including the first vowel, which no ending may overlap; and the prefix up to the second region. */
const beforeRv = /^.*?[аеиоуыэюя]/
const beforeR2 = /^.*?[аеиоуыэюя][^аеиоуыэюя].*?[аеиоуыэюя][^аеиоуыэюя]/

export function russianStem(word: string): string {
  const plain = word.replaceAll('ё', 'е')
  const rv = beforeRv.exec(plain)?.[0].length
  if (rv === undefined) return plain
  let stem = without(plain, gerunds, rv) ?? declined(without(plain, reflexives, rv) ?? plain, rv)
  if (stem.length > rv && stem.endsWith('и')) stem = stem.slice(0, -1)
  const r2 = Math.max(rv, beforeR2.exec(plain)?.[0].length ?? Number.POSITIVE_INFINITY)
  return tidied(without(stem, derivations, r2, rv) ?? stem, rv)
}

function declined(word: string, rv: number): string {
  const adjectival = without(word, adjectives, rv)
  if (adjectival !== undefined) return without(adjectival, participles, rv) ?? adjectival
  return without(word, verbs, rv) ?? without(word, nouns, rv) ?? word
}

function tidied(word: string, rv: number): string {
  const plain = without(word, superlatives, rv)
  if (plain !== undefined) return undoubled(plain, rv)
  if (word.length > rv && word.endsWith('ь')) return word.slice(0, -1)
  return undoubled(word, rv)
}

const undoubled = (word: string, rv: number) =>
  word.length >= rv + 2 && word.endsWith('нн') ? word.slice(0, -1) : word

/** The word without its longest listed ending; undefined when it has none or a condition forbids the removal. */
function without(
  word: string,
  list: { ending: string; needsA: boolean }[],
  from: number,
  searchFrom = from,
): string | undefined {
  const found = list.find((it) => word.length - it.ending.length >= searchFrom && word.endsWith(it.ending))
  if (!found) return undefined
  const at = word.length - found.ending.length
  if (at < from) return undefined
  if (found.needsA && !(at - 1 >= from && /[ая]/.test(word[at - 1]!))) return undefined
  return word.slice(0, at)
}
