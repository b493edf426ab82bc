// A strict HTML tokenizer for e-mail templates, in one pass. Anything that mail programs may parse differently ends the
// input as `broken`, so the policy judges exactly what every reader sees.

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Attribute[] }
  | { kind: 'close'; name: string; from: number }
  /** A comment, a declaration, or the text of <style> or <title>: it contains no markup. */
  | { kind: 'raw'; text: string }
  /** Parsing stops here. */
  | { kind: 'broken'; text: string }

/** The value is empty when there is none; it excludes the quotes. */
export interface Attribute {
  name: string
  value: string
  from: number
  isQuoted: boolean
}

/** The operations that the tokenizer needs of a string; tests count them. */
export type Source = Pick<string, 'length' | 'charCodeAt' | 'slice'>

/** Characters of broken input in the error message. */
const maxReportedLength = 100
const rawTextElements = ['style', 'title']

export function* tokensOf(source: Source): Generator<Token> {
  const cursor = new Cursor(source)
  while (!cursor.isAtEnd) {
    const from = cursor.at
    const token = nextToken(cursor)
    if (!token) return yield { kind: 'broken', text: source.slice(from, from + maxReportedLength) }
    yield token
    if (token.kind !== 'open' || !rawTextElements.includes(token.name)) continue
    const text = cursor.upTo((it) => it.isAtEndTag(token.name))
    if (text === undefined) return yield { kind: 'broken', text: `<${token.name}>` }
    yield { kind: 'raw', text }
  }
}

/** The next token; undefined when the input is ambiguous or unterminated. */
function nextToken(cursor: Cursor): Token | undefined {
  if (cursor.here !== '<') return { kind: 'text', text: cursor.while((it) => it !== '<') }
  cursor.pass()
  if (cursor.passed('!')) return declaration(cursor)
  if (!cursor.passed('/')) return isLetter(cursor.here) ? openTag(cursor) : undefined
  const from = cursor.at - 2
  const name = tagName(cursor)
  cursor.while(isSpace)
  return name && cursor.passed('>') ? { kind: 'close', name, from } : undefined
}

/** A comment or a declaration such as the doctype. */
function declaration(cursor: Cursor): Token | undefined {
  if (!cursor.passed('-')) {
    const text = cursor.while((it) => it !== '>' && it !== '<')
    return cursor.passed('>') ? { kind: 'raw', text } : undefined
  }
  // Parsers disagree about whether `<!-->` and `--!>` end a comment.
  if (!cursor.passed('-') || cursor.here === '>' || cursor.isAt('->')) return undefined
  const text = cursor.upTo((it) => it.isAt('-->') || it.isAt('--!>'))
  const isEnded = text !== undefined && cursor.isAt('-->')
  for (let left = 3; isEnded && left > 0; left--) cursor.pass()
  return isEnded ? { kind: 'raw', text } : undefined
}

function openTag(cursor: Cursor): Token | undefined {
  const name = tagName(cursor)
  const attributes: Attribute[] = []
  for (;;) {
    cursor.while((it) => isSpace(it) || it === '/')
    if (cursor.passed('>')) return name ? { kind: 'open', name, attributes } : undefined
    const attribute = nextAttribute(cursor)
    if (!attribute) return undefined
    attributes.push(attribute)
  }
}

const tagName = (cursor: Cursor): string => cursor.while(isOfName).toLowerCase()

function nextAttribute(cursor: Cursor): Attribute | undefined {
  const name = cursor.while(isOfName).toLowerCase()
  if (name === '') return undefined
  cursor.while(isSpace)
  if (!cursor.passed('=')) return { name, value: '', from: cursor.at, isQuoted: false }
  cursor.while(isSpace)
  const quote = cursor.here
  if (quote !== '"' && quote !== "'") {
    const from = cursor.at
    const value = cursor.while(isOfPlainValue)
    return value === '' ? undefined : { name, value, from, isQuoted: false }
  }
  cursor.pass()
  const from = cursor.at
  const value = cursor.while((it) => it !== quote)
  return cursor.passed(quote) ? { name, value, from, isQuoted: true } : undefined
}

const isLetter = (it: string): boolean => /^[a-z]$/i.test(it)
const isSpace = (it: string): boolean => /^[ \t\n\f\r]$/.test(it)
const isOfName = (it: string): boolean => /^[a-z0-9:_.-]$/i.test(it)
/** Characters of unquoted values on which all parsers agree. */
const isOfPlainValue = (it: string): boolean => /^[a-z0-9#%:;,._+-]$/i.test(it)

/** A read position that only moves forward. */
class Cursor {
  readonly #source: Source
  at = 0

  constructor(source: Source) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.at >= this.#source.length
  }

  /** The current character; empty at the end. */
  get here(): string {
    return this.#after(0)
  }

  pass(): void {
    this.at++
  }

  passed(character: string): boolean {
    const isHere = this.here === character
    if (isHere) this.pass()
    return isHere
  }

  isAt(text: string): boolean {
    for (let at = 0; at < text.length; at++) if (this.#after(at).toLowerCase() !== text[at]) return false
    return true
  }

  isAtEndTag(name: string): boolean {
    return this.isAt(`</${name}`) && !isOfName(this.#after(name.length + 2))
  }

  /** Consumes characters while they match. */
  while(isSuch: (character: string) => boolean): string {
    const from = this.at
    while (!this.isAtEnd && isSuch(this.here)) this.pass()
    return this.#source.slice(from, this.at)
  }

  /** Consumes until the position matches; undefined when it never does. */
  upTo(isSuch: (place: Cursor) => boolean): string | undefined {
    const from = this.at
    while (!this.isAtEnd && !isSuch(this)) this.pass()
    return this.isAtEnd ? undefined : this.#source.slice(from, this.at)
  }

  #after(characters: number): string {
    const at = this.at + characters
    return at < this.#source.length ? String.fromCharCode(this.#source.charCodeAt(at)) : ''
  }
}
