import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'

const shop = await openPlatform()

const made = async (path: string, body: object): Promise<string> => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return (Object.values(reply.body.data)[0] as { id: string }).id
}
const bicycles = await made('categories', { slug: 'bicycles', name: { ru: 'Велосипеды', en: 'Bicycles' } })
const giant = await made('brands', { slug: 'giant', name: 'Giant' })
const talon = await made('products', {
  category_id: bicycles,
  brand_id: giant,
  slug: 'talon',
  name: { ru: 'Горный велосипед Giant Talon', en: 'Giant Talon mountain bike' },
})
const cube = await made('products', {
  category_id: bicycles,
  slug: 'cube',
  name: { ru: 'Горный велосипед Cube', en: 'Cube mountain bike' },
})

const preview = async (q: string, more = '') => {
  const reply = await shop.call('GET', `/v1/admin/search/preview?q=${encodeURIComponent(q)}${more}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}

test('a preview names the steps, the units and, for each product, words, fields and points', async () => {
  const { corrected, steps, units, results, total } = await preview('велосепед giant')
  equal(corrected, 'велосипед giant')
  deepEqual(steps[0], { step: 'typo', from: 'велосепед', to: 'велосипед' })
  deepEqual(
    units.map((it: Record<string, unknown>) => [it['typed'], it['searched'], it['role'], it['required']]),
    [
      ['велосепед', 'велосипед', 'thing', true],
      ['giant', 'giant', 'brand', false],
    ],
  )
  equal(total, 1)
  const [first] = results
  equal(first.product.id, talon)
  deepEqual(
    first.matches.map((it: Record<string, unknown>) => [it['typed'], it['found'], it['kind'], it['field']]),
    [
      ['велосепед', 'велосипед', 'word', 'head'],
      ['giant', 'giant', 'word', 'brand'],
    ],
  )
  deepEqual([first.availability, first.missing, first.place_before_learning], ['not_offered', [], 1])
})

test('the parts give the score, and the products are in the order of the search', async () => {
  const { results } = await preview('горный велосипед')
  const found = await shop.call(
    'GET',
    `/v1/catalog/products/search?q=${encodeURIComponent('горный велосипед')}`,
  )
  deepEqual(
    results.map((it: { product: { id: string } }) => it.product.id),
    found.body.data.products.map((it: { id: string }) => it.id),
  )
  deepEqual(new Set(results.map((it: { product: { id: string } }) => it.product.id)), new Set([talon, cube]))
  for (const it of results) {
    const points = it.matches.reduce((sum: number, one: { points: number }) => sum + one.points, 0)
    ok(Math.abs(points * it.accessory_factor - it.text_score) < 0.01)
    ok(Math.abs(it.text_score * it.boost_factor * it.predicted_factor - it.score) < 0.1)
  }
  ok(results[0].score >= results[1].score)
})

test('a word that no product has is left out and missing, and a synonym is named', async () => {
  const relaxed = await preview('красный велосипед')
  deepEqual(relaxed.left_out, ['красный'])
  deepEqual(relaxed.results[0].missing, ['красный'])
  equal(relaxed.units.find((it: { typed: string }) => it.typed === 'красный').left_out, true)
  const [first] = (await preview('велик')).results
  equal(first.matches[0].kind, 'synonym')
  equal((await preview('велосепед', '&exact=true')).total, 0)
})

test('a preview is not counted among the searches of buyers', async () => {
  await preview('предпросмотр')
  const { queries } = (await shop.call('GET', '/v1/admin/search/queries')).body.data
  ok(!queries.some((it: { query: string }) => it.query === 'предпросмотр'))
})
