import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { dayMs } from '../../base/clock.ts'
import { loggedQuery, searchIdOf } from './search-query.ts'
import { addSearches, addSearchInteractions } from './store.ts'

test('queries that may identify a person are not kept', () => {
  for (const text of ['', '   ', 'anna@shop.uz', '+998 90 123-45-67', '8600 1234', 'x'.repeat(101)])
    equal(loggedQuery(text), undefined, text)
  equal(loggedQuery('  Чайник  2,5 Л '), 'чайник 2,5 л')
  equal(loggedQuery('iphone 16 128'), 'iphone 16 128')
})

test('equal queries have equal ids', () => {
  equal(searchIdOf('чайник'), searchIdOf(loggedQuery('ЧАЙНИК ')!))
  notEqual(searchIdOf('чайник'), searchIdOf('чайники'))
})

test('searches are counted by query, with the interactions they led to, each once', async () => {
  const shop = await openPlatform()
  const search = async (q: string) => {
    const reply = await shop.call('GET', `/v1/catalog/products/search?q=${encodeURIComponent(q)}`)
    equal(reply.status, 200, reply.text)
    return reply.body.data.search_id as string | null
  }
  const id = await search('Скакун')
  equal(await search('anna@shop.uz'), null)
  const queries = async () => {
    const reply = await shop.call('GET', '/v1/admin/search/queries?without_results=true')
    equal(reply.status, 200, reply.text)
    return reply.body.data.queries as { query: string; interactions: number; purchases: number }[]
  }
  await waitUntil(async () => (await queries()).length === 1, { what: 'the search is counted' })
  const at = '2020-01-01T00:00:00.000Z'
  const interactions = [
    { user_id: 'a', offer_id: '1', kind: 'click', at, search_id: id },
    { user_id: 'a', offer_id: '1', kind: 'purchase', at, search_id: id },
    { user_id: 'b', offer_id: '1', kind: 'click', at, search_id: id },
    { user_id: 'b', offer_id: '2', kind: 'click', at, search_id: searchIdOf('not logged') },
  ]
  for (let time = 0; time < 2; time++) {
    const reply = await shop.call('POST', '/v1/interactions', { body: { interactions } })
    equal(reply.status, 200, reply.text)
  }
  deepEqual(
    (await queries()).map(({ query, interactions: all, purchases }) => [query, all, purchases]),
    [['скакун', 3, 1]],
  )
})

test('an interaction that arrives before its search is saved is counted; one whose search never comes is purged', async () => {
  const shop = await openPlatform()
  const { db } = shop.app.shops.test
  const [known, unknown] = [searchIdOf('чайник'), searchIdOf('not logged')]
  const at = new Date(Date.now() - 3 * dayMs)
  const report = [known, unknown].map((searchId) => ({ searchId, offer: '1', kind: 'click', at }))
  await db.transaction((tx) => addSearchInteractions(tx, report))
  const search = { id: known, query: 'чайник', searches: 1, results: 1, lastAt: new Date() }
  await db.transaction((tx) => addSearches(tx, [search]))
  const reply = await shop.call('GET', '/v1/admin/search/queries')
  deepEqual([reply.body.data.queries[0].query, reply.body.data.queries[0].interactions], ['чайник', 1])
  equal((await shop.call('POST', '/v1/admin/jobs/purge-searches/run')).status, 200)
  await waitUntil(
    async () => {
      const rows = await db
        .read()
        .all<{ id: string }>('select search_id as id from catalog_search_interactions')
      return rows.length === 1 && rows[0]!.id === known
    },
    { what: 'only the interaction of the known search is kept' },
  )
})

test('searches come in the order that the reference names as default', async () => {
  const shop = await openPlatform()
  const searches = ['чайник', 'утюг'].map((query, at) => ({
    id: searchIdOf(query),
    query,
    searches: 1 + at,
    results: 1,
    lastAt: new Date(),
  }))
  await shop.app.shops.test.db.transaction((tx) => addSearches(tx, searches))
  const path = '/v1/admin/search/queries'
  const route = shop.app.routes.find((it) => it.path === path)!
  const [, order] = /default `(-?\w+)`/.exec(JSON.stringify(route.declared.query))!
  const listed = async (query: string) => (await shop.call('GET', `${path}${query}`)).body.data.queries
  equal((await listed('')).length, 2)
  deepEqual(await listed(''), await listed(`?sort=${order}`))
})
