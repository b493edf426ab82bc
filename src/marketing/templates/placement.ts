// Where in HTML a value may stand: in text, or within a quoted attribute. Escaping makes a value harmless there and
// nowhere else, so a template with a value in any other place is not saved.

import { knownVariables } from './variables.ts'

export interface PlacementFault {
  rule: 'placement' | 'forbidden_tag' | 'url_variable'
  limit: string
}

const value = /\{\{[^{}]*\}\}/g
/** Programs have no place in a mail, and what they hold is escaped by other rules than ours. */
const forbidden =
  /<\/?(script|iframe|frame|object|embed|form|button|input|select|textarea|base|meta|link|svg|math|template)\b/i
const sheet = /<style\b[^>]*>[^]*?<\/style\s*>/gi
const tag = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/g
const quoted = /"[^"]*"|'[^']*'/g
// An attribute begins after a space, a slash, or the end of the one before it.
const styled = /[\s/"']style\s*=\s*("[^"]*\{\{[^"]*"|'[^']*\{\{[^']*')/i
const addressed = /[\s/"'](href|src|srcset|background|poster)\s*=\s*(["'])(.*?)\2/gis
const bare = /[\s/"'](on[a-z]+\s*=|(href|src|srcset|background|poster)\s*=\s*[^\s"'])/i

export function placementFaults(html: string): PlacementFault[] {
  const program = forbidden.exec(html)
  const sheets = html.match(sheet) ?? []
  const body = html.replace(sheet, '')
  const tags = body.match(tag) ?? []
  const loose = /<style\b.{0,40}/is.exec(body) ?? /<[a-z/!].{0,40}/is.exec(body.replace(tag, ''))
  return [
    ...(program ? [{ rule: 'forbidden_tag' as const, limit: program[1]!.toLowerCase() }] : []),
    ...sheets.flatMap((it) => it.match(value) ?? []).map(outOfPlace),
    ...tags.flatMap((it) => it.replace(quoted, '').match(value) ?? []).map(outOfPlace),
    ...tags.filter((it) => bare.test(it.replace(quoted, '""')) || styled.test(it)).map(outOfPlace),
    ...(loose ? [outOfPlace(loose[0])] : []),
    ...tags.flatMap((it) => [...it.matchAll(addressed)]).flatMap(([, , , to = '']) => faultOfAddress(to)),
  ]
}

const outOfPlace = (limit: string): PlacementFault => ({ rule: 'placement', limit: limit.slice(0, 100) })

/** What decides where a link leads is written in the template, or is an address by its kind. */
function faultOfAddress(address: string): PlacementFault[] {
  const to = address.trim()
  const first = /^\{\{\s*([^{}]*?)\s*\}\}/.exec(to)?.[1]
  if (first === undefined)
    return /^(https?:\/\/[^\s{}/?#]+(?:[/?#]|$)|mailto:|tel:|#)/i.test(to)
      ? []
      : [{ rule: 'url_variable', limit: to }]
  return isAddress(first) ? [] : [{ rule: 'url_variable', limit: first }]
}

/** A path, or the name of a list's item, of the kind `url`. */
const isAddress = (path: string): boolean =>
  knownVariables[path]?.kind === 'url' ||
  Object.values(knownVariables).some((it) => it.items?.[path]?.kind === 'url')
