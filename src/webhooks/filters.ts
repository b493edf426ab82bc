// Which events somebody wants: names with `*` for any letters, with or without the module before them.

import { events, type EventType } from '../events.ts'

export const mostFilters = 50
export const filterForm = '^[A-Za-z*.]{1,100}$'

const names = Object.entries(events).map(([type, { module }]) => ({ type: type as EventType, module }))

/** The kinds of events that a filter names: `*`, `catalog.*`, `Offer*`, `catalog.Offer*`, `*Changed`, `OfferCreated`. */
export function typesOf(filter: string): EventType[] {
  const fits = globOf(filter)
  return names.filter(({ type, module }) => fits(type) || fits(`${module}.${type}`)).map(({ type }) => type)
}

/** Filters that name no event at all: surely a slip of the pen. */
export const emptyFilters = (filters: readonly string[]): string[] =>
  filters.filter((it) => typesOf(it).length === 0)

export const typesOfAll = (filters: readonly string[]): Set<EventType> => new Set(filters.flatMap(typesOf))

/** Compares piece by piece from the left, so that no filter can make it slow. */
function globOf(filter: string): (name: string) => boolean {
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
