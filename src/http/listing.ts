import { type TSchema, Type } from 'typebox'
import { type ListPage, type ListRequest, maxCountedRows } from '../base/listing.ts'
import { idText, integer, nullable, oneOf, text } from './schema.ts'

const perPageDefault = 20
const perPageMost = 100

/** The query of a list: page or cursor, sort, and the list's own filters. */
export const listQuery = <const S extends string, F extends Record<string, TSchema>>(
  sorts: readonly S[],
  filters: F,
  defaultSort: S | `-${S}` = sorts[0]!,
) =>
  Type.Object(
    {
      page: Type.Optional(
        integer(1, Number.MAX_SAFE_INTEGER, { default: 1, description: 'Which page, from 1.' }),
      ),
      per_page: Type.Optional(
        integer(1, perPageMost, { default: perPageDefault, description: 'Rows a page.' }),
      ),
      sort: Type.Optional(
        oneOf(
          sorts.flatMap((it) => [it, `-${it}`] as const),
          { description: `Order; default \`${defaultSort}\`.` },
        ),
      ),
      cursor: Type.Optional(
        text({ max: 2_000, description: '`next_cursor` of the page before; takes the place of `page`.' }),
      ),
      ...filters,
    },
    { additionalProperties: false },
  )

interface PageQuery {
  page?: number
  per_page?: number
  sort?: string
  cursor?: string
}

export const listingOf = (query: PageQuery, defaultSort: string): ListRequest => ({
  page: query.page ?? 1,
  perPage: query.per_page ?? perPageDefault,
  sort: query.sort ?? defaultSort,
  cursor: query.cursor,
})

export const pagination = Type.Object(
  {
    page: integer(1, Number.MAX_SAFE_INTEGER),
    per_page: integer(1, perPageMost),
    total: nullable(
      integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'Rows in the whole list, exactly; null when only `total_at_least` is known.',
      }),
    ),
    total_at_least: Type.Optional(
      integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'Given when `total` is null: the list is longer than this.',
      }),
    ),
    pages: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Null when `total` is.' })),
    next_cursor: nullable(Type.String({ description: 'Leads to the next page; null on the last one.' })),
  },
  { title: 'Pagination', examples: [{ page: 1, per_page: 20, total: 1, pages: 1, next_cursor: null }] },
)

export const paginationView = (listing: ListRequest, slice: ListPage<unknown>) => ({
  page: listing.page,
  per_page: listing.perPage,
  total: slice.total,
  ...(slice.total === null && { total_at_least: maxCountedRows }),
  pages: slice.total === null ? null : Math.ceil(slice.total / listing.perPage),
  next_cursor: slice.nextCursor,
})

/** An id as a filter, as decimal digits. */
export const idFilter = (description: string) => Type.Optional({ ...idText, description } as typeof idText)
