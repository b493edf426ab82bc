// HTML templates that escape every value, except HTML made by these templates.

/** Escaped HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

/** Escapes values, joins lists, omits false, null and undefined. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  filledTemplate(unindented(strings), parts)

/** A template is one object for the life of the program, so its text is prepared once. */
const prepared = new WeakMap<TemplateStringsArray, readonly string[]>()

/** The formatter indents templates; browsers ignore the indentation. */
function unindented(strings: TemplateStringsArray): readonly string[] {
  const found = prepared.get(strings)
  if (found) return found
  const made = strings.map((it) => it.replace(/\s*\n\s*/g, '\n'))
  prepared.set(strings, made)
  return made
}

/** Like `html`, but keeps white space, for code. */
export const verbatim = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  filledTemplate(strings, parts)

const filledTemplate = (strings: readonly string[], parts: Part[]): Html =>
  new Html(strings.reduce((text, next, at) => text + renderedPart(parts[at - 1]) + next))

function renderedPart(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object' && part !== null) return part.map(renderedPart).join('')
  return part === undefined || part === null || part === false ? '' : escaped(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => entities[it]!)

/** Text with code between backticks. */
export const inline = (text: string): Html =>
  verbatim`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Paragraphs, separated by empty lines. */
export const prose = (text: string): Html =>
  html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`

export const joined = (parts: (Html | string)[], between: string): Html =>
  verbatim`${parts.map((it, at) => (at === 0 ? it : verbatim`${between}${it}`))}`
