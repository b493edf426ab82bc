// Card payments through a bank behind a gateway, through the same port as the test acquirer, and without an acquirer.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { bankCards, bankSecret, bankToken, openBank } from '../support/bank.ts'
import { card, cardNumbers, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const bank = await openBank()
const acquirer = {
  ACQUIRER_URL: bank.url,
  TEST_ACQUIRER_URL: bank.url,
  ACQUIRER_TOKEN: bankToken,
  ACQUIRER_SECRET: bankSecret,
}
const platform = await openPlatform({ env: acquirer })
const shop = await openOrdering(platform)

async function newOrder(): Promise<number> {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ price: 1_000 }), 2)
  return (await shop.ordered(buyer, { PaymentMethodId: card }))[0]!
}

const states = async (id: number) => {
  const it = await shop.get(id)
  return `${it.status} ${it.payment_status}`
}

const lastPayment = async (id: number) => (await shop.get(id)).payments.at(-1)

test('a bank behind the gateway charges, captures, voids and refunds by the documented protocol', async () => {
  const [atOnce, later, never] = [await newOrder(), await newOrder(), await newOrder()]
  await shop.pay(atOnce, bankCards.good)
  equal(await states(atOnce), 'confirmed paid')
  deepEqual(bank.requests.at(-1), {
    ask: 'authorise',
    payment_id: (await lastPayment(atOnce)).id,
    amount: 200_000,
    currency: 'UZS',
    capture: true,
    card: cardNumbers(bankCards.good),
    environment: 'test',
  })
  for (const id of [later, never]) {
    await shop.pay(id, bankCards.good, { capture: 'manual' })
    equal(await states(id), 'confirmed authorised')
  }
  await shop.act(later, `payments/${(await lastPayment(later)).id}/capture`)
  await shop.act(never, `payments/${(await lastPayment(never)).id}/void`)
  deepEqual([await states(later), await states(never)], ['confirmed paid', 'awaiting_payment voided'])
  equal(bank.kept(), 400_000)
  await shop.act(later, `payments/${(await lastPayment(later)).id}/refunds`, { amount: 50_000 })
  await shop.act(atOnce, 'cancel')
  deepEqual(
    [await states(later), await states(atOnce)],
    ['confirmed partially_refunded', 'cancelled refunded'],
  )
  equal(bank.kept(), 150_000)
})

test('a declined card is shown with its reason, another card pays, and two cards can share an order', async () => {
  const [declined, shared] = [await newOrder(), await newOrder()]
  await shop.pay(declined, bankCards.poor)
  deepEqual(
    [(await lastPayment(declined)).failure, await states(declined)],
    ['insufficient_funds', 'awaiting_payment failed'],
  )
  await shop.pay(declined, bankCards.good)
  equal(await states(declined), 'confirmed paid')
  await shop.pay(shared, bankCards.good, { amount: 150_000 })
  equal(await states(shared), 'awaiting_payment partially_paid')
  assertRefused('validation_failed', await shop.pay(shared, bankCards.good, { amount: 50_001 }))
  await shop.pay(shared, bankCards.good)
  equal((await lastPayment(shared)).amount.amount, 50_000)
  equal(await states(shared), 'confirmed paid')
})

test('a lost, broken or unreadable bank reply is requested again, and nothing is charged twice', async () => {
  const before = bank.kept()
  const strange = [
    '',
    'not json',
    '[]',
    '{"status":"eaten"}',
    '{"status":7}',
    '{"status":"pending","action_url":"x"}',
  ]
  const ids: number[] = []
  for (const text of strange) {
    bank.answer((response) => response.writeHead(200).end(text))
    ids.push(await newOrder())
    await shop.pay(ids.at(-1)!, bankCards.good)
  }
  for (const status of [302, 404, 500]) {
    bank.answer((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('{"status":"captured"}'),
    )
    ids.push(await newOrder())
    await shop.pay(ids.at(-1)!, bankCards.good)
  }
  bank.answer((response) => response.destroy())
  ids.push(await newOrder())
  await shop.pay(ids.at(-1)!, bankCards.good)
  for (const id of ids) equal(await states(id), 'awaiting_payment pending')
  bank.answer(undefined)
  await shop.advance('PT3M')
  for (const id of ids) equal(await states(id), 'confirmed paid')
  equal(bank.kept() - before, ids.length * 200_000)
})

test('a bank callback must be signed and fresh, and is handled once', async () => {
  const id = await newOrder()
  await shop.pay(id, bankCards.slow)
  const payment = await lastPayment(id)
  equal(payment.action_url, `https://bank.example/approve/${payment.id}`)
  const news = JSON.stringify({ payment_id: payment.id, status: 'captured' })
  const callBack = (raw: string, { secret = bankSecret, at = new Date(), name = 'gateway' } = {}) =>
    platform.call('POST', `/v1/orders/callbacks/${name}`, {
      raw,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg-1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg-1', at, raw),
      },
    })
  const old = new Date(Date.now() - 3_600_000)
  for (const reply of [
    await callBack(news, { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }),
    await callBack(news, { at: old }),
    await callBack(news, { name: 'test' }),
    await callBack(JSON.stringify({ payment_id: payment.id, status: 'eaten' })),
    await callBack(JSON.stringify({ payment_id: 'x', status: 'captured' })),
    await platform.call('POST', '/v1/orders/callbacks/gateway', { body: JSON.parse(news) }),
  ])
    assertRefused('not_found', reply)
  equal(await states(id), 'awaiting_payment pending')
  equal((await callBack(news)).status, 200)
  equal((await callBack(news)).status, 200)
  equal(await states(id), 'confirmed paid')
  const { events } = (await platform.call('GET', `/v1/orders/${id}/events`)).body.data
  equal(events.filter((it: { type: string }) => it.type === 'PaymentCaptured').length, 1)
})

