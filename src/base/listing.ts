// Pages of lists: by number, or by a cursor that continues after the last row of the previous page.

import { isInvalidValue } from './sql-errors.ts'
import type { CacheKind } from './cache.ts'
import { refuse } from './refusal.ts'
import type { Reader } from './transaction.ts'

export interface ListRequest {
  page: number
  perPage: number
  /** The name of a sort; a leading `-` reverses it. */
  sort: string
  cursor: string | undefined
}

export interface ListPage<Row> {
  rows: Row[]
  /** Rows of the whole list; null above the limit of counting. */
  total: number | null
  nextCursor: string | null
}

export interface ListQuery {
  columns: string
  from: string
  /** Conditions over `values` as `$1` and so on. */
  where: string[]
  values: unknown[]
  /** SQL expressions and types by sort name. */
  sorts: Record<string, { by: string; type: 'text' | 'timestamptz' | 'int8' }>
  /** The unique column that breaks ties. */
  key: { by: string; type: 'text' | 'int8' }
  /**
   * Rows are counted up to this number, because an exact total of an unbounded list costs too much. Default
   * `maxCountedRows`.
   */
  maxCounted?: number
  /** Rows are never deleted: that the list exceeds `maxCounted` is cached. */
  isAppendOnly?: boolean
}

/** The largest exact total of a list. */
export const maxCountedRows = 10_000

/** A numbered page reads all rows before it, so deeper pages need a cursor. */
const maxNumberedRows = 10_000

/** Limits written into the statement: a literal limit is planned once, a parameter on every call. */
const limits = [6, 11, 21, 51, 101]

export async function loadPage<Row>(
  read: Reader,
  query: ListQuery,
  listing: ListRequest,
): Promise<ListPage<Row>> {
  const { perPage, cursor, sort: sortName } = listing
  const offset = cursor ? 0 : (listing.page - 1) * perPage
  if (offset + perPage > maxNumberedRows)
    throw refuse('validation_failed', {
      fields: [{ path: 'page', rule: 'use_cursor', limit: maxNumberedRows }],
    })
  const after = cursor === undefined ? undefined : positionOf(cursor, sortName)
  const found = await rowsOf<Row>(read, query, { ...listing, offset, after })
  const rows = found.slice(0, perPage)
  const last = rows.at(-1)
  const more = found.length > perPage && last
  // On the last page the total is known without counting.
  const isEnd = !more && !after && (last || offset === 0)
  return {
    rows,
    total: isEnd ? offset + rows.length : await countOf(read, query),
    nextCursor: more ? cursorOf(sortName, [last.sortPosition, last.keyPosition]) : null,
  }
}

interface PageRequest extends ListRequest {
  offset: number
  /** Sort value and key of the last row of the previous page. */
  after: [string, string] | undefined
}

/** The rows of a page and at least one of the next, if there is one. */
async function rowsOf<Row>(
  read: Reader,
  query: ListQuery,
  { perPage, sort: sortName, offset, after }: PageRequest,
): Promise<(Row & { sortPosition: string; keyPosition: string })[]> {
  const sort = query.sorts[sortName.replace(/^-/, '')]!
  const isDescending = sortName.startsWith('-')
  const direction = isDescending ? 'desc' : 'asc'
  const next = query.values.length + 1
  const beyond = `(${sort.by}, ${query.key.by}) ${isDescending ? '<' : '>'} ($${next}::text::${sort.type}, $${next + 1}::text::${query.key.type})`
  const limit = limits.find((it) => it > perPage) ?? perPage + 1
  return read
    .all<Row & { sortPosition: string; keyPosition: string }>(
      `select ${query.columns}, (${sort.by})::text as "sortPosition", ${query.key.by}::text as "keyPosition"
       from ${query.from} ${whereOf([...query.where, ...(after ? [beyond] : [])])}
       order by ${sort.by} ${direction}, ${query.key.by} ${direction} limit ${limit} ${offset > 0 ? `offset $${next}` : ''}`,
      [...query.values, ...(after ?? []), ...(offset > 0 ? [offset] : [])],
    )
    .catch((error: unknown) => {
      throw after && isInvalidValue(error) ? invalidCursor() : error
    })
}

/** Append-only lists that exceed `maxCounted`. */
const longLists: CacheKind<true> = { max: 1_000, subjects: () => [], dependsOn: () => false }

async function countOf(read: Reader, query: ListQuery): Promise<number | null> {
  const { from, where, values, maxCounted = maxCountedRows, isAppendOnly } = query
  const count = async () => {
    const { total } = await read.one<{ total: number }>(
      `select count(*) as total from (select 1 from ${from} ${whereOf(where)} limit ${maxCounted + 1}) counted`,
      values,
    )
    return total > maxCounted ? null : total
  }
  if (!isAppendOnly) return count()
  let total: number | null = null
  const name = JSON.stringify([from, where, values])
  await read.cached(longLists, [name], async () => {
    total = await count()
    return total === null ? new Map([[name, true as const]]) : new Map()
  })
  return total
}

const whereOf = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '')

const cursorOf = (sort: string, position: [string, string]): string =>
  Buffer.from(JSON.stringify([sort, ...position])).toString('base64url')

/** The row at which a cursor stopped. A cursor belongs to one sort; with another it would skip rows. */
function positionOf(cursor: string, sort: string): [string, string] {
  try {
    const [cursorSort, sortPosition, keyPosition] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[]
    if (cursorSort === sort && typeof sortPosition === 'string' && typeof keyPosition === 'string')
      return [sortPosition, keyPosition]
  } catch {
    // Falls through to the refusal.
  }
  throw invalidCursor()
}

const invalidCursor = () => refuse('validation_failed', { fields: [{ path: 'cursor', rule: 'cursor' }] })
