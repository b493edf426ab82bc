// What a view of a cart promises is what ordering does: one judgement, one total.

import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { items, newGuest, queryOf } from '../support/carts.ts'
import { card, cash, installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock, view, put, newClient } = shop
const { call } = platform

interface MethodView {
  Id: number
  IsAvailable: boolean
  Reason: string | null
}

const reasonsOf = (seen: { AvailablePaymentMethods: MethodView[] }) =>
  seen.AvailablePaymentMethods.map((it) => it.Reason)

const change = async (offerId: number, body: object, kind = 'offers'): Promise<void> => {
  const reply = await call('PATCH', `/v1/catalog/${kind}/${offerId}`, { body })
  equal(reply.status, 200, reply.text)
}

test('a line that is sold out is outside the total, and the rest is ordered for the total shown', async () => {
  const buyer = newClient()
  const [good, out] = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 500, quantity: 5 })]
  await put(buyer, good, 2)
  await put(buyer, out, 3)
  await change(out, { quantity: 0 })
  const seen = await view(buyer)
  deepEqual([seen.TotalAmount, seen.TotalItemsCount, seen.CanOrder], [2_000, 2, true])
  const { IsAvailable, Reason, Messages } = seen.Items[1].PurchaseRestrictions
  deepEqual([IsAvailable, Reason, Messages[0].Code], [false, 'out_of_stock', 'out_of_stock'])
  const named = assertRefused('stock_exceeded', await shop.orderSome(buyer, [good, out]))
  deepEqual([named.violations[0].offer_id, named.violations[0].available], [out, 0])
  const { data } = (await shop.order(buyer)).body
  deepEqual(data.Skipped, [{ OfferId: out, Quantity: 3, Reason: 'out_of_stock' }])
  equal(data.TotalAmount, 2_000)
})

test('a moderated line that is pending does not hold up the other lines', async () => {
  const buyer = newClient()
  const [good, pending] = [
    await stock.offer({ price: 1_000 }),
    await stock.moderatedOffer({ price: 700, status: 'pending' }),
  ]
  await put(buyer, good)
  const seen = (await shop.addModerated(buyer, pending)).body.data
  deepEqual([seen.TotalAmount, seen.CanOrder], [1_000, true])
  equal(seen.ModeratedItems[0].PurchaseRestrictions.Reason, 'moderation_pending')
  assertRefused('moderation_pending', await shop.orderSome(buyer, [good], { ModeratedOfferIds: [pending] }))
  const { data } = (await shop.order(buyer)).body
  deepEqual(data.Skipped, [{ ModeratedOfferId: pending, Quantity: 1, Reason: 'moderation_pending' }])
  equal(data.TotalAmount, 1_000)
})

test('no payment method is open above the daily limit, and the view says why', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 20_000_000 })
  await put(buyer, offer, 2)
  await change(offer, { price_tiyin: 3_000_000_000 })
  const seen = await view(buyer)
  equal(seen.CanOrder, false)
  deepEqual([reasonsOf(seen)[0], reasonsOf(seen)[2]], ['purchase_limit_exceeded', 'purchase_limit_exceeded'])
  deepEqual(
    seen.Messages.map((it: { Code: string }) => it.Code),
    ['purchase_limit_exceeded'],
  )
  assertRefused('purchase_limit_exceeded', await shop.order(buyer))
})

test('a line with fewer units left than wanted closes every payment method until the buyer decides', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 5 })
  await put(buyer, offer, 5)
  await change(offer, { quantity: 3 })
  const seen = await view(buyer)
  deepEqual([seen.CanOrder, reasonsOf(seen)[0]], [false, 'stock_exceeded'])
  equal(seen.Items[0].PurchaseRestrictions.Messages[0].Code, 'stock_lowered')
  assertRefused('stock_exceeded', await shop.order(buyer))
  equal((await shop.setQuantity(buyer, offer, 3)).body.data.CanOrder, true)
  equal((await shop.order(buyer)).status, 201)
})

