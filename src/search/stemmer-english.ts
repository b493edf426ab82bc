// The Snowball stemmer for English: http://snowballstem.org/algorithms/english/stemmer.html
// A test compares it with PostgreSQL's. Inside, a consonant y is written as Y.

const exceptions = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    ...Object.fromEntries('sky news howe atlas cosmos bias andes'.split(' ').map((it) => [it, it])),
  }),
)
const kept = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

const vowel = '[aeiouy]'
const hasVowel = /[aeiouy]/
const double = /(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/
/** A short syllable at the end: a vowel between consonants, the last not w, x or Y; or an initial vowel and a consonant. */
const shortSyllable = /([^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/
const region = new RegExp(`^.*?${vowel}[^aeiouy]`)
const firstRegion = /^(gener|commun|arsen)/

const second = table(
  'tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble ogi: fulli:ful lessli:less li:',
)
const third = table('tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:')
const fourth = table(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: ion:',
)

function table(rows: string): [ending: string, becomes: string][] {
  return rows
    .split(' ')
    .map((it) => it.split(':') as [string, string])
    .toSorted((a, b) => b[0].length - a[0].length)
}

export function englishStem(word: string): string {
  if (word.length <= 2) return word
  const exception = exceptions.get(word)
  if (exception !== undefined) return exception
  let stem = word.replace(/^'/, '').replace(/^y/, 'Y')
  stem = stem.replace(/([aeiouy])y/g, '$1Y')
  const r1 = firstRegion.exec(stem)?.[0].length ?? region.exec(stem)?.[0].length ?? stem.length
  const r2 = r1 + (region.exec(stem.slice(r1))?.[0].length ?? stem.length)
  stem = plural(stem.replace(/('s'|'s|')$/, ''))
  if (kept.has(stem)) return stem
  stem = inflected(stem, r1)
  if (/[^aeiouy][yY]$/.test(stem) && stem.length > 2) stem = `${stem.slice(0, -1)}i`
  stem = replaced(stem, second, r1, (ending, before) =>
    ending === 'ogi' ? (before.endsWith('l') ? 'og' : undefined) : ending === 'li' ? afterLi(before) : null,
  )
  stem = replaced(stem, third, r1, (ending, before) =>
    ending === 'ative' && before.length < r2 ? undefined : null,
  )
  stem = replaced(stem, fourth, r2, (ending, before) =>
    ending === 'ion' && !/[st]$/.test(before) ? undefined : null,
  )
  return finished(stem, r1, r2).replaceAll('Y', 'y')
}

const afterLi = (before: string): string | undefined => (/[cdeghkmnrt]$/.test(before) ? '' : undefined)

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/(ied|ies)$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  if (/(us|ss)$/.test(word) || !word.endsWith('s')) return word
  return hasVowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function inflected(word: string, r1: number): string {
  const [ending] = /(eedly|eed|ingly|edly|ing|ed)$/.exec(word) ?? []
  if (!ending) return word
  const before = word.slice(0, -ending.length)
  if (ending.startsWith('eed')) return before.length >= r1 ? `${before}ee` : word
  if (!hasVowel.test(before)) return word
  if (/(at|bl|iz)$/.test(before)) return `${before}e`
  if (double.test(before)) return /^[aeo]..$/.test(before) ? before : before.slice(0, -1)
  return before.length <= r1 && shortSyllable.test(before) ? `${before}e` : before
}

/** `special` returns null for the table's own replacement and undefined for no replacement. */
function replaced(
  word: string,
  rows: [string, string][],
  from: number,
  special: (ending: string, before: string) => string | null | undefined,
): string {
  const row = rows.find(([ending]) => word.endsWith(ending))
  if (!row) return word
  const before = word.slice(0, -row[0].length)
  if (before.length < from) return word
  const replacement = special(row[0], before)
  return replacement === undefined ? word : before + (replacement ?? row[1])
}

function finished(word: string, r1: number, r2: number): string {
  const before = word.slice(0, -1)
  if (word.endsWith('e'))
    return before.length >= r2 || (before.length >= r1 && !shortSyllable.test(before)) ? before : word
  return word.endsWith('ll') && before.length >= r2 ? before : word
}
