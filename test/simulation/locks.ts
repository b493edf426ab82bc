// Every lock of the code base, found by reading the sources: each SQL text with a locking clause. A lock can be removed
// from the statements that run, to show which histories need it.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Lock {
  /** The file and the locking part of the statement. */
  id: string
  /** The whole text on one line; `…` stands for an inserted expression. */
  text: string
}

const lockingClause =
  /for (?:no key update|update|key share|share)(?: of \w+)?(?: skip locked| nowait)?\b|lock table \S+ in [\w ]+ mode|pg_(?:try_)?advisory\w*\([^)]*\)/i

const root = join(import.meta.dirname, '../..')

/** The locks in `src`, in the order of their files. */
export function locksInSource(): Lock[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((it) => !it.endsWith('.test.ts'))
  const found = files.toSorted().flatMap((file) => locksIn(file, readFileSync(join(root, file), 'utf8')))
  return [...new Map(found.map((it) => [`${it.id} ${it.text}`, it])).values()]
}

export function locksIn(file: string, source: string): Lock[] {
  return textsIn(source)
    .map((it) => it.replace(/\s+/g, ' ').trim())
    .filter((it) => lockingClause.test(it) && isSql(it))
    .map((text) => ({ id: `${file}: ${lockingPart(text)}`, text }))
}

/** From the table that is locked to the end of the clause. */
function lockingPart(text: string): string {
  const { index, 0: clause } = lockingClause.exec(text)!
  const until = text.slice(0, index + clause.length)
  return until.slice(Math.max(0, until.lastIndexOf(' from ') + 1))
}

/** Prose in messages has no table and no column; a fragment of a statement begins with its ordering or a placeholder. */
const isSql = (text: string): boolean => /^(select|with|update|delete|insert|lock|order by|…)/i.test(text)

/** The string literals of a TypeScript source; the expressions in templates become `…`. */
function textsIn(source: string): string[] {
  const texts: string[] = []
  let at = 0
  const template = (): void => {
    let text = ''
    for (at++; at < source.length && source[at] !== '`'; at++) {
      if (source[at] === '\\') at++
      if (source.startsWith('${', at)) {
        at += 2
        code('}')
        text += '…'
      } else text += source[at]
    }
    texts.push(text)
  }
  const quoted = (quote: string): void => {
    const start = at + 1
    for (at++; at < source.length && source[at] !== quote && source[at] !== '\n'; at++)
      if (source[at] === '\\') at++
    texts.push(source.slice(start, at))
  }
  const code = (end: string): void => {
    for (let depth = 0; at < source.length; at++) {
      const it = source[at]!
      if (it === end && depth === 0) return
      if (source.startsWith('//', at)) at = source.indexOf('\n', at)
      else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 1
      else if (it === '`') template()
      else if (it === "'" || it === '"') quoted(it)
      else if (it === '{') depth++
      else if (it === '}') depth--
      if (at < 0) return
    }
  }
  code('')
  return texts
}

const patternOf = ({ text }: Lock): RegExp =>
  new RegExp(
    text
      .split('…')
      .map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^]*'),
  )

/** Removes one lock from every statement that has it, and leaves the others. Locks with the same text go together. */
export function without(removed: Lock, all: readonly Lock[]): (sql: string) => string {
  // A text with more placeholders also matches the statements of more specific ones.
  const specific = all
    .map((lock) => ({ lock, pattern: patternOf(lock), length: lock.text.replaceAll('…', '').length }))
    .toSorted((a, b) => b.length - a.length)
  const known = new Map<string, string>()
  return (sql) => {
    const seen = known.get(sql)
    if (seen !== undefined) return seen
    const plain = sql.replace(/\s+/g, ' ').trim()
    const owner = lockingClause.test(plain) && specific.find((it) => it.pattern.test(plain))?.lock
    const changed = owner && owner.text === removed.text ? unlocked(sql) : sql
    known.set(sql, changed)
    return changed
  }
}

const unlocked = (sql: string): string => {
  const plain = sql.replace(/\s+/g, ' ').trim()
  if (/^lock table/i.test(plain)) return 'select 1'
  return plain.replace(lockingClause, '')
}
