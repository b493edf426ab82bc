import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'

const shop = await openPlatform()

const made = async (path: string, body: object): Promise<string> => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return (Object.values(reply.body.data)[0] as { id: string }).id
}
const partner = await made('partners', { slug: 'texno', name: 'Texno' })
const brand = await made('brands', { slug: 'aurora', name: 'Aurora' })

/** Two categories with a product each, whose names match the same words alike. */
async function product(category: string, name: string): Promise<{ id: string; offer: string }> {
  const categoryId = await made('categories', { slug: category, name: { en: category } })
  const id = await made('products', {
    slug: `aurora-${category}`,
    category_id: categoryId,
    brand_id: brand,
    name: { en: name },
  })
  const offer = await made('offers', {
    product_id: id,
    partner_id: partner,
    price_tiyin: 100_000,
    quantity: 5,
  })
  return { id, offer }
}
const lamp = await product('lamps', 'Aurora X1 lamp')
const kettle = await product('kettles', 'Aurora X1 kettle')

interface Suggested {
  kind: string
  text: string
  id: string | null
  slug: string | null
}

const suggested = async (path: string): Promise<Suggested[]> => {
  const reply = await shop.call('GET', path)
  equal(reply.status, 200, reply.text)
  return reply.body.data.suggestions
}
const products = (them: Suggested[]) => them.filter((it) => it.kind === 'product').map((it) => it.id)

test('typing suggests phrases, categories, brands and products', async () => {
  const found = await suggested('/v1/catalog/products/suggest?q=auro')
  deepEqual(
    found.find((it) => it.kind === 'brand'),
    { kind: 'brand', text: 'Aurora', id: brand, slug: 'aurora' },
  )
  deepEqual(
    found.find((it) => it.kind === 'product'),
    { kind: 'product', text: 'Aurora X1 lamp', id: lamp.id, slug: 'aurora-lamps' },
  )
  equal(found[0]!.kind, 'phrase')
  equal((await suggested('/v1/catalog/products/suggest?q=kett'))[0]!.text, 'kettle')
  equal((await suggested('/v1/catalog/products/suggest?q=auro&limit=1')).length, 1)
})

test('of products that match alike, those of the buyer’s categories come first', async () => {
  const path = '/v1/recommendations/suggestions?q=aurora&user_id='
  deepEqual(products(await suggested(`${path}buyer-1`)), [lamp.id, kettle.id])
  const interactions = [{ user_id: 'buyer-1', offer_id: kettle.offer, kind: 'click' }]
  const reported = await shop.call('POST', '/v1/interactions', { body: { interactions } })
  equal(reported.status, 200, reported.text)
  deepEqual(products(await suggested(`${path}buyer-1`)), [kettle.id, lamp.id])
  deepEqual(products(await suggested(`${path}buyer-2`)), [lamp.id, kettle.id])
  // Taste never beats the words.
  deepEqual(products(await suggested('/v1/recommendations/suggestions?q=aurora+lamp&user_id=buyer-1')), [
    lamp.id,
  ])
})
