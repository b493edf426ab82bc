// Lists that end: a page by its number, or by a cursor that goes on where the last page stopped.

import { isUnreadableValue, type Reader } from './db.ts'
import { refuse } from './refusal.ts'

export interface Listing {
  page: number
  perPage: number
  /** A sort's name, with `-` before it for the other direction. */
  sort: string
  cursor: string | undefined
}

export interface Slice<Row> {
  rows: Row[]
  total: number
  nextCursor: string | null
}

export interface ListQuery {
  columns: string
  from: string
  /** Conditions; `$1` and so on mean `values`. */
  where: string[]
  values: unknown[]
  /** Sort names and the expressions behind them, with their types. */
  sorts: Record<string, { by: string; type: 'text' | 'timestamptz' | 'int8' }>
  /** The unique column that settles ties, and its type. */
  key: { by: string; type: 'text' | 'int8' }
  /** Counts no further: of a list that grows for ever, the end is not worth its cost. */
  mostCounted?: number
}

/** Beyond so many rows a numbered page would read all that stands before it. */
const maxNumberedRows = 10_000

export async function sliceOf<Row>(read: Reader, query: ListQuery, listing: Listing): Promise<Slice<Row>> {
  const name = listing.sort.replace(/^-/, '')
  const sort = query.sorts[name]!
  const down = listing.sort.startsWith('-')
  const offset = listing.cursor ? 0 : (listing.page - 1) * listing.perPage
  if (offset + listing.perPage > maxNumberedRows)
    throw refuse('validation_failed', {
      fields: [{ path: 'page', rule: 'use_cursor', limit: maxNumberedRows }],
    })

  const after = listing.cursor === undefined ? undefined : placeOf(listing.cursor, listing.sort)
  const first = query.values.length + 1
  const beyond = `(${sort.by}, ${query.key.by}) ${down ? '<' : '>'} ($${first + 2}::text::${sort.type}, $${first + 3}::text::${query.key.type})`
  const direction = down ? 'desc' : 'asc'
  const [found, { total }] = await Promise.all([
    read
      .all<Row & { sortPlace: string; keyPlace: string }>(
        `select ${query.columns}, (${sort.by})::text as "sortPlace", ${query.key.by}::text as "keyPlace"
       from ${query.from} ${whereOf([...query.where, ...(after ? [beyond] : [])])}
       order by ${sort.by} ${direction}, ${query.key.by} ${direction} limit $${first} offset $${first + 1}`,
        [...query.values, listing.perPage + 1, offset, ...(after ?? [])],
      )
      .catch((error: unknown) => {
        throw after && isUnreadableValue(error) ? notOurs() : error
      }),
    read.one<{ total: number }>(
      query.mostCounted === undefined
        ? `select count(*) as total from ${query.from} ${whereOf(query.where)}`
        : `select count(*) as total from (select 1 from ${query.from} ${whereOf(query.where)} limit ${query.mostCounted}) counted`,
      query.values,
    ),
  ])
  const rows = found.slice(0, listing.perPage)
  const last = rows.at(-1)
  const more = found.length > rows.length && last
  return { rows, total, nextCursor: more ? cursorOf(listing.sort, [last.sortPlace, last.keyPlace]) : null }
}

const whereOf = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '')

const cursorOf = (sort: string, place: [string, string]): string =>
  Buffer.from(JSON.stringify([sort, ...place])).toString('base64url')

/** Where a cursor stopped. It belongs to one sort: with another it would skip rows. */
function placeOf(cursor: string, sort: string): [string, string] {
  try {
    const [madeFor, sortPlace, keyPlace] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[]
    if (madeFor === sort && typeof sortPlace === 'string' && typeof keyPlace === 'string')
      return [sortPlace, keyPlace]
  } catch {
    // Falls through: a cursor that cannot be read was not made by us.
  }
  throw notOurs()
}

const notOurs = () => refuse('validation_failed', { fields: [{ path: 'cursor', rule: 'cursor' }] })
