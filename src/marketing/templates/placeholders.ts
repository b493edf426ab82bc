// The template syntax: `{{client.name}}` is a value, and `{{#order.lines}}…{{/order.lines}}` repeats for every item of a
// list, or shows its content when a value is present. There is no other logic.

/** A parsed template. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'value'; path: string }
  | { kind: 'section'; path: string; parts: Part[] }

/** Carries the placeholder at which parsing failed. */
export class TemplateSyntaxError extends Error {
  readonly placeholder: string

  constructor(placeholder: string) {
    super(`template syntax error at ${placeholder}`)
    this.placeholder = placeholder
  }
}

/** Unambiguous, so matching takes linear time. */
const placeholder = /\{\{([^{}]*)\}\}/g
const pathPattern = /^[a-z][a-z0-9_]{0,40}(\.[a-z][a-z0-9_]{0,40}){0,3}$/
const maxDepth = 3

export interface Placeholder {
  /** With its braces. */
  all: string
  at: number
  mark: '' | '#' | '/'
  path: string
}

/** All placeholders, in order. */
export const placeholdersIn = (source: string): Placeholder[] =>
  [...source.matchAll(placeholder)].map(({ 0: all, 1: written = '', index: at }) => {
    const inner = written.trim()
    const mark = inner.startsWith('#') ? '#' : inner.startsWith('/') ? '/' : ''
    return { all, at, mark, path: inner.slice(mark.length).trim() }
  })

export function parseTemplate(source: string): Part[] {
  const open: { path: string; parts: Part[] }[] = [{ path: '', parts: [] }]
  const add = (part: Part) => void open.at(-1)!.parts.push(part)
  let seen = 0
  for (const { all, at, mark, path } of placeholdersIn(source)) {
    if (!pathPattern.test(path)) throw new TemplateSyntaxError(all)
    add(textPart(source.slice(seen, at)))
    seen = at + all.length
    if (mark === '') add({ kind: 'value', path })
    else if (mark === '#') open.push({ path, parts: [] })
    else if (open.length === 1 || open.at(-1)!.path !== path) throw new TemplateSyntaxError(all)
    else add({ kind: 'section', ...open.pop()! })
    if (open.length > maxDepth) throw new TemplateSyntaxError(all)
  }
  add(textPart(source.slice(seen)))
  if (open.length > 1) throw new TemplateSyntaxError(`{{#${open.at(-1)!.path}}}`)
  return open[0]!.parts
}

/** Unmatched braces are an error of the author, not text for the reader. */
function textPart(text: string): Part {
  const stray = /\{\{.{0,40}|\{$/s.exec(text)
  if (stray) throw new TemplateSyntaxError(stray[0])
  return { kind: 'text', text }
}

export interface Scope {
  /** The value of a path as text; fields of the current list item take precedence. */
  valueText(path: string): string
  /** One scope per list item; this scope for any other present value; none otherwise. */
  sectionScopes(path: string): readonly Scope[]
}

/** Renders parsed parts; `escape` is applied to every value. */
export const fillTemplate = (
  parts: readonly Part[],
  scope: Scope,
  escape: (value: string) => string,
): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'value') return escape(scope.valueText(part.path))
      return scope
        .sectionScopes(part.path)
        .map((it) => fillTemplate(part.parts, it, escape))
        .join('')
    })
    .join('')
