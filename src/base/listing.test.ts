import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import type { Reader } from './database.ts'
import { type ListQuery, loadPage } from './listing.ts'

const { app, call } = await openPlatform()
const { db } = app.shops.test

const numbers = (count: number, more: Partial<ListQuery> = {}): ListQuery => ({
  columns: 'row.id',
  from: `(select id from generate_series(1, ${count}) id) row`,
  where: [],
  values: [],
  sorts: { id: { by: 'row.id', type: 'int8' } },
  key: { by: 'row.id', type: 'int8' },
  ...more,
})

const listing = { page: 1, perPage: 10, sort: 'id', cursor: undefined }

/** A reader that records how often the total is counted. */
function counting(): { read: Reader; counted(): number } {
  const read = db.read()
  let counts = 0
  const one: Reader['one'] = (sql, values) => {
    counts++
    return read.one(sql, values)
  }
  return { read: { ...read, one }, counted: () => counts }
}

test('every page has the same total: the first, the last, and one beyond the end', async () => {
  for (const perPage of [1, 5, 6, 10, 24, 25, 26, 100])
    for (const page of [1, 2, 3, 25, 26]) {
      const { rows, total } = await loadPage<{ id: number }>(db.read(), numbers(25), {
        ...listing,
        page,
        perPage,
      })
      equal(total, 25, `${perPage} a page, page ${page}`)
      const first = (page - 1) * perPage + 1
      const expected = Array.from({ length: perPage }, (_, at) => first + at).filter((it) => it <= 25)
      deepEqual(
        rows.map((it) => it.id),
        expected,
      )
    }
})

test('cursors page through a whole list in both directions with its total', async () => {
  for (const sort of ['id', '-id'])
    for (const perPage of [1, 7, 25]) {
      const walked: number[] = []
      for (let cursor: string | undefined; ;) {
        const slice = await loadPage<{ id: number }>(db.read(), numbers(25), {
          ...listing,
          perPage,
          sort,
          cursor,
        })
        walked.push(...slice.rows.map((it) => it.id))
        equal(slice.total, 25)
        if (slice.nextCursor === null) break
        cursor = slice.nextCursor
      }
      const all = Array.from({ length: 25 }, (_, at) => at + 1)
      deepEqual(walked, sort === 'id' ? all : all.toReversed())
    }
})

test('a list that fits its page is not counted; a list above the limit of counting has no total and is counted once', async () => {
  const short = counting()
  await loadPage(short.read, numbers(3), listing)
  equal(short.counted(), 0)
  const long = counting()
  for (const _ of [1, 2, 3])
    equal(
      (await loadPage(long.read, numbers(60, { maxCounted: 50, isAppendOnly: true }), listing)).total,
      null,
    )
  equal(long.counted(), 1)
  const growing = counting()
  for (const count of [30, 40]) {
    const query = numbers(count, { maxCounted: 50, isAppendOnly: true })
    equal((await loadPage(growing.read, query, listing)).total, count)
  }
  equal(growing.counted(), 2)
})

test('the total of a list is exact up to 10 000 rows; above it, it is null and the reply says at least how many', async () => {
  const addBrands = (from: number, to: number) =>
    db.transaction((tx) =>
      tx.all(
        `insert into catalog_brands (slug, name, created_at, updated_at)
         select 'brand-' || n, 'Brand ' || n, now(), now() from generate_series($1::int, $2::int) n`,
        [from, to],
      ),
    )
  const pageOf = async (perPage: number) =>
    (await call('GET', `/v1/catalog/brands?per_page=${perPage}`)).body.data.pagination
  await addBrands(1, 10_000)
  const { next_cursor: _, ...exact } = await pageOf(10)
  deepEqual(exact, { page: 1, per_page: 10, total: 10_000, pages: 1_000 })
  await addBrands(10_001, 10_001)
  const { next_cursor, ...atLeast } = await pageOf(20)
  deepEqual(atLeast, { page: 1, per_page: 20, total: null, total_at_least: 10_000, pages: null })
  ok(next_cursor)
})
