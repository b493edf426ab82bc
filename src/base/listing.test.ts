import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import type { Reader } from './db.ts'
import { type ListQuery, sliceOf } from './listing.ts'

const { db } = (await openPlatform()).app.shops.test

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

/** A reader that counts how often somebody counts. */
function counting(): { read: Reader; counted(): number } {
  const read = db.read()
  let counts = 0
  const one: Reader['one'] = (sql, values) => {
    counts++
    return read.one(sql, values)
  }
  return { read: { ...read, one }, counted: () => counts }
}

test('every page tells the same total, whatever its length: the first, the last, and one beyond the end', async () => {
  for (const perPage of [1, 5, 6, 10, 24, 25, 26, 100])
    for (const page of [1, 2, 3, 25, 26]) {
      const { rows, total } = await sliceOf<{ id: number }>(db.read(), numbers(25), {
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

test('cursors walk a list whole, down and up, and know its total', async () => {
  for (const sort of ['id', '-id'])
    for (const perPage of [1, 7, 25]) {
      const walked: number[] = []
      for (let cursor: string | undefined; ;) {
        const slice = await sliceOf<{ id: number }>(db.read(), numbers(25), {
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

test('a list that fits its page is not counted; one that only grows is counted to its limit once', async () => {
  const short = counting()
  await sliceOf(short.read, numbers(3), listing)
  equal(short.counted(), 0)
  const long = counting()
  for (const _ of [1, 2, 3])
    equal((await sliceOf(long.read, numbers(60, { mostCounted: 50, onlyGrows: true }), listing)).total, 50)
  equal(long.counted(), 1)
  const growing = counting()
  for (const count of [30, 40]) {
    const query = numbers(count, { mostCounted: 50, onlyGrows: true })
    equal((await sliceOf(growing.read, query, listing)).total, count)
  }
  equal(growing.counted(), 2)
})
