// Where in HTML a value may stand: in text, or in one of the attributes that hold words or an address. Escaping makes a
// value harmless there and nowhere else, so a template with a value in any other place is not saved.

import { type Attribute, type Source, type Token, tokensOf } from './html.ts'
import { placeholdersIn } from './placeholders.ts'
import { knownVariables } from './variables.ts'

export interface PlacementFault {
  rule: 'placement' | 'forbidden_tag' | 'url_variable'
  limit: string
}

/** What mails are made of. Nothing here runs, loads pages or sends forms. */
const knownTags = new Set(
  `a abbr address area article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn
   div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li main map mark nav
   ol p pre q s samp section small span strike strong style sub sup table tbody td tfoot th thead time title tr tt u ul
   var wbr`.split(/\s+/),
)
const ofWords = new Set(['alt', 'aria-label', 'dir', 'lang', 'summary', 'title'])
const ofAddresses = new Set(['href', 'src', 'background'])
/** So many are told of; whoever has more has not looked at the first. */
const mostTold = 20

export function placementFaults(html: Source): PlacementFault[] {
  const faults: PlacementFault[] = []
  for (const token of tokensOf(html)) {
    faults.push(...faultsOf(token))
    if (faults.length >= mostTold) break
  }
  return faults
}

function faultsOf(token: Token): PlacementFault[] {
  if (token.kind === 'text') return []
  if (token.kind === 'raw') return placeholdersIn(token.text).map((it) => outOfPlace(it.all))
  if (token.kind === 'broken') return [outOfPlace(token.text)]
  const forbidden: PlacementFault[] = knownTags.has(token.name)
    ? []
    : [{ rule: 'forbidden_tag', limit: token.name }]
  return token.kind === 'close' ? forbidden : [...forbidden, ...token.attributes.flatMap(faultsOfAttribute)]
}

function faultsOfAttribute(attribute: Attribute): PlacementFault[] {
  const { name, value, isQuoted } = attribute
  const placeholders = placeholdersIn(value)
  const isAddress = ofAddresses.has(name)
  const mayHoldValues = isAddress || ofWords.has(name)
  if (name.startsWith('on') || (placeholders.length > 0 && !mayHoldValues) || !isClosed(value))
    return [outOfPlace(`${name}="${value}"`)]
  if (!isAddress) return []
  return isQuoted ? faultsOfAddress(value.trim()) : [outOfPlace(`${name}=${value}`)]
}

/** What is left out or repeated within an attribute must end in it: else the quotes around it go with it. */
function isClosed(value: string): boolean {
  let depth = 0
  for (const { mark } of placeholdersIn(value)) {
    if (mark === '#') depth++
    if (mark === '/' && --depth < 0) return false
  }
  return depth === 0
}

/**
 * What decides where a link leads is written in the template, or is a variable of the kind `url`. That one may be empty,
 * so what follows it must lead nowhere by itself.
 */
function faultsOfAddress(to: string): PlacementFault[] {
  const [first] = placeholdersIn(to)
  if (!to.startsWith('{{') || !first)
    return writtenAddress.test(to) ? [] : [{ rule: 'url_variable', limit: to.slice(0, longestLimit) }]
  const isSound = first.mark === '' && isAddress(first.path) && harmlessRest.test(to.slice(first.all.length))
  return isSound ? [] : [{ rule: 'url_variable', limit: first.path }]
}

const longestLimit = 100
const writtenAddress = /^(https?:\/\/[^\s{}/?#]+([/?#]|$)|mailto:|tel:|#)/i
const harmlessRest = /^($|[?#&]|\/($|[a-z0-9_?#-]))/i

const outOfPlace = (limit: string): PlacementFault => ({
  rule: 'placement',
  limit: limit.slice(0, longestLimit),
})

/** A path, or the name of a list's item, of the kind `url`. */
const isAddress = (path: string): boolean =>
  knownVariables[path]?.kind === 'url' ||
  Object.values(knownVariables).some((it) => it.items?.[path]?.kind === 'url')
