// What buyers search for, for operators; and the job that purges it.

import { Type } from 'typebox'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job } from '../../base/jobs.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, type Route } from '../../http/route.ts'
import { instant, integer, list, uuid } from '../../http/schema.ts'
import {
  deleteBeyond,
  expiredInteractions,
  expiredQueries,
  interactionsWithoutQuery,
  listQueries,
} from './store.ts'

const keepDays = 90
/** How long an interaction waits for its query to be saved. */
const orphanDays = 1
const maxQueries = 200_000
const batchRows = 1_000

const count = integer(0, Number.MAX_SAFE_INTEGER)
const query = Type.Object({
  search_id: uuid,
  query: Type.String({ examples: ['чайник'] }),
  searches: count,
  results: integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'How many products the last search found.',
  }),
  interactions: count,
  purchases: count,
  last_at: instant,
})

export const searchLogRoutes: Route[] = [
  get('/v1/admin/search/queries', {
    summary: 'List what buyers search for',
    description: `Queries of the last ${keepDays} days, without who searched, with the interactions that carried their \`search_id\`. Replies from the cache are not counted as searches. \`without_results=true\` lists what is searched for and not found.`,
    scope: 'admin:read',
    mayLag: true,
    query: listQuery(
      ['searches', 'last_at'],
      { without_results: Type.Optional(Type.Boolean()) },
      '-searches',
    ),
    reply: Type.Object({ queries: list(query, 100), pagination }),
    run: async ({ read, query: asked }) => {
      const listing = listingOf(asked, '-searches')
      const page = await listQueries(read, listing, { withoutResults: asked.without_results === true })
      return {
        data: {
          queries: page.rows.map((it) => ({
            search_id: it.id,
            query: it.query,
            searches: it.searches,
            results: it.results,
            interactions: it.interactions,
            purchases: it.purchases,
            last_at: it.lastAt.toISOString(),
          })),
          pagination: paginationView(listing, page),
        },
      }
    },
  }),
]

export const purgeSearches: Job = {
  name: 'purge-searches',
  cron: '0 40 4 * * ?',
  isPurge: true,
  description: `Deletes queries and their interactions after ${keepDays} days, and the oldest above ${maxQueries} queries.`,
  run: async (job) => {
    const interactions = await deleteInBatches(job, { days: keepDays, sql: expiredInteractions })
    const queries = await deleteInBatches(job, { days: keepDays, sql: expiredQueries })
    let beyond = 0
    for (let deleted = batchRows; deleted === batchRows; beyond += deleted)
      deleted = await job.transaction((tx) => deleteBeyond(tx, maxQueries, batchRows))
    const orphans = await deleteInBatches(job, { days: orphanDays, sql: interactionsWithoutQuery })
    return `deleted ${queries + beyond} queries and ${interactions + orphans} rows of interactions`
  },
}
