import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { signatureOf, testCards } from '../../src/orders/payments/test-acquirer.ts'
import { newGuest } from '../support/carts.ts'
import { card, cardNumbers, cash, dailyPayment, installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock } = shop

/** Places an order of a new client for one offer; `states` returns its three states as one text. */
async function newOrder(input: { method?: number; units?: number; price?: number; loan?: number } = {}) {
  const { method = card, units = 2, price = 1_000, loan } = input
  const offer = await stock.offer({
    price,
    quantity: 10,
    loan_condition_ids: [3, 4],
    bnpl: { has_daily_payment: true, prepayment_tiyin: null },
  })
  const buyer = shop.newClient()
  await shop.put(buyer, offer, units, loan ? { LoanConditionId: loan } : {})
  const [id] = await shop.ordered(buyer, { PaymentMethodId: method })
  return { id: id!, offer, buyer }
}

const states = async (id: number) => {
  const it = await shop.get(id)
  return `${it.status} ${it.payment_status} ${it.fulfilment_status}`
}

test('a card order is paid, packed in two parcels, shipped, delivered and partly returned', async () => {
  const { id, offer, buyer } = await newOrder({ units: 3 })
  equal(await states(id), 'awaiting_payment unpaid unfulfilled')
  assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/fulfilments`, {}))

  const begun = await shop.pay(id, testCards.success.number)
  equal(begun.status, 201, begun.text)
  deepEqual(begun.body.data.payment.card, { brand: 'uzcard', last_digits: '0015' })
  equal(await states(id), 'confirmed paid unfulfilled')
  assertRefused('invalid_transition', await shop.pay(id, testCards.success.number))

  const first = await shop.act(id, 'fulfilments', { lines: [{ line: 1, quantity: 1 }] })
  equal(first.order.fulfilment_status, 'preparing')
  const parcel = `fulfilments/${first.fulfilment.id}`
  assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/${parcel}/deliver`, {}))
  await shop.act(id, `${parcel}/ship`, { carrier: 'UzPost', tracking_number: 'UZ1' })
  equal(await states(id), 'confirmed paid partially_shipped')
  const tooLate = assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/cancel`, {}))
  deepEqual(tooLate, { state: 'confirmed', requested: 'cancel', allowed: ['fulfil'] })
  await shop.act(id, `${parcel}/deliver`)
  const second = await shop.act(id, 'fulfilments')
  deepEqual(second.fulfilment.lines, [{ line: 1, quantity: 2 }])
  await shop.act(id, `fulfilments/${second.fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${second.fulfilment.id}/deliver`)
  equal(await states(id), 'completed paid delivered')

  const asked = await shop.act(id, 'returns', { lines: [{ line: 1, quantity: 1 }], reason: 'too small' })
  await shop.act(id, `returns/${asked.return.id}/receive`)
  equal(await states(id), 'completed partially_refunded partially_returned')
  equal(await shop.onHand(offer), 8)
  const allowance = await shop.allowance(buyer.ClientId)
  equal(allowance.daily_amount.used.amount, 200_000)
  deepEqual(allowance.product_units.used, [{ product_id: String(offer), used: 2, left: 28 }])
  assertRefused(
    'invalid_transition',
    await shop.post(`/v1/orders/${id}/returns/${asked.return.id}/receive`, {}),
  )

  const { events } = (await platform.call('GET', `/v1/orders/${id}/events`)).body.data
  deepEqual(
    events.map((it: { type: string }) => it.type).join(' '),
    'Placed PaymentStarted PaymentCaptured FulfilmentCreated FulfilmentShipped FulfilmentDelivered ' +
      'FulfilmentCreated FulfilmentShipped FulfilmentDelivered ' +
      'ReturnRequested ReturnReceived RefundRequested PaymentRefunded',
  )
})

test('a cancelled order returns units, money and limits once', async () => {
  const { id, offer, buyer } = await newOrder()
  await shop.pay(id, testCards.success.number)
  const replies = await Promise.all([1, 2, 3, 4].map(() => shop.post(`/v1/orders/${id}/cancel`, {})))
  deepEqual(replies.map((it) => it.status).toSorted(), [200, 409, 409, 409])
  equal(await states(id), 'cancelled refunded cancelled')
  equal(await shop.onHand(offer), 10)
  const allowance = await shop.allowance(buyer.ClientId)
  equal(allowance.daily_amount.used.amount, 0)
  deepEqual(allowance.product_units.used, [])
})

test('an authorised payment is captured or voided later', async () => {
  const [one, two] = [await newOrder(), await newOrder()]
  for (const { id } of [one, two]) {
    const { payment } = (await shop.pay(id, testCards.success.number, { capture: 'manual' })).body.data
    equal(await states(id), 'confirmed authorised unfulfilled')
    await shop.act(id, `payments/${payment.id}/${id === one.id ? 'capture' : 'void'}`)
  }
  equal(await states(one.id), 'confirmed paid unfulfilled')
  equal(await states(two.id), 'awaiting_payment voided unfulfilled')
})

for (const [name, code] of [
  ['declined', 'card_declined'],
  ['noFunds', 'insufficient_funds'],
  ['expired', 'expired_card'],
] as const)
  test(`a card that ${testCards[name].meaning} leaves the order waiting; another card pays it`, async () => {
    const { id } = await newOrder()
    await shop.pay(id, testCards[name].number)
    const { payments, status, payment_status: paid } = await shop.get(id)
    deepEqual([payments[0].failure, status, paid], [code, 'awaiting_payment', 'failed'])
    await shop.pay(id, testCards.success.number)
    equal(await states(id), 'confirmed paid unfulfilled')
  })

test('an approval arrives a minute later; repeated and reordered callbacks change nothing', async () => {
  const orders = new Map<string, number>()
  for (const name of ['approved', 'notApproved', 'repeated', 'outOfOrder'] as const) {
    const { id } = await newOrder()
    await shop.pay(id, testCards[name].number)
    match((await shop.get(id)).payments[0].action_url, /^http:.*\/test-bank\//)
    orders.set(name, id)
  }
  await shop.advance('PT2M')
  await shop.advance('PT5M')
  equal(await states(orders.get('approved')!), 'confirmed paid unfulfilled')
  equal(await states(orders.get('notApproved')!), 'awaiting_payment failed unfulfilled')
  for (const name of ['repeated', 'outOfOrder']) {
    const id = orders.get(name)!
    equal(await states(id), 'confirmed paid unfulfilled', name)
    const { events } = (await platform.call('GET', `/v1/orders/${id}/events`)).body.data
    equal(events.filter((it: { type: string }) => it.type === 'PaymentCaptured').length, 1)
  }
})

test('an order that was paid in part and is released is refunded at once, not by a later job', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ price: 1_000 }))
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  equal((await shop.pay(id!, testCards.success.number, { amount: 40_000 })).status, 201)
  equal(await states(id!), 'awaiting_payment partially_paid unfulfilled')
  await shop.advance('PT31M')
  equal(await states(id!), 'cancelled refunded cancelled')
})

test('an unpaid order releases its units, and a late payment is refunded', async () => {
  const [never, late] = [await newOrder(), await newOrder()]
  await shop.pay(late.id, testCards.approvedLate.number)
  await shop.advance('PT29M')
  equal(await shop.onHand(never.offer), 8)
  await shop.advance('PT2M')
  for (const { id, offer } of [never, late]) {
    equal((await shop.get(id)).cancellation.reason, 'unpaid')
    equal(await shop.onHand(offer), 10)
  }
  await shop.advance('PT3H')
  equal(await states(late.id), 'cancelled refunded cancelled')
  equal(await shop.onHand(late.offer), 10)
})

test('without a reply the acquirer is asked for the state of the charge', async () => {
  const [charged, lost] = [await newOrder(), await newOrder()]
  await shop.pay(charged.id, testCards.lostCharged.number)
  await shop.pay(lost.id, testCards.lost.number)
  for (const { id } of [charged, lost]) equal(await states(id), 'awaiting_payment pending unfulfilled')
  await shop.advance('PT2M')
  await shop.advance('PT4M')
  equal(await states(charged.id), 'confirmed paid unfulfilled')
  equal(await states(lost.id), 'awaiting_payment failed unfulfilled')
  equal((await shop.get(lost.id)).payments[0].failure, 'abandoned')
})

test('a refund that the bank refuses is shown as failed and can be requested again', async () => {
  const { id } = await newOrder()
  const { payment } = (await shop.pay(id, testCards.noRefund.number)).body.data
  await shop.act(id, `payments/${payment.id}/refunds`, { amount: 100 })
  const after = await shop.get(id)
  deepEqual([after.payments[0].refunds[0].status, after.payment_status], ['failed', 'paid'])
  deepEqual(after.payments[0].allowed, ['refund'])
})

test('refunds never exceed the captured amount, also when they are concurrent', async () => {
  const { id } = await newOrder()
  const { payment } = (await shop.pay(id, testCards.success.number)).body.data
  const refund = () => shop.post(`/v1/orders/${id}/payments/${payment.id}/refunds`, { amount: 150_000 })
  const replies = await Promise.all([refund(), refund(), refund()])
  deepEqual(replies.map((it) => it.status).toSorted(), [201, 422, 422])
  await shop.act(id, `payments/${payment.id}/refunds`)
  equal(await states(id), 'confirmed refunded unfulfilled')
  assertRefused('invalid_transition', await refund())
})

test('a callback must be signed and name a known payment, and is handled once', async () => {
  const { id } = await newOrder()
  const { payment } = (await shop.pay(id, testCards.approved.number)).body.data
  const send = (body: object, signature = signatureOf(JSON.stringify(body)), name = 'test') =>
    platform.call('POST', `/v1/orders/callbacks/${name}`, {
      body,
      headers: { 'x-test-signature': signature },
    })
  const news = { id: 'cb-1', payment_id: payment.id, status: 'captured' }
  for (const reply of [
    await send(news, 'wrong'),
    await send(news, signatureOf('other')),
    await send(news, undefined, 'other-bank'),
    await send({ ...news, payment_id: '019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d' }),
    await send({ ...news, payment_id: 'x' }),
  ])
    assertRefused('not_found', reply)
  equal((await send(news)).status, 200)
  equal((await send(news)).status, 200)
  equal((await send({ ...news, id: 'cb-2', status: 'failed' })).status, 200)
  equal(await states(id), 'confirmed paid unfulfilled')
})

test('no table contains a card number', async () => {
  const { id } = await newOrder()
  const body = { kind: 'card', card: cardNumbers(testCards.success.number) }
  const headers = { 'idempotency-key': 'with-a-card' }
  equal((await shop.post(`/v1/orders/${id}/payments`, body, { headers })).status, 201)
  const tables = await shop
    .read()
    .all<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'test'`,
    )
  equal(tables.length > 30, true)
  for (const { name } of tables) {
    const rows = await shop.read().all(`select * from ${name}`)
    equal(JSON.stringify(rows).includes(testCards.success.number), false, name)
  }
})

