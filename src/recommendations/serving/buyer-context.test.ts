import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../base/outbox.ts'
import type { EventOf } from '../../events.ts'
import { installment, openOrdering } from '../../../test/support/orders.ts'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { linkGuests } from '../interactions/aliases.ts'
import { loadBuyerContext } from './buyer-context.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.test
const { act, newClient, ordered, put, stock } = await openOrdering(shop, 5_000)
const offers = [await stock.offer(), await stock.offer(), await stock.offer()] as const
const productOf = new Map(
  (
    await db
      .read()
      .all<{ id: number; productId: number }>(
        `select id, product_id as "productId" from catalog_offers where id = any($1)`,
        [offers],
      )
  ).map((it) => [it.id, it.productId]),
)

/** The offers whose products are in the carts and in the history of the buyer; `known` are in the product index. */
async function contextOf(identifiers: string[], known: readonly number[] = offers) {
  await relay.catchUp()
  db.cache!.clear()
  const index = { productOf: (offer: number) => (known.includes(offer) ? productOf.get(offer) : undefined) }
  const request = mainPageRequest(identifiers)
  const { cartProductIds, interactions } = await loadBuyerContext(db.read(), request, index as never)
  const offersOf = (products: Iterable<number | null>) =>
    offers.filter((it) => new Set(products).has(productOf.get(it)!))
  return { inCart: offersOf(cartProductIds), touched: offersOf(interactions.map((it) => it.productId)) }
}

test('the carts of a session, of a client and of the client behind a session are read', async () => {
  const { ClientId } = newClient()
  const SessionId = 'session-with-a-cart'
  await put({ SessionId }, offers[0])
  await put({ ClientId }, offers[1])
  deepEqual((await contextOf([SessionId])).inCart, [offers[0]])
  deepEqual((await contextOf([String(ClientId)])).inCart, [offers[1]])
  await db.transaction((tx) => linkGuests(tx, [{ identifier: SessionId, clientId: ClientId }]))
  deepEqual((await contextOf([SessionId])).inCart, [offers[0], offers[1]])
  deepEqual((await contextOf([String(ClientId)])).inCart, [offers[1]])
  deepEqual((await contextOf([SessionId, 'unknown-guest', String(ClientId)])).inCart, [offers[0], offers[1]])
})

test('products of a history are found whether the product index has their offers or not', async () => {
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: offers.map((it) => ({ user_id: 'c', offer_id: String(it), kind: 'view' })) },
  })
  for (const known of [offers, offers.slice(1), []])
    deepEqual((await contextOf(['c'], known)).touched, [...offers])
})

test('credit is known for clients who have bought on credit, and follows orders, repayments and the limit at once', async () => {
  const { ClientId } = newClient()
  const session = 'session-of-a-debtor'
  const creditOf = async (...identifiers: string[]) => {
    const request = mainPageRequest(identifiers)
    return (await loadBuyerContext(db.read(), request, { productOf: () => undefined } as never))
      .remainingCreditTiyin
  }
  const becomes = (expected: number) => waitUntil(async () => (await creditOf(String(ClientId))) === expected)
  const limit = async (credit_tiyin: number) =>
    equal((await shop.call('PATCH', '/v1/admin/limits', { body: { credit_tiyin } })).status, 200)
  const buy = async () => {
    const offer = await stock.offer({ price: 120_000, loan_condition_ids: [3] })
    await put({ ClientId }, offer, 1, { LoanConditionId: 3 })
    return (await ordered({ ClientId }, { PaymentMethodId: installment }))[0]!
  }
  await limit(100_000_000)
  equal(await creditOf(String(ClientId)), undefined)
  equal(await creditOf(session), undefined)
  const [first, second] = [await buy(), await buy()]
  await becomes(76_000_000)
  await act(first, 'payments', { kind: 'instalment', count: 2 })
  await becomes(78_000_000)
  await act(second, 'cancel', { reason: 'changed my mind' })
  await becomes(90_000_000)
  await limit(5_000_000)
  await becomes(0)
  await limit(20_000_000)
  await becomes(10_000_000)
  equal(await creditOf(session), undefined)
  await db.transaction((tx) => linkGuests(tx, [{ identifier: session, clientId: ClientId }]))
  await waitUntil(async () => (await creditOf(session)) === 10_000_000)
})

/** A client whose debt is written without an event. */
function openDebtor() {
  const { ClientId } = newClient()
  return {
    ClientId,
    creditOf: async () =>
      (await loadBuyerContext(db.read(), mainPageRequest([String(ClientId)]), {} as never))
        .remainingCreditTiyin,
    owes: (tiyin: number) =>
      db.transaction((tx) =>
        tx.all(
          `insert into cart_credits (client_id, outstanding_tiyin) values ($1, $2)
           on conflict (client_id) do update set outstanding_tiyin = $2`,
          [ClientId, tiyin],
        ),
      ),
  }
}

test('a merge invalidates the credit of both clients, and a return that of its client', async () => {
  const [kept, duplicate, other] = [openDebtor(), openDebtor(), openDebtor()]
  const all = [kept, duplicate, other]
  const credits = () => Promise.all(all.map((it) => it.creditOf()))
  const happens = async (event: EventOf<'ClientsMerged' | 'OrderReturned'>) => {
    for (const it of all) await it.owes(2)
    await db.transaction(async (tx) => publish(tx, event))
    await relay.catchUp()
    return (await credits()).map((it, at) => before[at]! - it!)
  }
  for (const it of all) await it.owes(1)
  await relay.catchUp()
  const before = await credits()
  deepEqual(
    await happens({ type: 'ClientsMerged', clientId: kept.ClientId, mergedClientId: duplicate.ClientId }),
    [1, 1, 0],
  )
  deepEqual(
    await happens({ type: 'OrderReturned', orderId: 1, returnId: 'a', clientId: other.ClientId }),
    [1, 1, 1],
  )
})

test('events of an earlier version, which do not name the client, invalidate the credit of all clients', async () => {
  const { creditOf, owes } = openDebtor()
  const orderId = 1
  const earlier: EventOf<'OrderCancelled' | 'OrderReturned' | 'InstalmentsPaid'>[] = [
    { type: 'OrderCancelled', orderId, reason: 'changed my mind' },
    { type: 'OrderReturned', orderId, returnId: 'a' },
    { type: 'InstalmentsPaid', orderId, paymentId: 'a', numbers: [1], amount: 10 },
  ]
  const limit = 20_000_000
  await owes(limit)
  await relay.catchUp()
  equal(await creditOf(), 0)
  for (const [at, event] of earlier.entries()) {
    const before = await creditOf()
    await owes(at)
    await db.transaction(async (tx) => publish(tx, { ...event, clientId: null }))
    await relay.catchUp()
    equal(await creditOf(), before, `${event.type} of a guest`)
    await db.transaction(async (tx) => publish(tx, event))
    await relay.catchUp()
    equal(await creditOf(), limit - at, event.type)
  }
})
