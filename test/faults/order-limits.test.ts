import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { statuses, times } from '../support/carts.ts'
import { installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock } = shop

const setLimits = async (body: object) =>
  equal((await platform.call('PATCH', '/v1/admin/limits', { body })).status, 200)

test('parallel orders of one client never exceed the daily amount', async () => {
  for (let round = 0; round < 3; round++) {
    const buyer = shop.newClient()
    // Together eight tiyin below the daily amount of fifty million sums.
    const offers = await Promise.all(times(12, () => stock.offer({ price: 4_166_666.66 })))
    for (const it of offers) await shop.put(buyer, it)
    const extra = await stock.offer({ price: 0.09 })
    assertRefused('purchase_limit_exceeded', await shop.add(buyer, extra))
    const replies = await Promise.all(
      offers.flatMap((it) => [shop.orderSome(buyer, [it]), shop.orderSome(buyer, [it])]),
    )
    deepEqual(statuses(replies), { 201: 12, 422: 12 })
    const { daily_amount: day } = await shop.allowance(buyer.ClientId)
    deepEqual([day.used.amount, day.left.amount], [4_999_999_992, 8])
    assertRefused('purchase_limit_exceeded', await shop.add(buyer, extra))
    await shop.put(buyer, await stock.offer({ price: 0.08 }))
    equal((await shop.order(buyer)).status, 201)
    equal((await shop.allowance(buyer.ClientId)).daily_amount.left.amount, 0)
  }
})

test('parallel orders respect a limit that was lowered after the cart was filled', async () => {
  const buyer = shop.newClient()
  const offers = await Promise.all(times(8, () => stock.offer({ price: 1_000_000 })))
  for (const it of offers) await shop.put(buyer, it)
  await setLimits({ daily_amount_tiyin: 300_000_000 })
  const replies = await Promise.all(offers.map((it) => shop.orderSome(buyer, [it])))
  await setLimits({ daily_amount_tiyin: 5_000_000_000 })
  deepEqual(statuses(replies), { 201: 3, 422: 5 })
  for (const it of replies.filter(({ status }) => status === 422)) {
    const { violations } = assertRefused('purchase_limit_exceeded', it)
    ok(violations[0].used + violations[0].requested > 3_000_000)
  }
})

test('parallel orders in instalments never exceed the credit limit', async () => {
  const buyer = shop.newClient()
  const offers = await Promise.all(times(6, () => stock.offer({ price: 4_000_000, loan_condition_ids: [3] })))
  for (const it of offers) await shop.put(buyer, it, 1, { LoanConditionId: 3 })
  await setLimits({ credit_tiyin: 1_000_000_000 })
  const replies = await Promise.all(
    offers.map((it) => shop.orderSome(buyer, [it], { PaymentMethodId: installment })),
  )
  await setLimits({ credit_tiyin: 3_000_000_000 })
  deepEqual(statuses(replies), { 201: 2, 422: 4 })
  equal((await shop.allowance(buyer.ClientId)).credit.used.amount, 800_000_000)
})

test('units of a product are counted over orders, offers and partners for thirty days', async () => {
  const product = await stock.product(800_001)
  const [one, two] = [
    await stock.offer({ productId: product, partnerId: 1, quantity: 1_000 }),
    await stock.offer({ productId: product, partnerId: 2, quantity: 1_000 }),
  ]
  const moderated = await stock.moderatedOffer({ productId: product, quantity: 1_000 })
  const buyer = shop.newClient()
  for (const offer of [one, two]) {
    await shop.put(buyer, offer, 10)
    await shop.ordered(buyer)
  }
  equal((await shop.addModerated(buyer, moderated, 10)).status, 200)
  const [id] = await shop.ordered(buyer)
  assertRefused('product_limit_exceeded', await shop.add(buyer, one))
  await shop.act(id!, 'cancel')
  await shop.put(buyer, one, 1)
  await shop.advance('P31D')
  await shop.put(buyer, one, 9)
  equal((await shop.order(buyer)).status, 201)
})

test('the daily limit resets at midnight of the shop, whatever zone the caller sends', async () => {
  const buyer = shop.newClient()
  const { now } = (await platform.call('GET', '/v1/test/clock')).body.data.clock
  const tashkent = (Date.parse(now) + 5 * 3_600_000) % 86_400_000
  const seconds = Math.floor((86_400_000 - tashkent) / 1000)
  await shop.advance(`PT${(seconds > 30 ? seconds : seconds + 86_400) - 20}S`)
  await shop.put(buyer, await stock.offer({ price: 50_000_000 }))
  const headers = { 'x-timezone': 'Pacific/Kiritimati' }
  equal((await shop.order(buyer, {}, { headers })).status, 201)
  const next = await stock.offer({ price: 50_000_000 })
  assertRefused('purchase_limit_exceeded', await shop.add(buyer, next))
  const spoofed = await platform.call('POST', '/api/cart/items', {
    body: { ...buyer, OfferId: next, Quantity: 1 },
    headers,
  })
  assertRefused('purchase_limit_exceeded', spoofed)
  await shop.advance('PT40S')
  await shop.put(buyer, next)
  equal((await shop.order(buyer)).status, 201)
})

test('concurrent cancellations of an order restore the daily amount once', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await stock.offer({ price: 1_000_000 }))
  const [first] = await shop.ordered(buyer)
  await shop.put(buyer, await stock.offer({ price: 2_000_000 }))
  await shop.ordered(buyer)
  await Promise.all(times(8, () => shop.post(`/v1/orders/${first}/cancel`, {})))
  equal((await shop.allowance(buyer.ClientId)).daily_amount.used.amount, 200_000_000)
})

test('an allowance request with an invalid client id is refused with the field', async () => {
  const path = '/v1/orders/allowance'
  deepEqual(assertRefused('buyer_required', await platform.call('GET', path)), { accepted: ['customer_id'] })
  const key = await platform.makeKey({ type: 'web' })
  const onDevice = await platform.call('GET', `${path}?customer_id=1`, { key })
  deepEqual(assertRefused('buyer_mismatch', onDevice), { field: 'customer_id' })
})
