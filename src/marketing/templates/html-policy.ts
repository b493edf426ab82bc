// The HTML that templates may contain: an allow-list of tags, and the places where a value may appear: text, and quoted
// attributes that hold text or a URL. Escaping makes a value harmless only there, so all other places are refused.

import { type Attribute, type Source, type Token, tokensOf } from './html.ts'
import { placeholdersIn } from './placeholders.ts'
import { knownVariables } from './variables.ts'

export interface HtmlViolation {
  rule: 'placement' | 'forbidden_tag' | 'url_variable'
  limit: string
}

/** Tags of e-mails. None of them runs code, loads pages or submits forms. */
const allowedTags = new Set(
  `a abbr address area article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn
   div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li main map mark nav
   ol p pre q s samp section small span strike strong style sub sup table tbody td tfoot th thead time title tr tt u ul
   var wbr`.split(/\s+/),
)
const textAttributes = new Set(['alt', 'aria-label', 'dir', 'lang', 'summary', 'title'])
const urlAttributes = new Set(['href', 'src', 'background'])

const maxReported = 20

export function htmlViolations(html: Source): HtmlViolation[] {
  const faults: HtmlViolation[] = []
  for (const token of tokensOf(html)) {
    faults.push(...faultsOf(token))
    if (faults.length >= maxReported) break
  }
  return faults
}

function faultsOf(token: Token): HtmlViolation[] {
  if (token.kind === 'text') return []
  if (token.kind === 'raw') return placeholdersIn(token.text).map((it) => misplaced(it.all))
  if (token.kind === 'broken') return [misplaced(token.text)]
  const forbidden: HtmlViolation[] = allowedTags.has(token.name)
    ? []
    : [{ rule: 'forbidden_tag', limit: token.name }]
  return token.kind === 'close' ? forbidden : [...forbidden, ...token.attributes.flatMap(faultsOfAttribute)]
}

function faultsOfAttribute(attribute: Attribute): HtmlViolation[] {
  const { name, value, isQuoted } = attribute
  const placeholders = placeholdersIn(value)
  const isAddress = urlAttributes.has(name)
  const mayHoldValues = isAddress || textAttributes.has(name)
  if (name.startsWith('on') || (placeholders.length > 0 && !mayHoldValues) || !isClosed(value))
    return [misplaced(`${name}="${value}"`)]
  if (!isAddress) return []
  return isQuoted ? faultsOfAddress(value.trim()) : [misplaced(`${name}=${value}`)]
}

/** A section that starts in an attribute must end in it; otherwise it could remove the quotes. */
function isClosed(value: string): boolean {
  let depth = 0
  for (const { mark } of placeholdersIn(value)) {
    if (mark === '#') depth++
    if (mark === '/' && --depth < 0) return false
  }
  return depth === 0
}

/**
 * The host of a link is a literal of the template, or a variable of the kind `url`. The variable may be empty, so what
 * follows it must not be a URL by itself.
 */
function faultsOfAddress(to: string): HtmlViolation[] {
  const [first] = placeholdersIn(to)
  if (!to.startsWith('{{') || !first)
    return literalUrl.test(to) ? [] : [{ rule: 'url_variable', limit: to.slice(0, maxLimitLength) }]
  const isSound =
    first.mark === '' && isUrlVariable(first.path) && safeUrlRest.test(to.slice(first.all.length))
  return isSound ? [] : [{ rule: 'url_variable', limit: first.path }]
}

const maxLimitLength = 100
const literalUrl = /^(https?:\/\/[^\s{}/?#]+([/?#]|$)|mailto:|tel:|#)/i
const safeUrlRest = /^($|[?#&]|\/($|[a-z0-9_?#-]))/i

const misplaced = (limit: string): HtmlViolation => ({
  rule: 'placement',
  limit: limit.slice(0, maxLimitLength),
})

/** Whether a path, or the field of a list item, is of the kind `url`. */
const isUrlVariable = (path: string): boolean =>
  knownVariables[path]?.kind === 'url' ||
  Object.values(knownVariables).some((it) => it.items?.[path]?.kind === 'url')
