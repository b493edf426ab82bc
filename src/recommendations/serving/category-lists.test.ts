import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitFor } from '../../../test/support/wait-until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)

const categories = {
  electronics: 10,
  phones: 11,
  cases: 12,
  chargers: 13,
  books: 20,
  novels: 21,
  atlases: 22,
}
const parents = { phones: 10, cases: 10, chargers: 10, novels: 20, atlases: 20 } as const
const perCategory = 12
for (const [slug, id] of Object.entries(categories))
  await stock.load('category', {
    id,
    slug: `new-${slug}`,
    name: { ru: slug },
    parent_id: parents[slug as keyof typeof parents] ?? null,
  })
/** Offers 1101 … 1112 are phones, 1201 … 1212 cases, and so on; each dearer by a third than the one before it. */
for (const category of new Set(Object.keys(parents).map((it) => categories[it as keyof typeof categories])))
  for (let at = 1; at <= perCategory; at++) {
    const id = category * 100 + at
    const partnerId = 1 + (at % 2)
    await stock.load('product', {
      id,
      category_id: category,
      slug: `new-${id}`,
      name: { ru: `Новинка ${id}` },
    })
    await stock.offer({ id, productId: id, partnerId, price: 1_000 * (4 / 3) ** at })
  }

const ask = async (body: object): Promise<number[]> => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'ios', user_id: 'someone', ...body },
  })
  equal(reply.status, 200, reply.text)
  return reply.body.offers.map((it: { offer_id: string }) => Number(it.offer_id))
}
const categoryOf = (id: number) => (id < 100 ? 1 + (id % 2) : Math.floor(id / 100))
const pageOf = (id: number) => ask({ from_layer: 'offer_page', offer_ids: [String(id)] })
const cartOf = (id: number) => ask({ from_layer: 'cart_page', offer_ids: [String(id)] })

test('without a model, the page of a product shows its category, similar prices first, then the category above', async () => {
  const shown = await pageOf(1106)
  deepEqual(shown.slice(0, 2).toSorted(), [1105, 1107])
  deepEqual(new Set(shown.slice(0, 11).map(categoryOf)), new Set([categories.phones]))
  ok(shown.slice(11, 20).every((it) => [categories.cases, categories.chargers].includes(categoryOf(it))))
})

test('without a model, the cart shows the categories beside those of its products', async () => {
  const shown = (await cartOf(1106)).slice(0, 8).map(categoryOf)
  deepEqual(new Set(shown), new Set([categories.cases, categories.chargers]))
  deepEqual(new Set((await cartOf(2101)).slice(0, 8).map(categoryOf)), new Set([categories.atlases]))
})

test('without a model, an unknown buyer sees every category, and a known one their own first', async () => {
  const unknown = (await ask({})).map(categoryOf)
  equal(new Set(unknown.slice(0, 7)).size, 7)
  const view = { user_id: 'reader', offer_id: '2103', kind: 'view' }
  equal((await shop.call('POST', '/v1/interactions', { body: { interactions: [view] } })).status, 200)
  const known = await waitFor(async () => {
    const shown = (await ask({ user_id: 'reader' })).map(categoryOf)
    return shown[0] === categories.novels ? shown : undefined
  })
  deepEqual([known[0], known[2], known[4]], [categories.novels, categories.novels, categories.novels])
  ok(new Set(known).size >= 6)
})

test('the page of a product newer than the model shows its category', async () => {
  await addGroupInteractions(db)
  equal((await train(db)).outcome, 'activated')
  await stock.load('category', { id: 30, slug: 'tents', name: { ru: 'Палатки' } })
  for (let id = 3001; id <= 3006; id++) {
    await stock.load('product', { id, category_id: 30, slug: `tent-${id}`, name: { ru: `Палатка ${id}` } })
    await stock.offer({ id, productId: id })
  }
  await waitFor(async () => {
    const shown = await pageOf(3001)
    return shown.length === 30 && shown.some((it) => it <= 80) ? shown : undefined
  })
  deepEqual((await pageOf(3001)).slice(0, 5).toSorted(), [3002, 3003, 3004, 3005, 3006])
  ok((await cartOf(3001)).every((it) => categoryOf(it) !== 30))
})