test('a cash order is confirmed at once, and complete when it is paid and delivered', async () => {
  const { id } = await newOrder({ method: cash })
  equal(await states(id), 'confirmed unpaid unfulfilled')
  assertRefused('invalid_transition', await shop.pay(id, testCards.success.number))
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
  equal(await states(id), 'delivered unpaid delivered')
  await shop.act(id, 'payments', { kind: 'cash', reference: 'receipt 7' })
  equal(await states(id), 'completed paid delivered')
})

/** Ships and delivers an order. */
async function deliver(id: number) {
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
}

async function giveBack(id: number, quantity: number) {
  const asked = await shop.act(id, 'returns', { lines: [{ line: 1, quantity }], reason: 'too small' })
  await shop.act(id, `returns/${asked.return.id}/receive`)
}

test('units returned before payment are not charged, and what was paid for them is refunded', async () => {
  const { id } = await newOrder({ method: cash, units: 5 })
  await deliver(id)
  await giveBack(id, 1)
  await shop.act(id, 'payments', { kind: 'cash', amount: 300_000 })
  equal(await states(id), 'delivered partially_paid partially_returned')
  await giveBack(id, 2)
  const { payments } = await shop.get(id)
  deepEqual(
    payments[0].refunds.map((it: { amount: { amount: number } }) => it.amount.amount),
    [100_000],
  )
  equal(await states(id), 'completed partially_refunded partially_returned')
  assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/payments`, { kind: 'cash' }))
})

test('an unpaid order that is returned completely is complete, and nothing is due', async () => {
  const { id } = await newOrder({ method: cash })
  await deliver(id)
  await giveBack(id, 2)
  equal(await states(id), 'completed unpaid returned')
  const details = assertRefused(
    'invalid_transition',
    await shop.post(`/v1/orders/${id}/payments`, { kind: 'cash' }),
  )
  deepEqual(details, { state: 'unpaid', requested: 'cash', allowed: [] })
})

test('a payment that the order does not accept is refused with the allowed alternative', async () => {
  const inPlace = async (id: number, kind: string) => {
    const { state, allowed } = assertRefused(
      'invalid_transition',
      await shop.post(`/v1/orders/${id}/payments`, { kind }),
    )
    return [state, ...allowed].join(' ')
  }
  const paid = await newOrder()
  await shop.pay(paid.id, testCards.success.number)
  equal(await inPlace(paid.id, 'cash'), 'paid cancel fulfil')
  const promised = await newOrder()
  await shop.pay(promised.id, testCards.success.number, { capture: 'manual' })
  equal(await inPlace(promised.id, 'cash'), 'authorised capture void cancel')
  const pending = await newOrder()
  await shop.pay(pending.id, testCards.approved.number)
  equal(await inPlace(pending.id, 'external'), 'pending cancel')
  const owing = await newOrder({ method: installment, loan: 3 })
  equal(await inPlace(owing.id, 'cash'), 'unpaid instalment pay cancel fulfil')
  await shop.act(owing.id, 'cancel')
  equal(await inPlace(owing.id, 'instalment'), 'cancelled to_cart')
})

test('instalments follow the loan condition, use credit, and free it as they are paid', async () => {
  const { id, buyer } = await newOrder({ method: installment, units: 1, price: 1_200_000, loan: 3 })
  const { instalments } = await shop.get(id)
  equal(instalments.length, 12)
  deepEqual(instalments[0].amount, { amount: 12_400_000, currency: 'UZS' })
  equal(
    instalments.reduce((sum: number, it: { amount: { amount: number } }) => sum + it.amount.amount, 0),
    148_800_000,
  )
  const owed = async () => (await shop.allowance(buyer.ClientId)).credit.used.amount
  equal(await owed(), 120_000_000)
  await shop.act(id, 'payments', { kind: 'instalment', count: 2 })
  equal(await owed(), 100_000_000)
  equal((await shop.get(id)).payment_status, 'partially_paid')
  await shop.act(id, 'cancel', { reason: 'changed my mind' })
  equal(await owed(), 0)
  equal(await states(id), 'cancelled refunded cancelled')
})

test('daily payments are due every day', async () => {
  const { id } = await newOrder({ method: dailyPayment, units: 1, price: 180_000, loan: 4 })
  const { instalments } = await shop.get(id)
  equal(instalments.length, 180)
  equal(
    instalments.reduce((sum: number, it: { amount: { amount: number } }) => sum + it.amount.amount, 0),
    20_160_000,
  )
})

test('returned units of an instalment order are no longer owed', async () => {
  const { id, buyer } = await newOrder({ method: installment, units: 2, price: 600_000, loan: 3 })
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
  await shop.act(id, 'payments', { kind: 'instalment', count: 1 })
  const asked = await shop.act(id, 'returns', { lines: [{ line: 1, quantity: 1 }], reason: 'broken' })
  await shop.act(id, `returns/${asked.return.id}/receive`, { restock: false })
  equal((await shop.allowance(buyer.ClientId)).credit.used.amount, 50_000_000)
  const left = (await shop.get(id)).instalments.filter((it: { paid: boolean }) => !it.paid)
  equal(
    left.reduce((sum: number, it: { amount: { amount: number } }) => sum + it.amount.amount, 0),
    62_000_000,
  )
})

test('a guest sees, lists and cancels only the orders of the own session', async () => {
  const device = await platform.makeKey({ type: 'web' })
  const [guest, other] = [newGuest(), newGuest()]
  for (const it of [guest, other]) {
    await shop.put(it, await stock.offer())
    await shop.ordered(it)
  }
  const mine = `session_id=${guest.SessionId}`
  const listed = await platform.call('GET', `/v1/orders?${mine}`, { key: device })
  equal(listed.body.data.orders.length, 1)
  const [{ id, customer_id: customer }] = listed.body.data.orders
  equal(customer, null)
  const theirs = `session_id=${other.SessionId}`
  assertRefused(
    'not_found',
    await platform.call('POST', `/v1/orders/${id}/cancel?${theirs}`, { key: device, body: {} }),
  )
  assertRefused(
    'insufficient_permissions',
    await platform.call('POST', `/v1/orders/${id}/fulfilments?${mine}`, { key: device, body: {} }),
  )
  equal(
    (await platform.call('POST', `/v1/orders/${id}/cancel?${mine}`, { key: device, body: {} })).status,
    200,
  )
})

test('the list supports every filter, and cursors visit every order', async () => {
  const buyer = shop.newClient()
  const ids: string[] = []
  for (let at = 0; at < 5; at++) {
    await shop.put(buyer, await stock.offer({ partnerId: at % 2 ? 2 : 1 }))
    ids.unshift(String((await shop.ordered(buyer, { PaymentMethodId: at === 4 ? card : cash }))[0]))
  }
  const list = async (query: string) =>
    (await platform.call('GET', `/v1/orders?customer_id=${buyer.ClientId}&${query}`)).body.data
  const found = async (query: string) => (await list(query)).orders.map((it: { id: string }) => it.id)
  deepEqual(await found(''), ids)
  deepEqual(await found('partner_id=2'), [ids[1], ids[3]])
  deepEqual(await found('status=awaiting_payment'), [ids[0]])
  deepEqual(await found('payment_method_id=3&per_page=2'), [ids[1], ids[2]])
  deepEqual(await found('fulfilment_status=shipped'), [])
  deepEqual(await found('created_from=2099-01-01T00:00:00Z'), [])
  const walked: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { orders, pagination } = await list(`per_page=2${cursor && `&cursor=${cursor}`}`)
    walked.push(...orders.map((it: { id: string }) => it.id))
    equal(pagination.total, 5)
    cursor = pagination.next_cursor
  }
  deepEqual(walked, ids)
  assertRefused('validation_failed', await platform.call('GET', '/v1/orders?status=lost'))
})
