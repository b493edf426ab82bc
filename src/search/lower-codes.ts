// A text in NFKC and lower case as UTF-16 codes. Frequent characters are looked up in a table; a text with any other
// character is converted by the methods of strings, which cost several times as much.

import { codesOf } from './character-codes.ts'

/** Latin, Greek and Cyrillic letters with the signs before them, and general punctuation. */
const tableSize = 0x600
const [punctuationFrom, punctuationTo] = [0x2000, 0x2070]

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
const letters = Uint16Array.from({ length: tableSize }, (_, code) => loweredCode(code))
const signs = Uint16Array.from({ length: punctuationTo - punctuationFrom }, (_, at) =>
  loweredCode(punctuationFrom + at),
)

const [zero, nine, apostrophe] = [0x30, 0x39, 0x27]
/** What stands between two numbers for the multiplication sign, in lower case: x, х and *. */
const timesSigns = [0x78, 0x445, 0x2a]
const isDigit = (code: number): boolean => code >= zero && code <= nine

export interface LowerCodes {
  /** Valid until the next text; only the first `length` codes. */
  codes: Uint16Array
  length: number
}

export function lowerCodes(text: string): LowerCodes {
  const codes = codesOf(text)
  if (lowerInPlace(codes, text.length)) return { codes, length: text.length }
  const plain = plainText(text)
  return { codes: codesOf(plain), length: plain.length }
}

/** False when a character, or a size such as 180x200, needs more than a table. */
function lowerInPlace(codes: Uint16Array, length: number): boolean {
  let before = 0
  for (let at = 0; at < length; at++) {
    const code = codes[at]!
    const lowered =
      code < tableSize
        ? letters[code]!
        : code >= punctuationFrom && code < punctuationTo
          ? signs[code - punctuationFrom]!
          : 0
    if (lowered === 0 || (lowered === apostrophe && before === apostrophe)) return false
    if (isDigit(before) && timesSigns.includes(lowered) && at + 1 < length && isDigit(codes[at + 1]!))
      return false
    codes[at] = lowered
    before = lowered
  }
  return true
}

function plainText(text: string): string {
  const hasInches = text.includes('″') || text.includes('"') || text.includes("''")
  const inched = hasInches ? text.replace(inches, '$1 in ') : text
  const measured = size.test(inched) ? inched.replace(sizes, '$1 × ') : inched
  return measured.normalize('NFKC').toLowerCase()
}

/** The inch mark after a number; quotation marks look alike, so only short numbers count. */
const inches = /(?<![\d"“«])(\d{1,2}(?:[.,]\d)?)(?:″|"|''|′′)/

/** Two numbers with a letter x for the multiplication sign: 180x200, 3х4. */
const size = /\d[xх*]\d/i
const sizes = /(?<![\p{L}\d])(\d{1,4}(?:[.,]\d+)?)[xх*](?=\d)/giu