test('a cart of lines that cannot be ordered is not called empty', async () => {
  const buyer = newClient()
  const [out, gone] = [await stock.offer({ quantity: 1 }), await stock.offer()]
  await put(buyer, out)
  await put(buyer, gone)
  await change(out, { quantity: 0 })
  await change(gone, { is_active: false })
  const { violations } = assertRefused('nothing_orderable', await shop.order(buyer))
  deepEqual(
    violations.map((it: { code: string; offer_id?: number }) => [it.code, it.offer_id]),
    [
      ['nothing_orderable', undefined],
      ['offer_unavailable', gone],
      ['stock_exceeded', out],
    ],
  )
  const seen = await view(buyer)
  deepEqual(new Set(reasonsOf(seen)), new Set(['nothing_orderable']))
  equal(seen.Messages[0].Code, 'nothing_orderable')
})

test('the mini-app shows and totals the moderated lines that an order charges', async () => {
  const buyer = newClient()
  const [offer, moderated] = [
    await stock.offer({ price: 53 }),
    await stock.moderatedOffer({ price: 200_000 }),
  ]
  const gone = await stock.offer({ price: 9 })
  await put(buyer, offer)
  await put(buyer, gone)
  await shop.addModerated(buyer, moderated)
  await change(gone, { is_active: false })
  const seen = (await call('GET', `/api/cart/mini-app/items?${queryOf(buyer)}`)).body.data
  deepEqual(
    seen.ModeratedItems.map((it: { ModeratedOfferId: number; Price: number }) => [
      it.ModeratedOfferId,
      it.Price,
    ]),
    [[moderated, 200_000]],
  )
  deepEqual(
    seen.Items.map((it: { IsAvailable: boolean; Reason: string }) => [it.IsAvailable, it.Reason]),
    [
      [true, null],
      [false, 'offer_unavailable'],
    ],
  )
  equal(seen.TotalAmount, 200_053)
  equal((await shop.order(buyer)).body.data.TotalAmount, 200_053)
})

test('a price that rose between view and order is not charged unseen', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 300 })]
  await put(buyer, one, 2)
  await put(buyer, two)
  const path = `${items}?${queryOf(buyer)}`
  const before = await call('GET', path)
  const { TotalAmount, Version } = before.body.data
  const headers = { 'if-match': before.headers.get('etag')! }
  await change(one, { price_tiyin: 150_000 })
  const details = assertRefused(
    'price_changed',
    await shop.order(buyer, { ExpectedTotalAmount: TotalAmount }),
  )
  deepEqual(details, {
    expected: 2_300,
    actual: 3_300,
    currency: 'UZS',
    delivery: 0,
    lines: [{ offer_id: one, quantity: 2, price_at_add: 1_000, price: 1_500, amount: 3_000, reason: null }],
  })
  assertRefused('price_changed', await shop.orderSome(buyer, [one], { ExpectedTotalAmount: 2_000 }))
  assertRefused('version_mismatch', await shop.order(buyer, {}, { headers }))
  assertRefused('version_mismatch', await shop.orderSome(buyer, [two], {}, { headers }))
  const now = await call('GET', path)
  notEqual(now.body.data.Version, Version)
  const agreed = await shop.orderSome(
    buyer,
    [two],
    { ExpectedTotalAmount: 300 },
    { headers: { 'if-match': `"${now.body.data.Version}"` } },
  )
  equal(agreed.status, 201, agreed.text)
  equal((await shop.order(buyer, { ExpectedTotalAmount: 3_000 })).status, 201)
})

test('the version of a cart changes with the availability of a line and returns with it', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  const { Version } = await put(buyer, offer)
  await change(offer, { is_active: false })
  const gone = (await view(buyer)).Version
  notEqual(gone, Version)
  ok(Number.isSafeInteger(gone))
  assertRefused('version_mismatch', await shop.order(buyer, {}, { headers: { 'if-match': `"${Version}"` } }))
  await change(offer, { is_active: true })
  equal((await view(buyer)).Version, Version)
})

