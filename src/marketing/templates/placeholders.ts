// The language of templates: `{{client.name}}` is a value, and `{{#order.lines}}…{{/order.lines}}` is repeated for every
// item of a list, or shown when a value is there. It has no other logic, so a template can do nothing but show.

/** A template that was read: text, values and sections. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'value'; path: string }
  | { kind: 'section'; path: string; parts: Part[] }

/** What cannot be read, and the placeholder at which that was found. */
export class UnreadableTemplate extends Error {
  readonly placeholder: string

  constructor(placeholder: string) {
    super(`${placeholder} cannot be read`)
    this.placeholder = placeholder
  }
}

/** One way to match and no other, so that the work grows with the text and no faster. */
const placeholder = /\{\{([^{}]*)\}\}/g
const pathForm = /^[a-z][a-z0-9_]{0,40}(\.[a-z][a-z0-9_]{0,40}){0,3}$/
const deepest = 3

export interface Placeholder {
  /** As it is written. */
  all: string
  at: number
  mark: '' | '#' | '/'
  path: string
}

/** Everything between double braces, in order. */
export const placeholdersIn = (source: string): Placeholder[] =>
  [...source.matchAll(placeholder)].map(({ 0: all, 1: written = '', index: at }) => {
    const inner = written.trim()
    const mark = inner.startsWith('#') ? '#' : inner.startsWith('/') ? '/' : ''
    return { all, at, mark, path: inner.slice(mark.length).trim() }
  })

export function partsOf(source: string): Part[] {
  const open: { path: string; parts: Part[] }[] = [{ path: '', parts: [] }]
  const add = (part: Part) => void open.at(-1)!.parts.push(part)
  let seen = 0
  for (const { all, at, mark, path } of placeholdersIn(source)) {
    if (!pathForm.test(path)) throw new UnreadableTemplate(all)
    add(textPart(source.slice(seen, at)))
    seen = at + all.length
    if (mark === '') add({ kind: 'value', path })
    else if (mark === '#') open.push({ path, parts: [] })
    else if (open.length === 1 || open.at(-1)!.path !== path) throw new UnreadableTemplate(all)
    else add({ kind: 'section', ...open.pop()! })
    if (open.length > deepest) throw new UnreadableTemplate(all)
  }
  add(textPart(source.slice(seen)))
  if (open.length > 1) throw new UnreadableTemplate(`{{#${open.at(-1)!.path}}}`)
  return open[0]!.parts
}

/** Braces that begin nothing are a slip of the writer, not a text for the reader. */
function textPart(text: string): Part {
  const stray = /\{\{.{0,40}|\{$/s.exec(text)
  if (stray) throw new UnreadableTemplate(stray[0])
  return { kind: 'text', text }
}

export interface Scope {
  /** The value of a path, written for the reader; what stands in a list's item comes before what stands outside. */
  written(path: string): string
  /** A scope for every item of a list; for another value that is there this scope itself, else none. */
  within(path: string): readonly Scope[]
}

/** The text of parts; `dressed` makes every value fit for where it stands. */
export const filled = (parts: readonly Part[], scope: Scope, dressed: (value: string) => string): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'value') return dressed(scope.written(part.path))
      return scope
        .within(part.path)
        .map((it) => filled(part.parts, it, dressed))
        .join('')
    })
    .join('')
