import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, queryOf, statuses, times } from '../../../test/support/carts.ts'
import { card, installment, openOrdering } from '../../../test/support/orders.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { call } = platform

let count = 0
async function coupon(terms: object = {}): Promise<{ id: string; code: string }> {
  const body = { code: `code-${++count}`, percent: 10, ...terms }
  const reply = await call('POST', '/v1/admin/coupons', { body })
  equal(reply.status, 201, reply.text)
  return reply.body.data.coupon
}
const apply = (buyer: object, Code: string) => call('POST', '/api/cart/coupon', { body: { ...buyer, Code } })
const used = async (id: string) =>
  (await call('GET', `/v1/admin/coupons/${id}`)).body.data.coupon.used as number
const change = async (id: string, body: object) => {
  const reply = await call('PATCH', `/v1/admin/coupons/${id}`, { body })
  equal(reply.status, 200, reply.text)
}

/** A client with a cart of two partners, 300 000 and 100 000 sums, and a coupon applied to it. */
async function shopping(code: string) {
  const buyer = shop.newClient()
  const offers = [
    await shop.stock.offer({ price: 150_000, loan_condition_ids: [3] }),
    await shop.stock.offer({ price: 100_000, partnerId: 2 }),
  ] as const
  await shop.put(buyer, offers[0], 2)
  await shop.put(buyer, offers[1], 1)
  const reply = await apply(buyer, code)
  equal(reply.status, 200, reply.text)
  return { buyer, offers, cart: reply.body.data }
}

test('view and orders agree on the discount, and cancelling all orders gives the use back', async () => {
  const { id, code } = await coupon({ max_uses: 1 })
  const { buyer, cart } = await shopping(code.toLowerCase())
  deepEqual(
    [cart.TotalAmount, cart.DiscountAmount, cart.Coupon.Code, cart.Coupon.IsApplied, cart.CanOrder],
    [360_000, 40_000, code, true, true],
  )
  deepEqual(
    cart.Items.map((it: { DiscountAmount: number }) => it.DiscountAmount),
    [30_000, 10_000],
  )
  const mini = await call('GET', `/api/cart/mini-app/items?${queryOf(buyer)}`)
  deepEqual([mini.body.data.TotalAmount, mini.body.data.Coupon.Code], [360_000, code])
  const v1 = await call('GET', `/v1/cart/${cart.CartId}`)
  deepEqual(
    [v1.body.data.cart.total.amount, v1.body.data.cart.discount.amount, v1.body.data.cart.coupon.is_applied],
    [36_000_000, 4_000_000, true],
  )

  const placed = await shop.order(buyer, { ExpectedTotalAmount: cart.TotalAmount })
  equal(placed.status, 201, placed.text)
  const { OrderIds, TotalAmount, DiscountAmount } = placed.body.data
  deepEqual([TotalAmount, DiscountAmount, await used(id)], [360_000, 40_000, 1])
  const order = await shop.get(OrderIds[0])
  deepEqual(
    [order.total.amount, order.discount.amount, order.coupon_code, order.lines[0].total.amount],
    [27_000_000, 3_000_000, code, 27_000_000],
  )
  equal((await shop.view(buyer)).Coupon, null)

  await shop.put(buyer, await shop.stock.offer())
  assertRefused('coupon_already_used', await apply(buyer, code))
  await shop.act(OrderIds[0], 'cancel', { reason: 'changed my mind' })
  equal(await used(id), 1, 'the other order of the checkout still has its part')
  await shop.act(OrderIds[1], 'cancel', { reason: 'changed my mind' })
  equal(await used(id), 0)
  equal((await apply(buyer, code)).status, 200)
  const types = ['CouponCreated', 'CouponApplied', 'CouponRedeemed', 'CouponReleased']
  const published = await Promise.all(types.map((it) => shop.events(it)))
  deepEqual(
    published.map((them) => them.filter((it) => it.fields['couponId'] === Number(id)).length),
    [1, 2, 1, 1],
  )
})