test('a cart may always be made smaller: fewer units of a line that is not sold, no condition, less than the stock', async () => {
  const buyer = newClient()
  const [gone, few] = [await stock.offer({ loan_condition_ids: [3] }), await stock.offer({ quantity: 5 })]
  await put(buyer, gone, 3, { LoanConditionId: 3 })
  await put(buyer, few, 5)
  await change(gone, { is_active: false })
  await change(few, { quantity: 1 })
  const smaller = await shop.setQuantity(buyer, gone, 1)
  equal(smaller.body.data?.Items[0].Quantity, 1, smaller.text)
  const cleared = await shop.setCondition(buyer, gone, null)
  equal(cleared.status, 200, cleared.text)
  equal((await shop.setQuantity(buyer, few, 4)).status, 200)
  assertRefused('offer_unavailable', await shop.setQuantity(buyer, gone, 2))
  assertRefused('stock_exceeded', await shop.setQuantity(buyer, few, 5))
})

test('a line of a deleted offer keeps its title and its picture', async () => {
  const buyer = newClient()
  const [offer, moderated] = [await stock.offer({ price: 1_000 }), await stock.moderatedOffer({ price: 500 })]
  await put(buyer, offer)
  const before = (await shop.addModerated(buyer, moderated)).body.data
  equal((await call('DELETE', `/v1/catalog/offers/${offer}`)).status, 200)
  equal((await call('DELETE', `/v1/catalog/moderated-offers/${moderated}`)).status, 200)
  const after = await view(buyer)
  for (const list of ['Items', 'ModeratedItems']) {
    const [was, now] = [before[list][0], after[list][0]]
    ok(was.Title.length > 0 && was.Images.length > 0)
    deepEqual([now.Title, now.Images, now.Price], [was.Title, was.Images, was.Price])
    deepEqual(
      [now.PurchaseRestrictions.IsAvailable, now.PurchaseRestrictions.Reason],
      [false, 'offer_unavailable'],
    )
  }
  const mini = (await call('GET', `/api/cart/mini-app/items?${queryOf(buyer)}`)).body.data
  deepEqual([mini.Items[0].Title, mini.TotalAmount], [before.Items[0].Title, 0])
  ok(mini.Items[0].ImageUrl)
})

/** A repeatable stream of numbers below 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Pick = <T>(from: readonly T[]) => T

const offerCases = [
  { price: 1_000 },
  { price: 900_000, quantity: 4 },
  { price: 9_000_000, loan_condition_ids: [3, 4] },
  { price: 15_000, loan_condition_ids: [3], bnpl: { has_daily_payment: true, prepayment_tiyin: null } },
  { price: 333.33, quantity: 2, reservation_minutes: 10 },
  { price: 700, partnerId: 2, loan_condition_ids: [5] },
]

const happenings: ((offerId: number) => Promise<void>)[] = [
  (id) => change(id, { is_active: false }),
  (id) => change(id, { is_visible: false }),
  (id) => change(id, { quantity: 0 }),
  (id) => change(id, { quantity: 1 }),
  (id) => change(id, { price_tiyin: 2_600_000_000 }),
  (id) => change(id, { price_tiyin: 12_345 }),
  (id) => change(id, { loan_condition_ids: [] }),
]

/** Fills a cart at random and changes its offers at random. */
async function fillCart(buyer: object, random: () => number, pick: Pick): Promise<void> {
  for (let line = 0; line < 1 + Math.floor(random() * 4); line++) {
    const kind = pick(offerCases)
    const offer = await stock.offer(kind)
    const LoanConditionId = random() < 0.7 ? kind.loan_condition_ids?.[0] : undefined
    await shop.add(buyer, offer, 1 + Math.floor(random() * 3), {
      ...(LoanConditionId && { LoanConditionId }),
    })
    if (random() < 0.3) await pick(happenings)(offer)
  }
  if (random() < 0.4)
    await shop.addModerated(
      buyer,
      await stock.moderatedOffer({ price: 5_000, status: pick(['pending', 'approved']) }),
    )
}

interface LineView {
  OfferId?: number
  Price: number
  Quantity: number
  PurchaseRestrictions: { IsAvailable: boolean }
}

