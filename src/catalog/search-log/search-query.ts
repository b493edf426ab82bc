// What of a search is kept: the words, never who searched. Pure.

import { createHash } from 'node:crypto'

const maxQueryLength = 100
/** Seven digits in a row, also with spaces and hyphens between them, may be a phone or a card. */
const longNumber = /(?:\d[\s()-]*){7}/

/** The words of a search in one spelling; undefined if they are none, too long, or may identify a person. */
export function loggedQuery(typed: string): string | undefined {
  const query = typed.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const isKept =
    query !== '' && query.length <= maxQueryLength && !query.includes('@') && !longNumber.test(query)
  return isKept ? query : undefined
}

/**
 * The id of a query. Equal queries have equal ids, so cached replies can hold it, and it leads from an interaction to the
 * query without naming a search of a person.
 */
export function searchIdOf(query: string): string {
  const hex = createHash('sha256').update(query).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
