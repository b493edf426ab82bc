// The tokenizer: runs of letters and digits, with the apostrophes and points inside them.

const separator = 0
const letter = 1
const digit = 2
const apostrophe = 3
const hyphen = 4
const mark = 5
const point = 6

const apostrophes = "'`´‘’ʻʼʹˊ′＇"
const hyphens = '-‐‑–_'

const kindOf = (character: string): number => {
  if (apostrophes.includes(character)) return apostrophe
  if (hyphens.includes(character)) return hyphen
  if (character === '.' || character === ',') return point
  if (/\p{N}/u.test(character)) return digit
  if (/\p{L}/u.test(character)) return letter
  return /\p{M}/u.test(character) ? mark : separator
}

/** Frequent scripts by table, the rest by regular expression. Surrogate halves (emoji, ancient scripts) separate words. */
const tableSize = 0x600
const kinds = Uint8Array.from({ length: tableSize }, (_, code) => kindOf(String.fromCharCode(code)))
const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < tableSize ? kinds[code]! : kindOf(text[at]!)
}

export interface Token {
  text: string
  hasDigit: boolean
  hasLetter: boolean
  /** Only a hyphen separates it from the previous token. */
  isJoined: boolean
  /** A comma or a bracket stands before it. */
  startsPart: boolean
  /** It is inside quotation marks, as in the title of a book, and does not name the kind of product. */
  isQuoted: boolean
}

/** Longer words are cut. */
const maxTokenLength = 40

/** The first `limit` tokens of a text, in lower case and NFKC. */
export function tokensOf(text: string, limit: number): Token[] {
  const hasInches = text.includes('″') || text.includes('"') || text.includes("''")
  const inched = hasInches ? text.replace(inches, '$1 in ') : text
  const measured = size.test(inched) ? inched.replace(sizes, '$1 × ') : inched
  const plain = measured.normalize('NFKC').toLowerCase()
  const tokens: Token[] = []
  let joinedAt = -1
  let end = 0
  let isQuoted = false
  const hasQuotes = plain.includes('«') || plain.includes('“')
  for (let at = 0; at < plain.length && tokens.length < limit; at++) {
    const first = kindAt(plain, at)
    if (first !== letter && first !== digit) continue
    const start = at
    let seen = 1 << first
    let last = first
    for (at++; at < plain.length; at++) {
      const kind = kindAt(plain, at)
      if (kind !== letter && kind !== digit && kind !== mark && !belongs(plain, at, kind, last)) break
      seen |= 1 << kind
      last = kind
    }
    if (start > end && hasQuotes) isQuoted = quotedAfter(plain, end, start, isQuoted)
    const whole = plain.slice(start, Math.min(at, start + maxTokenLength))
    tokens.push({
      text: (seen & ~plainKinds) === 0 ? whole : cleaned(whole),
      hasDigit: (seen & (1 << digit)) !== 0,
      hasLetter: (seen & (1 << letter)) !== 0,
      isJoined: joinedAt === start,
      startsPart: start > end + 1 && hasPartMark(plain, end, start),
      isQuoted,
    })
    end = at
    joinedAt = at < plain.length && kindAt(plain, at) === hyphen ? at + 1 : -1
  }
  return tokens
}

/** The inch mark after a number; quotation marks look alike, so only short numbers count. */
const inches = /(?<![\d"“«])(\d{1,2}(?:[.,]\d)?)(?:″|"|''|′′)/

/** Two numbers with a letter x for the multiplication sign: 180x200, 3х4. */
const size = /\d[xх*]\d/i
const sizes = /(?<![\p{L}\d])(\d{1,4}(?:[.,]\d+)?)[xх*](?=\d)/giu

const partMarks = ',;:()[]—'

function hasPartMark(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (partMarks.includes(text[at]!)) return true
  return false
}

function quotedAfter(text: string, from: number, to: number, before: boolean): boolean {
  let isQuoted = before
  for (let at = from; at < to; at++)
    if (text[at] === '«' || text[at] === '“') isQuoted = true
    else if (text[at] === '»' || text[at] === '”') isQuoted = false
  return isQuoted
}

const plainKinds = (1 << letter) | (1 << digit)

/** An apostrophe belongs to a word even at its end; a point belongs only between digits. */
const belongs = (text: string, at: number, kind: number, last: number): boolean =>
  kind === apostrophe
    ? last === letter
    : kind === point && last === digit && at + 1 < text.length && kindAt(text, at + 1) === digit

const toDrop = new RegExp(`[${apostrophes}]`, 'g')

/** Removes the possessive ’s first, so that children’s equals children. */
const cleaned = (slice: string): string =>
  slice
    .replace(/([a-z]{3})['’]s$/, '$1')
    .replace(toDrop, '')
    .replace(/\p{M}/gu, '')
    .replace(',', '.')