test('a live payment is sent to the bank with its environment', async () => {
  const stock = await openStock(platform, 'live')
  const offer = await stock.offer({ price: 500 })
  const live = (method: string, path: string, body?: object) =>
    platform.call(method, path, { key: platform.keys.live, ...(body && { body }) })
  await live('POST', '/api/cart/items', { ClientId: 1, OfferId: offer, Quantity: 1 })
  const made = await live('POST', '/api/cart/orders', {
    ClientId: 1,
    PaymentMethodId: card,
    DeliveryAddress: 'x',
  })
  const id = made.body.data.OrderIds[0]
  await live('POST', `/v1/orders/${id}/payments`, { kind: 'card', card: cardNumbers(bankCards.good) })
  equal((await live('GET', `/v1/orders/${id}`)).body.data.order.payment_status, 'paid')
  equal(bank.requests.at(-1).environment, 'live')
})

test('without an acquirer card payments are recorded as external, or cards are not accepted', async () => {
  for (const [env, isOpen] of [
    [{}, true],
    [{ CARDS_EXTERNAL: 'false' }, false],
  ] as const) {
    const alone = await openPlatform({ env })
    const stock = await openStock(alone, 'live')
    const offer = await stock.offer({ price: 500 })
    const live = (method: string, path: string, body?: object) =>
      alone.call(method, path, { key: alone.keys.live, ...(body && { body }) })
    const { data } = (await live('POST', '/api/cart/items', { ClientId: 1, OfferId: offer, Quantity: 1 }))
      .body
    const [shown] = data.AvailablePaymentMethods
    deepEqual([shown.Code, shown.IsAvailable], ['card', isOpen])
    const made = await live('POST', '/api/cart/orders', {
      ClientId: 1,
      PaymentMethodId: card,
      DeliveryAddress: 'x',
    })
    if (!isOpen) {
      equal(shown.Reason, 'payment_method_not_allowed')
      const { violations } = assertRefused('payment_method_not_allowed', made)
      deepEqual(violations[0].remedy, { action: 'choose_payment_method', payment_method_ids: [3] })
      continue
    }
    const id = made.body.data.OrderIds[0]
    const pay = (body: object) => live('POST', `/v1/orders/${id}/payments`, body)
    const refused = await pay({ kind: 'card', card: cardNumbers(testCards.success.number) })
    const { violations } = assertRefused('payment_method_not_allowed', refused)
    deepEqual(violations[0].remedy, { action: 'pay_elsewhere' })
    equal((await pay({ kind: 'external', reference: 'terminal 4' })).status, 201)
    equal((await live('GET', `/v1/orders/${id}`)).body.data.order.status, 'confirmed')
  }
})

test('a payment with fields of another kind or with an invalid card is refused', async () => {
  const id = await newOrder()
  for (const body of [
    { kind: 'card', card: cardNumbers(bankCards.good), count: 2 },
    { kind: 'card', card: cardNumbers(bankCards.good), reference: 'x' },
    { kind: 'cash', card: cardNumbers(bankCards.good) },
    { kind: 'external', capture: 'manual' },
    { kind: 'instalment', amount: 5 },
    { kind: 'card' },
    { kind: 'card', card: cardNumbers('8600000000000016') },
    { kind: 'card', card: { ...cardNumbers(bankCards.good), expiry_year: 2020 } },
  ])
    assertRefused('validation_failed', await shop.post(`/v1/orders/${id}/payments`, body))
  equal(await states(id), 'awaiting_payment unpaid')
})
