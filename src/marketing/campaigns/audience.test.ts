// Every condition on real tables: who meets it, who does not, and that not turns it round.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openCampaigns } from '../../../test/support/campaigns.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { candidatesAfter, meantAmong } from './audience.ts'
import type { Clause } from './conditions.ts'
import { previewAudience } from './preview-campaign.ts'

const shop = await openPlatform()
const desk = await openCampaigns(shop)
const { wish } = openWishlists(shop)
const { call } = shop
const { db } = shop.app.shops.test

type Reader = { ClientId: number }

/** Who of some readers is meant, found in small pages. */
async function meant(audience: Clause[], readers: Reader[]): Promise<number[]> {
  const [campaign, limit] = [{ channel: 'email', audience } as const, 3]
  const found = new Set<number>()
  for (let after = 0, isLast = false; !isLast;) {
    const candidates = await candidatesAfter(db.read(), campaign, { after, limit })
    for (const it of await meantAmong(db.read(), campaign, candidates)) found.add(it)
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
  // Along its own walk, where there is one, it finds the same.
  deepEqual(await meant([clause], all), ids(met), `alone ${JSON.stringify(clause)}`)
}

async function buying(reader: Reader, offer: number, more: object = {}): Promise<void> {
  await desk.put(reader, offer)
  await desk.ordered(reader, more)
}

test('nobody is meant who has not agreed to be written to', async () => {
  const [yes, no, withdrew] = [
    await desk.reader(),
    await desk.reader({ consents: false }),
    await desk.reader(),
  ]
  await desk.withdraw(withdrew.ClientId)
  deepEqual(await meant([], [yes, no, withdrew]), [yes.ClientId])
  const ids = [yes, no, withdrew].map((it) => String(it.ClientId))
  deepEqual(await meant([{ clients: { ids } }], [yes, no, withdrew]), [yes.ClientId])
  deepEqual((await previewAudience(db.read(), { channel: 'sms', audience: [] })).size, 0)
})

test('a language is the chosen one, else the shop’s', async () => {
  const [uz, ru, none] = [
    await desk.reader({ language: 'uz' }),
    await desk.reader({ language: 'ru' }),
    await desk.reader(),
  ]
  await holds({ language: { is: ['uz'] } }, { met: [uz], unmet: [ru, none] })
  await holds({ language: { is: ['ru', 'en'] } }, { met: [ru, none], unmet: [uz] })
})

test('orders are counted and summed, and those that were cancelled are not', async () => {
  const offer = await desk.stock.offer({ price: 10_000 })
  const [two, one, none] = [await desk.reader(), await desk.reader(), await desk.reader()]
  for (const it of [two, two, one]) await buying(it, offer)
  await buying(none, offer)
  const [mine] = (await call('GET', `/v1/orders?customer_id=${none.ClientId}`)).body.data.orders
  await desk.act(mine.id, 'cancel', { reason: 'changed my mind' })
  await holds({ ordered: { times: 1, days: 30 } }, { met: [two, one], unmet: [none] })
  await holds({ ordered: { times: 2, days: 30 } }, { met: [two], unmet: [one, none] })
  await holds({ spent: { tiyin: 2_000_000, days: 30 } }, { met: [two], unmet: [one, none] })
  await holds({ spent: { tiyin: 1_000_000, days: 30 } }, { met: [two, one], unmet: [none] })
})

test('bought this, not that: by product, category and all below it, brand and partner', async () => {
  const { stock } = desk
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
  const [both, first, second] = [await desk.reader(), await desk.reader(), await desk.reader()]
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

test('a region is words of an address to which something was sent', async () => {
  const offer = await desk.stock.offer()
  const [north, south] = [await desk.reader(), await desk.reader()]
  await buying(north, offer, { DeliveryAddress: 'Тошкент, Юнусобод' })
  await buying(south, offer, { DeliveryAddress: 'Samarqand, Registon 5 % off_' })
  await holds({ sent_to: { words: 'samarqand', days: 30 } }, { met: [south], unmet: [north] })
  await holds({ sent_to: { words: 'юнусобод', days: 30 } }, { met: [north], unmet: [south] })
  await holds({ sent_to: { words: '5 % off_', days: 30 } }, { met: [south], unmet: [north] })
})

test('a wish that got cheaper, and one that can be had again', async () => {
  const [cheaper, same, gone, back] = await Promise.all([
    desk.stock.offer({ price: 1_000 }),
    desk.stock.offer({ price: 1_000 }),
    desk.stock.offer({ price: 1_000 }),
    desk.stock.offer({ price: 1_000 }),
  ])
  const readers = [
    await desk.reader(),
    await desk.reader(),
    await desk.reader(),
    await desk.reader(),
  ] as const
  for (const [at, OfferId] of [cheaper, same, gone, back].entries())
    equal((await wish(readers[at]!, OfferId)).status, 200)
  const stocked = (id: number, more: object) => desk.stock.offer({ id, productId: id, price: 1_000, ...more })
  await stocked(cheaper, { price: 900 })
  await stocked(gone, { price: 500, quantity: 0 })
  await stocked(back, { quantity: 0 })
  const [first, second, third, fourth] = readers
  await holds({ wish_cheaper: { percent: 10 } }, { met: [first], unmet: [second, third, fourth] })
  await holds({ wish_cheaper: { percent: 11 } }, { met: [], unmet: [...readers] })
  // What sold out after it was wished for is noted by the job, and told when it is back.
  await shop.app.shops.test.jobs.runNow('watch-wishes')
  await holds({ wish_back_in_stock: {} }, { met: [], unmet: [...readers] })
  await stocked(back, { quantity: 5 })
  await holds({ wish_back_in_stock: {} }, { met: [fourth], unmet: [first, second, third] })
})

test('whoever orders, fills a cart, wishes, signs in or looks around is not inactive', async () => {
  const offer = await desk.stock.offer()
  const readers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => desk.reader()))
  const [bought, carted, wished, looked, signedIn, nothing] = readers as [Reader, ...Reader[]]
  const before = new Date(db.clock.now().getTime() - 1_000).toISOString()
  await buying(bought, offer)
  await desk.put(carted!, offer)
  await wish(wished!, offer)
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
  await desk.settle()
  const active = [bought, carted!, wished!, looked!, signedIn!]
  await holds({ inactive: { days: 1 } }, { met: [nothing!], unmet: active })
  await desk.advance('P2D')
  await holds({ inactive: { days: 1 } }, { met: readers, unmet: [] })
})

test('a cart counts as left when it holds something and nobody has touched it for so long', async () => {
  const [left, touched, emptied] = [await desk.reader(), await desk.reader(), await desk.reader()]
  const [offer, other] = [await desk.stock.offer(), await desk.stock.offer()]
  for (const it of [left, touched, emptied]) await desk.put(it, offer)
  await desk.remove(emptied, offer)
  await desk.advance('PT4H')
  await desk.put(touched, other)
  await holds({ cart_abandoned: { hours: 4 } }, { met: [left], unmet: [touched, emptied] })
  await holds({ cart_abandoned: { days: 1 } }, { met: [], unmet: [left, touched, emptied] })
})