test('of parallel orders with the last use one succeeds, the others are refused and keep their carts', async () => {
  const { id, code } = await coupon({ max_uses: 1 })
  const carts = await Promise.all(times(5, () => shopping(code)))
  const replies = await Promise.all(carts.map((it) => shop.order(it.buyer)))
  deepEqual(statuses(replies), { 201: 1, 422: 4 })
  const lost = replies.findIndex((it) => it.status === 422)
  const violations = assertRefused('coupon_used_up', replies[lost]!)['violations'] as object[]
  deepEqual(violations, [
    {
      code: 'coupon_used_up',
      coupon: code,
      remedy: { action: 'remove_coupon' },
    },
  ])
  equal(await used(id), 1)
  const { buyer } = carts[lost]!
  const view = await shop.view(buyer)
  deepEqual(
    [view.CanOrder, view.Coupon.IsApplied, view.Coupon.Reason, view.TotalAmount],
    [false, false, 'coupon_used_up', 400_000],
  )
  equal((await call('DELETE', `/api/cart/coupon?${queryOf(buyer)}`)).body.data.CanOrder, true)
  equal((await shop.order(buyer, { ExpectedTotalAmount: 400_000 })).status, 201)
})

test('a coupon with an impossible instant is refused', async () => {
  const { id } = await coupon()
  const impossible = ['x', '', '-1', '2026-02-30T00:00:00Z', '2026-11-18', '2026-11-18T25:00:00Z']
  for (const sent of [...impossible, '+275760-09-13T00:00:00Z'])
    for (const path of ['starts_at', 'ends_at']) {
      const body = { code: `code-${++count}`, percent: 10, [path]: sent }
      const created = await call('POST', '/v1/admin/coupons', { body })
      const changed = await call('PATCH', `/v1/admin/coupons/${id}`, { body: { [path]: sent } })
      for (const reply of [created, changed]) {
        const { fields } = assertRefused('validation_failed', reply) as { fields: { path: string }[] }
        deepEqual([...new Set(fields.map((it) => it.path))], [path], sent)
      }
    }
})

test('a coupon that ends or changes meanwhile is shown, changes the version and is refused', async () => {
  const { id, code } = await coupon({ ends_at: '2099-01-01T00:00:00Z' })
  const { buyer, cart } = await shopping(code)
  await change(id, { percent: 20 })
  const cheaper = await shop.view(buyer)
  equal(cheaper.TotalAmount, 320_000)
  equal(cheaper.Version === cart.Version, false)
  assertRefused('price_changed', await shop.order(buyer, { ExpectedTotalAmount: 360_000 }))
  await change(id, { ends_at: new Date(Date.now() + 1_000).toISOString() })
  await shop.advance('PT1H')
  const ended = await shop.view(buyer)
  deepEqual([ended.Coupon.Reason, ended.CanOrder], ['coupon_expired', false])
  deepEqual(
    ended.Messages.map((it: { Code: string }) => it.Code),
    ['coupon_expired'],
  )
  assertRefused('coupon_expired', await shop.order(buyer))
})

test('selected lines get the discount that their delivery quote shows', async () => {
  const { code } = await coupon({ percent: null, amount_tiyin: 5_000_000 })
  const { buyer, offers } = await shopping(code)
  const quote = await call('GET', `/api/cart/delivery?${queryOf(buyer)}&OfferIds=${offers[1]}`)
  equal(quote.body.data.Discount, 50_000)
  const placed = await shop.orderSome(buyer, [offers[1]], { ExpectedTotalAmount: 50_000 })
  equal(placed.status, 201, placed.text)
})

test('instalments are computed from the discounted price', async () => {
  const { code } = await coupon()
  const { buyer, offers } = await shopping(code)
  await shop.setCondition(buyer, offers[0], 3)
  const [line] = (await shop.view(buyer)).Items
  equal(line.LoanCondition.MonthlyRepayment, (270_000 * 1.24) / 12)
  const placed = await shop.orderSome(buyer, [offers[0]], { PaymentMethodId: installment })
  equal(placed.status, 201, placed.text)
  const order = await shop.get(placed.body.data.OrderIds[0])
  equal(order.total_to_repay.amount, 270_000 * 1.24 * 100)
})

test('guests use coupons without a limit per buyer; others ask them to sign in', async () => {
  const limited = await coupon()
  const open = await coupon({ uses_per_buyer: null })
  const guest = newGuest()
  await shop.put(guest, await shop.stock.offer({ price: 100_000 }))
  const refused = assertRefused('coupon_sign_in_required', await apply(guest, limited.code))
  deepEqual((refused['violations'] as { remedy: object }[])[0]!.remedy, { action: 'sign_in' })
  equal((await apply(guest, open.code)).status, 200)
  const client = shop.newClient()
  const merged = await shop.merge(guest.SessionId, client.ClientId)
  deepEqual([merged.body.data.Coupon.Code, merged.body.data.TotalAmount], [open.code, 90_000])
  equal((await shop.view(client)).TotalAmount, 90_000)
})

