import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  addGroupInteractions,
  stockTwoGroups,
  train,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await trainAndServe(shop)

interface Because {
  product_id: string
  name: string | null
  relation: string | null
  contribution: number
}

interface Offer {
  position: number
  offer_id: string
  name: string | null
  origin: 'candidate' | 'exploration' | 'filler'
  reason: string
  sources: { source: string; score: number; because: Because[] }[]
  rank_before: number | null
}

const explain = async (body: object, language = 'en') =>
  await shop.call('POST', '/v1/recommendations/explain', { body, headers: { 'accept-language': language } })
const explained = async (body: object) => {
  const reply = await explain(body)
  equal(reply.status, 200, reply.text)
  return reply.body.data as {
    source: string
    model_id: string | null
    is_reproduced: boolean | null
    offers: Offer[]
    excluded: { product_id: string; rule: string }[]
  }
}
/** A busy machine may reply before the buyer is loaded, and says so; then the request is repeated. */
const ask = (body: object) =>
  waitFor(
    async () => {
      const reply = await shop.call('POST', '/offers/recommended/v3', {
        body: { from_layer: 'main_page', from_app: 'ios', ...body },
      })
      if (reply.body.source === 'recommendation_service') return undefined
      return {
        id: reply.headers.get('x-recommendation-id')!,
        source: reply.body.source as string,
        offers: (reply.body.offers as Offer[]).map((it) => it.offer_id),
      }
    },
    { what: 'a list for the loaded buyer' },
  )
const isWritten = (id: string) =>
  waitUntil(async () => (await explain({ recommendation_id: id })).status === 200)
const isExplained = ({ origin, reason, sources, rank_before }: Offer) =>
  reason.length > 0 && (origin !== 'candidate' || (sources.length > 0 && rank_before !== null))

test('explains every offer of a list, and why other products are missing', async () => {
  const { offers, excluded } = await explained({ user_id: 'first-0', offer_ids: ['3'] })
  equal(offers.length, 30)
  ok(offers.every(isExplained), JSON.stringify(offers.find((it) => !isExplained(it))))
  ok(offers.some((it) => it.origin === 'candidate'))
  deepEqual(
    excluded.find((it) => it.product_id === '3'),
    { product_id: '3', rule: 'on_page' },
  )
})

test('names the products of the page and of the history that are the reason for an offer', async () => {
  const bought = { user_id: 'first-6', offer_id: '12', kind: 'purchase' }
  await shop.call('POST', '/v1/interactions', { body: { interactions: [bought] } })
  const relationsOf = async (body: object) => {
    const { offers } = await explained(body)
    const proposed = offers.flatMap((it) => it.sources)
    for (const { source, score, because } of proposed) {
      ok(because.length <= 3 && because.every((it) => it.name === `Thing ${it.product_id}`))
      if (because.length === 1) ok(because[0]!.contribution <= score + 1e-9, source)
    }
    return new Map(proposed.flatMap((it) => it.because.map((one) => [one.product_id, one.relation])))
  }
  await waitUntil(async () => (await relationsOf({ user_id: 'first-6' })).get('12') === 'purchase')
  const onPage = await relationsOf({ user_id: 'first-6', offer_ids: ['12'] })
  deepEqual([onPage.get('12'), [...onPage.values()].includes('view')], ['on_page', true])
  const unknown = await explained({ user_id: 'nobody-at-all' })
  ok(unknown.offers.every((it) => it.sources.every(({ because }) => because.length === 0)))
})

test('marks fillers and new products', async () => {
  await stock.load('product', { id: 500, category_id: 1, slug: 'new-thing', name: { ru: 'Новинка' } })
  await stock.offer({ id: 500, productId: 500, price: 5 })
  await waitUntil(async () =>
    (await explained({ user_id: 'first-0', category_id: 1 })).offers.some(
      (it) => it.offer_id === '500' && it.origin === 'exploration',
    ),
  )
  const { offers, source } = await explained({ user_id: 'nobody-at-all' })
  equal(source, 'recommendation_service')
  ok(offers.every(isExplained))
  ok(offers.every((it) => it.origin !== 'candidate' || it.reason.startsWith('It is popular')))
})

test('an offer is called by the name that it has, in whichever language', async () => {
  await stock.load('product', { id: 501, category_id: 1, slug: 'uzbek-thing', name: { uz: 'Yangi buyum' } })
  await stock.offer({ id: 501, productId: 501, price: 5 })
  const named = async () =>
    (await explained({ user_id: 'first-0', category_id: 1 })).offers.find((it) => it.offer_id === '501')?.name
  await waitUntil(async () => (await named()) !== undefined)
  equal(await named(), 'Yangi buyum')
})

test('the reason of an offer is in the language of the caller', async () => {
  const reasonIn = async (language: string) =>
    (await explain({ user_id: 'nobody-at-all' }, language)).body.data.offers[0].reason
  match(await reasonIn('ru'), /популярно/)
  match(await reasonIn('uz'), /ommabop/)
  match(await reasonIn('en'), /popular/)
})

test('a channel decides the test group, as its own call does', async () => {
  const byCf = await explained({ user_id: 'first-0', channel: '/mobile/cf/v1/recommended' })
  const general = await explained({ user_id: 'first-0', channel: '/offers/recommended/v3' })
  const chosen = await explained({
    user_id: 'first-0',
    channel: '/offers/recommended/v2',
    test_group_value: 'cf',
  })
  deepEqual([byCf.source, chosen.source], ['cf', 'cf'])
  ok(general.source !== 'cf', general.source)
  assertRefused('validation_failed', await explain({ user_id: '1', channel: '/offers' }))
})

test('a shown list is explained by its id, as it was', async () => {
  const shown = await ask({ user_id: 'first-2' })
  await isWritten(shown.id)
  const before = await explained({ recommendation_id: shown.id })
  deepEqual(
    before.offers.map((it) => it.offer_id),
    shown.offers,
  )
  equal(before.source, shown.source)
  equal(before.is_reproduced, true)
  ok(before.offers.every(isExplained))

  // The buyer goes on, something is sold out, and another model serves: the list of then stays as it was.
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'first-2', offer_id: '60', kind: 'purchase' }] },
  })
  const first = Number(shown.offers[0])
  await stock.offer({ id: first, productId: first, partnerId: 1 + (first % 2), price: 1, quantity: 0 })
  await train(db)
  const after = await explained({ recommendation_id: shown.id })
  deepEqual(after.offers, before.offers)
  deepEqual([after.model_id, after.is_reproduced], ['1', true])
})

test('a list whose model is deleted is explained with the stored ranks', async () => {
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
  ok(offers.filter((it) => it.origin === 'candidate').every((it) => it.rank_before !== null))
})

test('an id that names no list is not found, and one beside a question is refused', async () => {
  const id = '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'
  assertRefused('not_found', await explain({ recommendation_id: id }))
  assertRefused('not_found', await explain({ recommendation_id: id.replace('-7', '-4') }))
  assertRefused('validation_failed', await explain({ recommendation_id: id, user_id: '1' }))
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
