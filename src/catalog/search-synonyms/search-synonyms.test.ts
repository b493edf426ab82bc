import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'

const shop = await openPlatform()

const made = async (path: string, body: object): Promise<number> => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return Number((Object.values(reply.body.data)[0] as { id: string }).id)
}
const categoryId = await made('categories', { slug: 'bicycles', name: { ru: 'Велосипеды', en: 'Bicycles' } })
const brandId = await made('brands', { slug: 'giant', name: 'Giant' })
await made('products', {
  category_id: categoryId,
  brand_id: String(brandId),
  slug: 'giant-talon',
  name: { ru: 'Горный велосипед Giant Talon', en: 'Giant Talon mountain bike' },
})

const search = async (q: string, more = '') => {
  const reply = await shop.call('GET', `/v1/catalog/products/search?q=${encodeURIComponent(q)}${more}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}
const put = (text: string) => shop.call('PUT', '/v1/admin/search/synonyms', { body: { text } })

test('the next search uses new synonyms of the shop, beside the curated ones', async () => {
  equal((await search('скакун')).products.length, 0)
  const saved = await put('# our words\nскакун, велосипед')
  equal(saved.status, 200, saved.text)
  equal((await search('скакун')).products.length, 1)
  equal((await search('велик')).products.length, 1)
  const read = await shop.call('GET', '/v1/admin/search/synonyms')
  deepEqual(read.body.data.synonyms.text, '# our words\nскакун, велосипед')
})

test('synonyms with a cycle or a contradiction are refused with the line, and the old ones stay', async () => {
  const before = await shop.call('GET', '/v1/admin/search/synonyms')
  for (const [text, place] of [
    ['a, b\nскакун > конь\nконь > скакун', /строка 2/],
    ['a, b\na > b', /строка 2, 1/],
    ['один', /строке 1/],
  ] as const) {
    const refused = await put(text)
    equal(refused.status, 422, refused.text)
    match(refused.text, place)
  }
  deepEqual((await shop.call('GET', '/v1/admin/search/synonyms')).body.data, before.body.data)
})

test('a reply says what was corrected and left out, and explains the steps', async () => {
  const corrected = await search('велосепед', '&explain=true')
  equal(corrected.corrected, 'велосипед')
  equal(corrected.did_you_mean, 'велосипед')
  deepEqual(corrected.explanation[0], { step: 'typo', from: 'велосепед', to: 'велосипед' })
  equal((await search('велосепед', '&exact=true')).products.length, 0)
  const relaxed = await search('красный велосипед')
  deepEqual([relaxed.relaxed, relaxed.left_out, relaxed.explanation], [true, ['красный'], null])
  equal((await search('велосипед')).relaxed, false)
})

test('a search that finds nothing offers categories and popular products', async () => {
  const { products, alternatives } = await search('корм для кошек')
  deepEqual(products, [])
  deepEqual(
    alternatives.categories.map((it: { slug: string }) => it.slug),
    ['bicycles'],
  )
  equal((await search('велосипед')).alternatives, null)
})