test('refusals say what to do', async () => {
  const buyer = shop.newClient()
  assertRefused('cart_empty', await apply(buyer, 'NONE'))
  await shop.put(buyer, await shop.stock.offer({ price: 1_000 }))
  assertRefused('coupon_unknown', await apply(buyer, 'NONE'))
  assertRefused('validation_failed', await apply(buyer, 'a b'))
  const [later, large] = await Promise.all([
    coupon({ starts_at: '2090-01-01T00:00:00Z' }),
    coupon({ min_amount_tiyin: 10_000_000 }),
  ])
  assertRefused('coupon_inactive', await apply(buyer, later.code))
  const tooLow = assertRefused('coupon_amount_too_low', await apply(buyer, large.code))
  const [violation] = tooLow['violations'] as { limit: number; requested: number; remedy: object }[]
  deepEqual([violation!.limit, violation!.requested, violation!.remedy], [100_000, 1_000, { action: 'add' }])
})

test('a coupon of a promotion applies to its offers while it runs', async () => {
  const [inside, outside] = [
    await shop.stock.offer({ price: 100_000 }),
    await shop.stock.offer({ price: 100_000, partnerId: 2 }),
  ]
  const promotion = await call('POST', '/v1/marketing/promotions', {
    body: {
      slug: 'coupons',
      title: 'Неделя',
      title_uz: 'Hafta',
      title_en: 'Week',
      starts_at: '2026-01-01T00:00:00Z',
      discount_percent: 10,
      offer_ids: [String(inside)],
    },
  })
  equal(promotion.status, 201, promotion.text)
  const { id, code } = await coupon({ promotion_id: promotion.body.data.promotion.id })
  const buyer = shop.newClient()
  await shop.put(buyer, outside)
  assertRefused('coupon_not_applicable', await apply(buyer, code))
  await shop.put(buyer, inside)
  const { body } = await apply(buyer, code)
  deepEqual([body.data.DiscountAmount, body.data.TotalAmount], [9_000, 181_000])
  const [discounted, other] = await shop.ordered(buyer)
  await shop.act(other!, 'cancel', { reason: 'no' })
  equal(await used(id), 1, 'the order without a discount does not give the use back')
  await shop.act(discounted!, 'cancel', { reason: 'no' })
  equal(await used(id), 0)
})

test('terms are checked, and codes are unique', async () => {
  const { code } = await coupon()
  const create = (body: object) => call('POST', '/v1/admin/coupons', { body: { code: 'NEW', ...body } })
  const faults = async (body: object) =>
    (await create(body)).body.error.details.fields.map((it: { rule: string }) => it.rule)
  assertRefused('conflict', await create({ code: code.toLowerCase(), percent: 5 }))
  deepEqual(await faults({}), ['one_discount'])
  deepEqual(await faults({ percent: 5, amount_tiyin: 100 }), ['one_discount'])
  deepEqual(await faults({ amount_tiyin: 100, max_discount_tiyin: 100 }), ['with_percent'])
  deepEqual(await faults({ percent: 5, ends_at: '2020-01-01T00:00:00Z' }), ['after_start'])
  deepEqual(await faults({ percent: 5, promotion_id: '77777' }), ['exists'])
  const reader = await platform.makeKey({ scopes: ['admin:read', 'cart:write'] })
  const refused = await call('POST', '/v1/admin/coupons', { key: reader, body: { code: 'X-1', percent: 5 } })
  assertRefused('insufficient_permissions', refused)
})

test('a refund of a returned unit is its share of the discounted line', async () => {
  const { code } = await coupon()
  const { buyer, offers } = await shopping(code)
  const placed = await shop.orderSome(buyer, [offers[0]], { PaymentMethodId: card })
  const id = placed.body.data.OrderIds[0]
  await shop.act(id, 'payments', { kind: 'external', amount: 27_000_000, reference: 'x' })
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
  const asked = await shop.act(id, 'returns', { lines: [{ line: 1, quantity: 1 }], reason: 'small' })
  equal(asked.return.amount.amount, 13_500_000)
})
