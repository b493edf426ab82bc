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
  let joinedAt = -1
  for (let at = 0; at < plain.length && tokens.length < most; at++) {
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
    const whole = plain.slice(start, Math.min(at, start + longestToken))
    tokens.push({
      text: (seen & ~clean) === 0 ? whole : cleaned(whole),
      hasDigit: (seen & (1 << digit)) !== 0,
      hasLetter: (seen & (1 << letter)) !== 0,
      isJoined: joinedAt === start,
    })
    joinedAt = at < plain.length && kindAt(plain, at) === hyphen ? at + 1 : -1
  }
  return tokens
}

const clean = (1 << letter) | (1 << digit)

/** An apostrophe belongs to a word even at its end; a point belongs only between digits. */
const belongs = (text: string, at: number, kind: number, last: number): boolean =>
  kind === apostrophe
    ? last === letter
    : kind === point && last === digit && at + 1 < text.length && kindAt(text, at + 1) === digit

const toDrop = new RegExp(`[${apostrophes}]`, 'g')

/** Its own ’s first: without it, children’s would be another word than children. */
const cleaned = (slice: string): string =>
  slice
    .replace(/([a-z]{3})['’]s$/, '$1')
    .replace(toDrop, '')
    .replace(/\p{M}/gu, '')
    .replace(',', '.')
