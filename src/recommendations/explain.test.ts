import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { liveInCircles, stockCircles, train, trainAndServe } from '../../test/support/behaviour.ts'
import { refusedWith } from '../../test/support/refused.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { until } from '../../test/support/until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockCircles(stock)
await liveInCircles(db)
await trainAndServe(shop)

interface Offer {
  position: number
  offer_id: string
  name: string | null
  way: 'candidate' | 'trial' | 'filling'
  why: string
  sources: { source: string; score: number }[]
  rank_before: number | null
}

const explain = async (body: object) => await shop.call('POST', '/v1/recommendations/explain', { body })
const explained = async (body: object) => {
  const reply = await explain(body)
  equal(reply.status, 200, reply.text)
  return reply.body.data as {
    source: string
    model_id: string | null
    is_same: boolean | null
    offers: Offer[]
    removed: { product_id: string; rule: string }[]
  }
}
const ask = async (body: object) => {
  for (;;) {
    const reply = await shop.call('POST', '/offers/recommended/v3', {
      body: { from_layer: 'main_page', from_app: 'ios', ...body },
    })
    // A busy machine may answer before it knows who asks, and says so.
    if (reply.body.source !== 'recommendation_service')
      return {
        id: reply.headers.get('x-recommendation-id')!,
        source: reply.body.source as string,
        offers: (reply.body.offers as Offer[]).map((it) => it.offer_id),
      }
  }
}
const isWritten = (id: string) => until(async () => (await explain({ recommendation_id: id })).status === 200)
const whyIsTold = ({ way, why, sources, rank_before }: Offer) =>
  why.length > 0 && (way !== 'candidate' || (sources.length > 0 && rank_before !== null))

test('of every offer of a list it is told why it stands there, and of others why they do not', async () => {
  const { offers, removed } = await explained({ user_id: 'first-0', offer_ids: ['3'] })
  equal(offers.length, 30)
  ok(offers.every(whyIsTold), JSON.stringify(offers.find((it) => !whyIsTold(it))))
  ok(offers.some((it) => it.way === 'candidate'))
  deepEqual(
    removed.find((it) => it.product_id === '3'),
    { product_id: '3', rule: 'on_the_page' },
  )
})

test('what only fills a list, and what is new, is said to be so', async () => {
  await stock.load('product', { id: 500, category_id: 1, slug: 'new-thing', name: { ru: 'Новинка' } })
  await stock.offer({ id: 500, productId: 500, price: 5 })
  await until(async () =>
    (await explained({ user_id: 'first-0', category_id: 1 })).offers.some(
      (it) => it.offer_id === '500' && it.way === 'trial',
    ),
  )
  const { offers, source } = await explained({ user_id: 'nobody-at-all' })
  equal(source, 'recommendation_service')
  ok(offers.every(whyIsTold))
  ok(offers.every((it) => it.way !== 'candidate' || it.why.startsWith('It is sought after')))
})

test('an offer is called by the name that it has, in whichever language', async () => {
  await stock.load('product', { id: 501, category_id: 1, slug: 'uzbek-thing', name: { uz: 'Yangi buyum' } })
  await stock.offer({ id: 501, productId: 501, price: 5 })
  const named = async () =>
    (await explained({ user_id: 'first-0', category_id: 1 })).offers.find((it) => it.offer_id === '501')?.name
  await until(async () => (await named()) !== undefined)
  equal(await named(), 'Yangi buyum')
})

test('a list that was shown is explained by its id, as it was', async () => {
  const shown = await ask({ user_id: 'first-2' })
  await isWritten(shown.id)
  const before = await explained({ recommendation_id: shown.id })
  deepEqual(
    before.offers.map((it) => it.offer_id),
    shown.offers,
  )
  equal(before.source, shown.source)
  equal(before.is_same, true)
  ok(before.offers.every(whyIsTold))

  // The buyer goes on, something is sold out, and another model serves: the list of then stays as it was.
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'first-2', offer_id: '60', kind: 'purchase' }] },
  })
  const first = Number(shown.offers[0])
  await stock.offer({ id: first, productId: first, partnerId: 1 + (first % 2), price: 1, quantity: 0 })
  await train(db)
  const after = await explained({ recommendation_id: shown.id })
  deepEqual(after.offers, before.offers)
  deepEqual([after.model_id, after.is_same], ['1', true])
})

test('a list whose model is gone is shown with the ranks that were written down', async () => {
  const shown = await ask({ user_id: 'second-3' })
  await isWritten(shown.id)
  await db.transaction((tx) =>
    tx.all(`update recommendations_lists set model_id = 999 where id = $1`, [shown.id]),
  )
  const { offers } = await explained({ recommendation_id: shown.id })
  deepEqual(
    offers.map((it) => it.offer_id),
    shown.offers,
  )
  ok(offers.filter((it) => it.way === 'candidate').every((it) => it.rank_before !== null))
})

test('an id that names no list is not found, and one beside a question is refused', async () => {
  const id = '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'
  refusedWith('not_found', await explain({ recommendation_id: id }))
  refusedWith('not_found', await explain({ recommendation_id: id.replace('-7', '-4') }))
  refusedWith('validation_failed', await explain({ recommendation_id: id, user_id: '1' }))
})

test('explaining writes nothing: neither a row nor an entry in the log of changes', async () => {
  const count = async () =>
    (await db.read().one<{ count: number }>(`select count(*) as count from outbox_events`)).count
  const before = await count()
  const { total } = (await shop.call('GET', '/v1/admin/audit-log')).body.data.pagination
  await explained({ user_id: 'first-4' })
  equal(await count(), before)
  equal((await shop.call('GET', '/v1/admin/audit-log')).body.data.pagination.total, total)
})
