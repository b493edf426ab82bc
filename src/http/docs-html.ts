// HTML that cannot forget to escape: whatever is put into a template is text, unless a template made it.

/** A piece of finished HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | undefined | Part[]

/** Finished HTML from a template; what stands in its gaps is escaped, lists are joined, false and undefined vanish. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  // The formatter indents templates as markup; a browser would only throw the indentation away.
  filled(
    strings.map((it) => it.replace(/\s*\n\s*/g, '\n')),
    parts,
  )

/** The same for code, where every space and every line counts. */
export const verbatim = (strings: TemplateStringsArray, ...parts: Part[]): Html => filled(strings, parts)

const filled = (strings: readonly string[], parts: Part[]): Html =>
  new Html(strings.reduce((text, next, at) => text + written(parts[at - 1]) + next))

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(written).join('')
  return part === undefined || part === false ? '' : escaped(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => entities[it]!)

/** A sentence as the tables write it: text, and names between backticks. */
export const inline = (text: string): Html =>
  verbatim`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Paragraphs, parted by empty lines. */
export const prose = (text: string): Html =>
  html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`

/** Parts with something between each two of them. */
export const joined = (parts: (Html | string)[], between: string): Html =>
  verbatim`${parts.map((it, at) => (at === 0 ? it : verbatim`${between}${it}`))}`
