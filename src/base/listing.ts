// Lists that end: a page by its number, or by a cursor that goes on where the last page stopped.

import { isUnreadableValue, type Reader } from './db.ts'
import type { MemoryKind } from './memory.ts'
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
  /** Nothing ever leaves the list: once `mostCounted` were counted, they need not be counted again. */
  onlyGrows?: boolean
}

/** Beyond so many rows a numbered page would read all that stands before it. */
const maxNumberedRows = 10_000

/** How many rows a statement may ask for. A limit that stands in the statement is planned once, one that is sent with it every time. */
const limits = [6, 11, 21, 51, 101]

export async function sliceOf<Row>(read: Reader, query: ListQuery, listing: Listing): Promise<Slice<Row>> {
  const { perPage, cursor, sort: sortName } = listing
  const offset = cursor ? 0 : (listing.page - 1) * perPage
  if (offset + perPage > maxNumberedRows)
    throw refuse('validation_failed', {
      fields: [{ path: 'page', rule: 'use_cursor', limit: maxNumberedRows }],
    })
  const after = cursor === undefined ? undefined : placeOf(cursor, sortName)
  const found = await rowsOf<Row>(read, query, { ...listing, offset, after })
  const rows = found.slice(0, perPage)
  const last = rows.at(-1)
  const more = found.length > perPage && last
  // Whoever has seen the last row knows how many there are.
  const isEnd = !more && !after && (last || offset === 0)
  return {
    rows,
    total: isEnd ? offset + rows.length : await countOf(read, query),
    nextCursor: more ? cursorOf(sortName, [last.sortPlace, last.keyPlace]) : null,
  }
}

interface Stretch extends Listing {
  offset: number
  /** Where the page before it stopped. */
  after: [string, string] | undefined
}

/** The rows of a page and, if there are any, some of the next. */
async function rowsOf<Row>(
  read: Reader,
  query: ListQuery,
  { perPage, sort: sortName, offset, after }: Stretch,
): Promise<(Row & { sortPlace: string; keyPlace: string })[]> {
  const sort = query.sorts[sortName.replace(/^-/, '')]!
  const isDown = sortName.startsWith('-')
  const direction = isDown ? 'desc' : 'asc'
  const next = query.values.length + 1
  const beyond = `(${sort.by}, ${query.key.by}) ${isDown ? '<' : '>'} ($${next}::text::${sort.type}, $${next + 1}::text::${query.key.type})`
  const limit = limits.find((it) => it > perPage) ?? perPage + 1
  return read
    .all<Row & { sortPlace: string; keyPlace: string }>(
      `select ${query.columns}, (${sort.by})::text as "sortPlace", ${query.key.by}::text as "keyPlace"
       from ${query.from} ${whereOf([...query.where, ...(after ? [beyond] : [])])}
       order by ${sort.by} ${direction}, ${query.key.by} ${direction} limit ${limit} ${offset > 0 ? `offset $${next}` : ''}`,
      [...query.values, ...(after ?? []), ...(offset > 0 ? [offset] : [])],
    )
    .catch((error: unknown) => {
      throw after && isUnreadableValue(error) ? notOurs() : error
    })
}

/** Lists that were counted to the limit and only grow. */
const longLists: MemoryKind<number> = { max: 1_000, subjects: () => [], heeds: () => false }

async function countOf(read: Reader, query: ListQuery): Promise<number> {
  const { from, where, values, mostCounted, onlyGrows } = query
  const count = async () =>
    (
      await read.one<{ total: number }>(
        mostCounted === undefined
          ? `select count(*) as total from ${from} ${whereOf(where)}`
          : `select count(*) as total from (select 1 from ${from} ${whereOf(where)} limit ${mostCounted}) counted`,
        values,
      )
    ).total
  if (!onlyGrows) return count()
  let total = mostCounted!
  const name = JSON.stringify([from, where, values])
  await read.recall(longLists, [name], async () => {
    total = await count()
    return total === mostCounted ? new Map([[name, total]]) : new Map()
  })
  return total
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
