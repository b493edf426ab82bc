// Event filters: event names, with `*` as a wildcard, with or without the module in front.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import { events, type EventType } from '../../events.ts'
import { text } from '../../http/schema.ts'

export const maxFilters = 50
export const filterPattern = '^[A-Za-z*.]{1,100}$'

const names = Object.entries(events).map(([type, { module }]) => ({ type: type as EventType, module }))

/** The event types that a filter matches: `*`, `catalog.*`, `Offer*`, `catalog.Offer*`, `*Changed`, `OfferCreated`. */
export function matchingTypes(filter: string): EventType[] {
  const fits = globMatcher(filter)
  return names.filter(({ type, module }) => fits(type) || fits(`${module}.${type}`)).map(({ type }) => type)
}

/** Filters that match no event type: probably a typo. */
export const filtersWithoutMatch = (filters: readonly string[]): string[] =>
  filters.filter((it) => matchingTypes(it).length === 0)

export const matchingAnyOf = (filters: readonly string[]): Set<EventType> =>
  new Set(filters.flatMap(matchingTypes))

/** Compares piece by piece from the left, in linear time for any filter. */
function globMatcher(filter: string): (name: string) => boolean {
  const pieces = filter.split('*')
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  if (pieces.length === 1) return (name) => name === filter
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
      return false
    let at = first.length
    for (const piece of pieces.slice(1, -1)) {
      const found = name.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return at <= name.length - last.length
  }
}

export const filterList = Type.Array(
  text({
    max: 100,
    pattern: filterPattern,
    description: 'An event name, with `*` as a wildcard: `OfferCreated`, `Offer*`, `catalog.*`, `*`.',
    examples: ['Offer*'],
  }),
  { minItems: 1, maxItems: maxFilters },
)

/** The filters that no event matches. */
export const emptyFilterFaults = (filters: readonly string[], pathOf: (at: number) => string): FieldFault[] =>
  filtersWithoutMatch(filters).map((it) => ({
    path: pathOf(filters.indexOf(it)),
    rule: 'exists',
    limit: it,
  }))

export function refuseEmptyFilters(filters: readonly string[], pathOf: (at: number) => string): void {
  const fields = emptyFilterFaults(filters, pathOf)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}
