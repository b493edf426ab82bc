// What clients owed follows from their orders: at present it is what `cart_credits` has, and at every past instant what it
// had then. After a merge of clients, the past is that of both together.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { password } from '../../../test/support/client.ts'
import { cash, installment, openOrdering } from '../../../test/support/orders.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { creditHistories, creditHistoryOf, outstandingBefore } from './credit-history.ts'
import { testCards } from './test-acquirer.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { db } = platform.app.shops.test
const { number } = testCards.success
await shop.stock.load('loan_condition', {
  id: 40,
  partner_id: 1,
  duration: 6,
  commission: 24,
  early_commission_percent: 25,
})

type Buyer = ReturnType<typeof shop.newClient>

async function buy(buyer: Buyer, { units = 1, condition = 3, more = {} } = {}): Promise<number> {
  const offer = await shop.stock.offer({
    price: 120_000,
    quantity: 10,
    loan_condition_ids: [condition],
    bnpl: { has_daily_payment: false, prepayment_tiyin: 2_000_000 },
  })
  await shop.put(buyer, offer, units, { LoanConditionId: condition })
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment, ...more })
  return id!
}

async function registered(email: string): Promise<Buyer> {
  const reply = await platform.call('POST', '/v1/auth/register', { body: { name: 'Aziza', email, password } })
  equal(reply.status, 201, reply.text)
  return { ClientId: Number(reply.body.data.client.id) }
}

async function deliver(id: number): Promise<void> {
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
}

async function giveBack(id: number): Promise<void> {
  const lines = [{ line: 1, quantity: 1 }]
  const asked = await shop.act(id, 'returns', { lines, reason: 'too small' })
  await shop.act(id, `returns/${asked.return.id}/receive`)
}

/** Undefined without a row. */
const kept = async ({ ClientId }: Buyer): Promise<number | undefined> =>
  (
    await db
      .read()
      .maybe<{ tiyin: number }>(`select outstanding_tiyin as tiyin from cart_credits where client_id = $1`, [
        ClientId,
      ])
  )?.tiyin

const nowMs = () => db.clock.now().getTime()
const derived = async ({ ClientId }: Buyer, atMs: number): Promise<number | undefined> => {
  const history = await creditHistoryOf(db.read(), ClientId)
  return history && outstandingBefore(history, atMs)
}

interface Noted {
  buyer: Buyer
  atMs: number
  tiyin: number | undefined
}

const noted: Noted[] = []

/** Notes what every buyer owes after a step, and lets a minute pass. */
async function after(buyers: readonly Buyer[], step: () => Promise<unknown>): Promise<void> {
  await step()
  await shop.advance('PT1M')
  for (const buyer of buyers) {
    const tiyin = await kept(buyer)
    equal(await derived(buyer, nowMs()), tiyin, step.toString())
    noted.push({ buyer, atMs: nowMs(), tiyin })
  }
}

const [busy, other, cautious] = [shop.newClient(), shop.newClient(), shop.newClient()]

test('orders, repayments, early ones, returns and cancellations: what is owed follows from the orders', async () => {
  const all = [busy, other, cautious]
  let [first, second, third] = [0, 0, 0]
  await after(all, async () => (first = await buy(busy, { units: 3 })))
  await after(all, async () => (second = await buy(busy, { condition: 40 })))
  await after(all, () => shop.act(first, 'payments', { kind: 'instalment', count: 3 }))
  await after(all, () => deliver(first))
  await after(all, () => giveBack(first))
  await after(all, async () => (third = await buy(other, { units: 2 })))
  await after(all, () => shop.pay(first, number, { instalment: 9 }))
  await after(all, () => shop.pay(first, testCards.declined.number))
  await after(all, () => giveBack(first))
  await after(all, () => shop.pay(second, number, { instalment: 'all' }))
  await after(all, () => deliver(second))
  await after(all, () => shop.act(third, 'cancel', { reason: 'changed my mind' }))
  await after(all, async () => (third = await buy(other, { condition: 40 })))
  await after(all, async () => {
    await shop.put(cautious, await shop.stock.offer())
    await shop.ordered(cautious, { PaymentMethodId: cash })
  })
  await after(all, () => shop.pay(first, number, { instalment: 'all' }))
  equal(await kept(cautious), undefined)
  equal(await kept(busy), 0)
  ok((await kept(other))! > 0)
  ok(new Set(noted.filter((it) => it.buyer === busy).map((it) => it.tiyin)).size >= 8)
})

test('at every past instant it is what was kept then', async () => {
  for (const { buyer, atMs, tiyin } of noted) equal(await derived(buyer, atMs), tiyin)
})

test('all clients together are as each alone, and orders that were settled before are known by their first day', async () => {
  const together = await creditHistories(db.read(), { since: new Date(0) })
  deepEqual([...together.keys()].toSorted(), [busy, other].map((it) => it.ClientId).toSorted())
  for (const { buyer, atMs, tiyin } of noted) {
    const history = together.get(buyer.ClientId)
    equal(history && outstandingBefore(history, atMs), tiyin)
  }
  const later = await creditHistories(db.read(), { since: new Date(nowMs() + 1) })
  deepEqual(later.get(busy.ClientId)?.outstandingTiyin, Float64Array.of(0))
  equal(outstandingBefore(later.get(other.ClientId)!, nowMs() + 1), await kept(other))
})

test('after a merge the remaining client owes what both owed, now and at every instant before', async () => {
  const [keeps, duplicate] = [await registered('one@mail.uz'), await registered('two@mail.uz')]
  await after([keeps, duplicate], () => buy(keeps))
  await after([keeps, duplicate], () => buy(duplicate, { units: 2 }))
  const notedOf = (buyer: Buyer) => noted.filter((it) => it.buyer === buyer)
  const [ofKept, ofDuplicate] = [notedOf(keeps), notedOf(duplicate)]
  await after([keeps], async () => {
    const path = `/v1/admin/clients/${duplicate.ClientId}/merge`
    const reply = await platform.call('POST', path, { body: { into: keeps.ClientId } })
    equal(reply.status, 200, reply.text)
  })
  equal(await kept(keeps), 36_000_000)
  equal(await kept(duplicate), undefined)
  equal(await derived(duplicate, nowMs()), undefined)
  const together = ofKept.map(({ tiyin }, step) => (tiyin ?? 0) + (ofDuplicate[step]!.tiyin ?? 0))
  deepEqual(together, [12_000_000, 36_000_000])
  for (const [step, { atMs }] of ofKept.entries()) equal(await derived(keeps, atMs), together[step])
  for (const { atMs } of ofDuplicate) equal(await derived(duplicate, atMs), undefined)
})

test('nothing is repaid before the order, also where the test clock was reset in between', async () => {
  const buyer = shop.newClient()
  const id = await buy(buyer)
  const orderedMs = nowMs()
  const reply = await platform.call('DELETE', '/v1/test/clock')
  equal(reply.status, 200, reply.text)
  await waitUntil(() => nowMs() < orderedMs)
  await shop.act(id, 'payments', { kind: 'instalment', count: 2 })
  ok((await kept(buyer))! > 0)
  equal(await derived(buyer, orderedMs - 1_000), undefined)
  equal(await derived(buyer, orderedMs + 1_000), await kept(buyer))
})
