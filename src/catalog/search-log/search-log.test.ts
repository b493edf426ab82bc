import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { loggedQuery, searchIdOf } from './search-query.ts'

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
