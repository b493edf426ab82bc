// Text cut into words: letters, digits, and what belongs between them.

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

/** The first scripts by table; the rest is rare. Halves of characters (emoji, ancient scripts) part words. */
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
  /** Nothing but a hyphen parts it from the token before. */
  isJoined: boolean
}

/** Longer words are cut: nobody types more. */
const longestToken = 40

/** At most so many tokens of a text in one spelling: compatible forms and capitals are one. */
export function tokensOf(text: string, most: number): Token[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const tokens: Token[] = []
  let at = 0
  let joinedAt = -1
  while (at < plain.length && tokens.length < most) {
    const kind = kindAt(plain, at)
    if (kind !== letter && kind !== digit) {
      at++
      continue
    }
    const end = endOf(plain, at)
    tokens.push(tokenOf(plain.slice(at, end), joinedAt === at))
    joinedAt = end < plain.length && kindAt(plain, end) === hyphen ? end + 1 : -1
    at = end
  }
  return tokens
}

function endOf(text: string, from: number): number {
  let at = from + 1
  for (; at < text.length; at++) {
    const kind = kindAt(text, at)
    if (kind === letter || kind === digit || kind === mark) continue
    if (kind !== apostrophe && kind !== point) break
    // An apostrophe belongs to a word even at its end; a point belongs only between digits.
    if (kind === apostrophe && kindAt(text, at - 1) === letter) continue
    const isDecimal =
      kind === point &&
      kindAt(text, at - 1) === digit &&
      at + 1 < text.length &&
      kindAt(text, at + 1) === digit
    if (!isDecimal) break
  }
  return at
}

const toDrop = new RegExp(`[${apostrophes}]`, 'g')

function tokenOf(slice: string, isJoined: boolean): Token {
  let hasDigit = false
  let hasLetter = false
  let isPlain = true
  for (let at = 0; at < slice.length; at++) {
    const kind = kindAt(slice, at)
    if (kind === digit) hasDigit = true
    else if (kind === letter) hasLetter = true
    else isPlain = false
  }
  const whole = slice.slice(0, longestToken)
  return { text: isPlain ? whole : cleaned(whole), hasDigit, hasLetter, isJoined }
}

/** Its own ’s first: without it, children’s would be another word than children. */
const cleaned = (slice: string): string =>
  slice
    .replace(/([a-z]{3})['’]s$/, '$1')
    .replace(toDrop, '')
    .replace(/\p{M}/gu, '')
    .replace(',', '.')