test('if the view says a method is available, ordering by it succeeds for the total shown, else it is refused for the reason shown', async () => {
  const random = randomFrom(20_261_116)
  const pick: Pick = (from) => from[Math.floor(random() * from.length)]!
  const seenOutcomes = new Set<string>()
  for (let round = 0; round < 60; round++) {
    const buyer = random() < 0.3 ? newGuest() : newClient()
    await fillCart(buyer, random, pick)
    const seen = await view(buyer)
    const method: MethodView = pick(seen.AvailablePaymentMethods)
    const some: LineView[] = seen.Items.filter(
      (it: LineView) => it.PurchaseRestrictions.IsAvailable && random() < 0.6,
    )
    const isSelection = some.length > 0 && random() < 0.4 && method.IsAvailable
    const more = { PaymentMethodId: method.Id }
    const total = isSelection
      ? some.reduce((sum, it) => sum + Math.round(it.Price * 100) * it.Quantity, 0) / 100
      : seen.TotalAmount
    const reply = isSelection
      ? await shop.orderSome(
          buyer,
          some.map((it) => it.OfferId!),
          { ...more, ExpectedTotalAmount: total },
        )
      : await shop.order(buyer, { ...more, ...(method.IsAvailable && { ExpectedTotalAmount: total }) })
    const where = `round ${round}: ${JSON.stringify({ buyer, method, total })} ${reply.text.slice(0, 400)}`
    seenOutcomes.add(method.Reason ?? `ordered by ${method.Id}${isSelection ? ', some lines' : ''}`)
    equal(
      seen.CanOrder,
      seen.AvailablePaymentMethods.some((it: MethodView) => it.IsAvailable),
      where,
    )
    if (method.IsAvailable) {
      equal(reply.status, 201, where)
      equal(reply.body.data.TotalAmount, total, where)
    } else {
      equal(reply.status, 422, where)
      const { violations } = reply.body.error.details
      ok(
        violations.some((it: { code: string }) => it.code === method.Reason),
        where,
      )
    }
  }
  for (const it of [card, cash, installment])
    ok(seenOutcomes.has(`ordered by ${it}`), [...seenOutcomes].join())
  ok(seenOutcomes.size >= 6, [...seenOutcomes].join())
})

test('a cart whose prices rose beyond the highest amount is shown, is not ordered, and can be made smaller', async () => {
  const most = Number.MAX_SAFE_INTEGER
  const buyer = newClient()
  const [one, two] = [await stock.offer({ price: 1, quantity: 9_999 }), await stock.offer({ price: 1 })]
  const sharing = { ...buyer, Items: [{ OfferId: one, Quantity: 9_999 }] }
  const shared = await shop.post('/api/shared-carts', sharing)
  equal(shared.status, 201, shared.text)
  const limits = {
    daily_amount_tiyin: most,
    product_units_per_order: 9_999,
    product_units_per_30_days: 9_999,
  }
  await call('PATCH', '/v1/admin/limits', { body: limits })
  const { CartId } = await put(buyer, one, 9_999)
  await put(buyer, two)
  await change(one, { price_tiyin: 10 ** 13 })

  const seen = await view(buyer)
  deepEqual([seen.TotalAmount, seen.CanOrder], [most / 100, false])
  deepEqual(reasonsOf(seen).slice(0, 3), Array(3).fill('amount_too_large'))
  ok(seen.Messages.some((it: { Code: string }) => it.Code === 'amount_too_large'))
  for (const path of [
    `/api/cart/mini-app/items?${queryOf(buyer)}`,
    `/v1/cart/${CartId}`,
    `/api/shared-carts/${shared.body.data.Id}?${queryOf(buyer)}`,
    `/api/cart/delivery?${queryOf(buyer)}`,
  ])
    equal((await call('GET', path)).status, 200, path)
  const { violations } = assertRefused('amount_too_large', await shop.order(buyer))
  equal(violations[0].limit, most / 100)
  const fewer = { body: { ...buyer, OfferId: one, NewQuantity: 2_000 } }
  equal((await call('PATCH', `${items}/quantity`, fewer)).body.data.TotalAmount, most / 100)
  equal((await call('DELETE', `${items}/${one}?${queryOf(buyer)}`)).body.data.TotalAmount, 1)
  const usual = { daily_amount_tiyin: 5e9, product_units_per_order: 10, product_units_per_30_days: 30 }
  await call('PATCH', '/v1/admin/limits', { body: usual })
})
