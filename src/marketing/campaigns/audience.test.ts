// Every condition on real tables: which clients meet it, which do not, and that `not` negates it.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openCampaigns } from '../../../test/support/campaigns.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { candidatesAfter, matchingAmong, type Clause } from './audience.ts'
import { previewAudience } from './preview-campaign.ts'

const shop = await openPlatform()
const setup = await openCampaigns(shop)
const { addToWishlist } = openWishlists(shop)
const { call } = shop
const { db } = shop.app.shops.test

type Reader = { ClientId: number }

/** Which of these clients are in the audience, found in small pages. */
async function meant(audience: Clause[], readers: Reader[]): Promise<number[]> {
  const [campaign, limit] = [{ channel: 'email', audience } as const, 3]
  const found = new Set<number>()
  for (let after = 0, isLast = false; !isLast;) {
    const candidates = await candidatesAfter(db.read(), campaign, { after, limit })
    for (const it of await matchingAmong(db.read(), campaign, candidates)) found.add(it)
    after = candidates.at(-1) ?? after
    isLast = candidates.length < limit
  }
  return readers.map((it) => it.ClientId).filter((it) => found.has(it))
}

async function holds(clause: Clause, { met, unmet }: Record<'met' | 'unmet', Reader[]>) {
  const all = [...met, ...unmet]
  const named: Clause = { clients: { ids: all.map((it) => String(it.ClientId)) } }
  const ids = (them: Reader[]) => them.map((it) => it.ClientId)
  deepEqual(await meant([named, clause], all), ids(met), `with ${JSON.stringify(clause)}`)
  deepEqual(await meant([named, { not: clause }], all), ids(unmet), `without ${JSON.stringify(clause)}`)
  // Candidates from the source of the condition itself, if it has one, give the same result.
  deepEqual(await meant([clause], all), ids(met), `alone ${JSON.stringify(clause)}`)
}

async function buying(reader: Reader, offer: number, more: object = {}): Promise<void> {
  await setup.put(reader, offer)
  await setup.ordered(reader, more)
}

test('addresses only clients who consented', async () => {
  const [yes, no, withdrew] = [
    await setup.reader(),
    await setup.reader({ consents: false }),
    await setup.reader(),
  ]
  await setup.withdraw(withdrew.ClientId)
  deepEqual(await meant([], [yes, no, withdrew]), [yes.ClientId])
  const ids = [yes, no, withdrew].map((it) => String(it.ClientId))
  deepEqual(await meant([{ clients: { ids } }], [yes, no, withdrew]), [yes.ClientId])
  deepEqual((await previewAudience(db.read(), { channel: 'sms', audience: [] })).size, 0)
})

test('uses the chosen language, or else the default', async () => {
  const [uz, ru, none] = [
    await setup.reader({ language: 'uz' }),
    await setup.reader({ language: 'ru' }),
    await setup.reader(),
  ]
  await holds({ language: { is: ['uz'] } }, { met: [uz], unmet: [ru, none] })
  await holds({ language: { is: ['ru', 'en'] } }, { met: [ru, none], unmet: [uz] })
})

test('counts and sums orders without cancelled ones', async () => {
  const offer = await setup.stock.offer({ price: 10_000 })
  const [two, one, none] = [await setup.reader(), await setup.reader(), await setup.reader()]
  for (const it of [two, two, one]) await buying(it, offer)
  await buying(none, offer)
  const [mine] = (await call('GET', `/v1/orders?customer_id=${none.ClientId}`)).body.data.orders
  await setup.act(mine.id, 'cancel', { reason: 'changed my mind' })
  await holds({ ordered: { times: 1, days: 30 } }, { met: [two, one], unmet: [none] })
  await holds({ ordered: { times: 2, days: 30 } }, { met: [two], unmet: [one, none] })
  await holds({ spent: { tiyin: 2_000_000, days: 30 } }, { met: [two], unmet: [one, none] })
  await holds({ spent: { tiyin: 1_000_000, days: 30 } }, { met: [two, one], unmet: [none] })
})

test('matches purchases by product, category with subcategories, brand and partner', async () => {
  const { stock } = setup
  await stock.load('category', { id: 50, slug: 'audio', name: { ru: 'Аудио' } })
  await stock.load('category', { id: 51, parent_id: 50, slug: 'headphones', name: { ru: 'Наушники' } })
  await stock.load('brand', { id: 60, slug: 'artel', name: 'Artel' })
  await stock.load('product', {
    id: 5_000,
    category_id: 51,
    brand_id: 60,
    slug: 'h1',
    name: { ru: 'Наушники' },
  })
  const headphones = await stock.offer({ productId: 5_000, partnerId: 2 })
  const other = await stock.offer()
  const [both, first, second] = [await setup.reader(), await setup.reader(), await setup.reader()]
  for (const it of [both, first]) await buying(it, headphones)
  for (const it of [both, second]) await buying(it, other)
  for (const what of [
    { product: '5000' },
    { category: '50' },
    { category: '51' },
    { brand: '60' },
    { partner: '2' },
  ])
    await holds({ bought: { ...what, days: 30 } }, { met: [both, first], unmet: [second] })
  const notThat: Clause[] = [
    { bought: { category: '50', days: 30 } },
    { not: { bought: { product: String(other), days: 30 } } },
  ]
  deepEqual(await meant(notThat, [both, first, second]), [first.ClientId])
})

