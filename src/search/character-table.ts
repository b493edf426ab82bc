// What the tokenizer has to know of a character, in one number: its code in lower case and NFKC, its kind and its marks.
// Frequent characters are looked up in a table. A text with any other is converted by the methods of strings first, which
// cost several times as much.

/** What a character is, as bits above its code. */
export const letter = 1 << 16
export const digit = 1 << 17
export const apostrophe = 1 << 18
export const hyphen = 1 << 19
export const mark = 1 << 20
export const point = 1 << 21
const separator = 1 << 22
/** Beside that: it begins a part of a name, or it is a quotation mark around a title. */
export const partMark = 1 << 23
export const openingQuote = 1 << 24
export const closingQuote = 1 << 25
/** Two apostrophes may be an inch mark, x, х and * between two numbers a multiplication sign, and + the end of a model. */
export const dependent = 1 << 26
/** A letter or a digit that is read without its neighbours. */
export const ordinary = 1 << 27
export const codeMask = 0xffff

export const apostrophes = "'`´‘’ʻʼʹˊ′＇"
const hyphens = '-‐‑–_'
const partMarks = ',;:()[]—'
const openingQuotes = '«“'
const closingQuotes = '»”'
const dependents = "'xх*+"
const straightApostrophe = 0x27
const plus = 0x2b

const kindOf = (character: string): number => {
  if (apostrophes.includes(character)) return apostrophe
  if (hyphens.includes(character)) return hyphen
  if (character === '.' || character === ',') return point
  if (/\p{N}/u.test(character)) return digit
  if (/\p{L}/u.test(character)) return letter
  return /\p{M}/u.test(character) ? mark : separator
}

/** Of a code of a text in lower case and NFKC. Surrogate halves (emoji, ancient scripts) separate words. */
function described(code: number): number {
  const character = String.fromCharCode(code)
  const kind = kindOf(character)
  const isDependent = dependents.includes(character)
  const marks =
    (partMarks.includes(character) ? partMark : 0) |
    (openingQuotes.includes(character) ? openingQuote : 0) |
    (closingQuotes.includes(character) ? closingQuote : 0) |
    (isDependent ? dependent : (kind & (letter | digit)) !== 0 ? ordinary : 0)
  return code | kind | marks
}

/** The code of a character in lower case; 0 when it becomes several codes or depends on its neighbours. */
function loweredCode(code: number): number {
  const character = String.fromCharCode(code)
  const normal = character.normalize('NFKC')
  const lowered = normal.toLowerCase()
  // A final sigma has a form of its own; marks may combine with the letter before them; inch marks are read with the number.
  const depends = normal === 'Σ' || /\p{M}/u.test(character) || inchMarks.includes(character)
  return depends || lowered.length !== 1 ? 0 : lowered.charCodeAt(0)
}

const inchMarks = '"″'

function describedAsIs(code: number): number {
  const lowered = loweredCode(code)
  return lowered === 0 ? 0 : described(lowered)
}

/** Latin, Greek and Cyrillic letters with the signs before them, and general punctuation. */
export const tableSize = 0x600
const [punctuationFrom, punctuationTo] = [0x2000, 0x2070]
const tableOf = (from: number, to: number, describe: (code: number) => number): Int32Array =>
  Int32Array.from({ length: to - from }, (_, at) => describe(from + at))
const punctuation = tableOf(punctuationFrom, punctuationTo, describedAsIs)
const plainPunctuation = tableOf(punctuationFrom, punctuationTo, described)

const letters = tableOf(0, tableSize, describedAsIs)
const plainLetters = tableOf(0, tableSize, described)

/** By code below `tableSize`: of any text, where 0 needs more than a table, or of a text in lower case and NFKC. */
export const tableFor = (isPlain: boolean): Int32Array => (isPlain ? plainLetters : letters)

/** The same for the other codes. */
export function otherCharacter(code: number, isPlain: boolean): number {
  if (code >= punctuationFrom && code < punctuationTo)
    return isPlain ? plainPunctuation[code - punctuationFrom]! : punctuation[code - punctuationFrom]!
  return isPlain ? described(code) : 0
}

/** A text in lower case and NFKC, with the inch marks, the multiplication signs and the plus of models in it read. */
export function plainText(text: string): string {
  const hasInches = text.includes('″') || text.includes('"') || text.includes("''")
  const inched = hasInches ? text.replace(inches, '$1 in ') : text
  const measured = size.test(inched) ? inched.replace(sizes, '$1 × ') : inched
  const added = measured.includes('+') ? measured.replace(modelPlus, ' plus ') : measured
  return added.normalize('NFKC').toLowerCase()
}

/** The inch mark after a number; quotation marks look alike, so only short numbers count. */
const inches = /(?<![\d"“«])(\d{1,2}(?:[.,]\d)?)(?:″|"|''|′′)/

/** Two numbers with a letter x for the multiplication sign: 180x200, 3х4. */
const size = /\d[xх*]\d/i
const sizes = /(?<![\p{L}\d])(\d{1,4}(?:[.,]\d+)?)[xх*](?=\d)/giu

/** The sign at the end of a word: S25+ is S25 Plus. */
const modelPlus = /(?<=[\p{L}\d])\+(?![\p{L}\d+])/gu

const [space, zero, nine] = [0x20, 0x30, 0x39]
const isDigit = (code: number): boolean => code >= zero && code <= nine

/** Whether a `dependent` character makes with its neighbours an inch mark, a size such as 180x200 or a model such as S25+. */
export function dependsOnNeighbours(codes: Uint16Array, at: number, length: number): boolean {
  if (at === 0) return false
  if (codes[at] === plus) return codes[at - 1] !== space
  if (codes[at] === straightApostrophe) return codes[at - 1] === straightApostrophe
  return isDigit(codes[at - 1]!) && at + 1 < length && isDigit(codes[at + 1]!)
}
