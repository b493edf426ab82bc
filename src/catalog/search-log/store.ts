import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'

export interface LoggedSearch {
  id: string
  query: string
  searches: number
  /** How many products the last search found. */
  results: number
  lastAt: Date
}

/** An interaction that a search led to. */
export interface SearchInteraction {
  searchId: string
  offer: string
  kind: string
  at: Date
}

export interface QuerySummary extends LoggedSearch {
  interactions: number
  purchases: number
}

/** Rows are locked in the order of their ids, so that two processes never deadlock. */
export const addSearches = (tx: Tx, searches: readonly LoggedSearch[]): Promise<unknown> =>
  tx.all(
    `insert into catalog_search_queries as known (id, query, searches, results, last_at)
     select * from unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[], $5::timestamptz[]) order by 1
     on conflict (id) do update set searches = known.searches + excluded.searches, results = excluded.results,
       last_at = greatest(known.last_at, excluded.last_at)`,
    [
      searches.map((it) => it.id),
      searches.map((it) => it.query),
      searches.map((it) => it.searches),
      searches.map((it) => it.results),
      searches.map((it) => it.lastAt),
    ],
  )

/** Counts interactions by query, day, offer and kind. The query may be saved later than its first interaction. */
export const addSearchInteractions = (tx: Tx, them: readonly SearchInteraction[]): Promise<unknown> =>
  tx.all(
    `insert into catalog_search_interactions as known (search_id, day, offer, kind, count)
     select given.search_id, given.at::date, given.offer, given.kind, count(*)
     from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[]) as given (search_id, at, offer, kind)
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
     on conflict (search_id, day, offer, kind) do update set count = known.count + excluded.count`,
    [
      them.map((it) => it.searchId),
      them.map((it) => it.at),
      them.map((it) => it.offer),
      them.map((it) => it.kind),
    ],
  )

const summaries = `(select id::text as id, query, searches, results, last_at,
    coalesce((select sum(count) from catalog_search_interactions where search_id = id), 0)::int8 as interactions,
    coalesce((select sum(count) from catalog_search_interactions where search_id = id and kind = 'purchase'), 0)::int8
      as purchases
  from catalog_search_queries) as summary`

export const listQueries = (
  read: Reader,
  listing: ListRequest,
  { withoutResults }: { withoutResults: boolean },
): Promise<ListPage<QuerySummary>> =>
  loadPage<QuerySummary>(
    read,
    {
      columns: 'id, query, searches, results, last_at as "lastAt", interactions, purchases',
      from: summaries,
      where: withoutResults ? ['results = 0'] : [],
      values: [],
      sorts: {
        searches: { by: 'searches', type: 'int8' },
        last_at: { by: 'last_at', type: 'timestamptz' },
      },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )

export const expiredQueries = `delete from catalog_search_queries where id in (
  select id from catalog_search_queries where last_at < $1 order by last_at limit $2) returning 1`

export const expiredInteractions = `delete from catalog_search_interactions where (search_id, day, offer, kind) in (
  select search_id, day, offer, kind from catalog_search_interactions where day < $1::timestamptz::date limit $2)
  returning 1`

export const interactionsWithoutQuery = `delete from catalog_search_interactions where (search_id, day, offer, kind) in (
  select search_id, day, offer, kind from catalog_search_interactions hit where day < $1::timestamptz::date
    and not exists (select 1 from catalog_search_queries where id = hit.search_id) limit $2)
  returning 1`

/** The oldest queries above a number. */
export const deleteBeyond = async (tx: Tx, max: number, limit: number): Promise<number> =>
  (
    await tx.all(
      `delete from catalog_search_queries where id in (
         select id from catalog_search_queries order by last_at
         limit least($2, greatest(0, (select count(*) from catalog_search_queries) - $1))) returning 1`,
      [max, limit],
    )
  ).length