test('matches a region by words of a delivery address', async () => {
  const offer = await setup.stock.offer()
  const [north, south] = [await setup.reader(), await setup.reader()]
  await buying(north, offer, { DeliveryAddress: 'Тошкент, Юнусобод' })
  await buying(south, offer, { DeliveryAddress: 'Samarqand, Registon 5 % off_' })
  await holds({ sent_to: { words: 'samarqand', days: 30 } }, { met: [south], unmet: [north] })
  await holds({ sent_to: { words: 'юнусобод', days: 30 } }, { met: [north], unmet: [south] })
  await holds({ sent_to: { words: '5 % off_', days: 30 } }, { met: [south], unmet: [north] })
})

test('matches wishlist items that got cheaper or are available again', async () => {
  const [cheaper, same, gone, back] = await Promise.all([
    setup.stock.offer({ price: 1_000 }),
    setup.stock.offer({ price: 1_000 }),
    setup.stock.offer({ price: 1_000 }),
    setup.stock.offer({ price: 1_000 }),
  ])
  const readers = [
    await setup.reader(),
    await setup.reader(),
    await setup.reader(),
    await setup.reader(),
  ] as const
  for (const [at, OfferId] of [cheaper, same, gone, back].entries())
    equal((await addToWishlist(readers[at]!, OfferId)).status, 200)
  const stocked = (id: number, more: object) =>
    setup.stock.offer({ id, productId: id, price: 1_000, ...more })
  await stocked(cheaper, { price: 900 })
  await stocked(gone, { price: 500, quantity: 0 })
  await stocked(back, { quantity: 0 })
  const [first, second, third, fourth] = readers
  await holds({ wishlist_cheaper: { percent: 10 } }, { met: [first], unmet: [second, third, fourth] })
  await holds({ wishlist_cheaper: { percent: 11 } }, { met: [], unmet: [...readers] })
  // The job marks offers that sold out while on a wishlist; the audience matches when they are back.
  await shop.app.shops.test.jobs.runNow('mark-unavailable-wishlist-items')
  await holds({ wishlist_back_in_stock: {} }, { met: [], unmet: [...readers] })
  await stocked(back, { quantity: 5 })
  await holds({ wishlist_back_in_stock: {} }, { met: [fourth], unmet: [first, second, third] })
})

test('a client who orders, changes a cart or wishlist, signs in or views products is active', async () => {
  const offer = await setup.stock.offer()
  const readers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => setup.reader()))
  const [bought, carted, wishlisted, looked, signedIn, nothing] = readers as [Reader, ...Reader[]]
  const before = new Date(db.clock.now().getTime() - 1_000).toISOString()
  await buying(bought, offer)
  await setup.put(carted!, offer)
  await addToWishlist(wishlisted!, offer)
  const reported = await call('POST', '/v1/interactions', {
    body: {
      interactions: [
        { user_id: String(looked!.ClientId), offer_id: String(offer), kind: 'view', at: before },
      ],
    },
  })
  equal(Math.floor(reported.status / 100), 2, reported.text)
  await db.transaction((tx) =>
    tx.all(
      `insert into identity_sessions (id, hash, client_id, user_agent, network, created_at, last_used_at)
       values ('s1', 'x', $1, '', '', $2, $2)`,
      [signedIn!.ClientId, tx.now],
    ),
  )
  await setup.settle()
  const active = [bought, carted!, wishlisted!, looked!, signedIn!]
  await holds({ inactive: { days: 1 } }, { met: [nothing!], unmet: active })
  await setup.advance('P2D')
  await holds({ inactive: { days: 1 } }, { met: readers, unmet: [] })
})

test('a cart is abandoned when it is not empty and unchanged for the duration', async () => {
  const [left, touched, emptied] = [await setup.reader(), await setup.reader(), await setup.reader()]
  const [offer, other] = [await setup.stock.offer(), await setup.stock.offer()]
  for (const it of [left, touched, emptied]) await setup.put(it, offer)
  await setup.remove(emptied, offer)
  await setup.advance('PT4H')
  await setup.put(touched, other)
  await holds({ cart_abandoned: { hours: 4 } }, { met: [left], unmet: [touched, emptied] })
  await holds({ cart_abandoned: { days: 1 } }, { met: [], unmet: [left, touched, emptied] })
})
