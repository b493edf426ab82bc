// What cannot be bought now is judged by one rule: orders, shared carts and cancelled orders skip the same lines for the
// same reasons, and such lines count against no limit of the cart.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest } from '../support/carts.ts'
import { card, installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openSharedCarts } from '../support/shared-carts.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock, put, newClient } = shop
const { create, take } = openSharedCarts(platform)

const change = async (offerId: number, body: object): Promise<void> => {
  const reply = await platform.call('PATCH', `/v1/catalog/offers/${offerId}`, { body })
  equal(reply.status, 200, reply.text)
}
const sellOut = (offerId: number) => change(offerId, { quantity: 0 })
const withdraw = (offerId: number) => change(offerId, { is_active: false })

interface Broken {
  code: string
  /** A string in `/v1`. */
  offer_id?: number | string
  moderated_offer_id?: number
}
const codesOf = ({ violations }: { violations: Broken[] }) =>
  violations.map((it) => [it.code, Number(it.offer_id ?? it.moderated_offer_id ?? 0)])

const skippedLine = (line: number, offerId: number, reason: string) => ({
  line,
  offer_id: String(offerId),
  moderated_offer_id: null,
  quantity: 1,
  reason,
})

test('taking a shared cart skips what is sold out or withdrawn, with the reason, and adds the rest', async () => {
  const buyer = newClient()
  const [good, out, gone] = [await stock.offer(), await stock.offer(), await stock.offer()]
  const pending = await stock.moderatedOffer({ status: 'pending' })
  const { Id } = await create(buyer, {
    Items: [
      ...[out, gone, good].map((OfferId) => ({ OfferId, Quantity: 2 })),
      { ModeratedOfferId: pending, Quantity: 1 },
    ],
  })
  await sellOut(out)
  await withdraw(gone)
  const taken = await take(buyer, Id)
  equal(taken.status, 200, taken.text)
  deepEqual(taken.body.data.Skipped, [
    { OfferId: out, Quantity: 2, Reason: 'out_of_stock' },
    { OfferId: gone, Quantity: 2, Reason: 'offer_unavailable' },
  ])
  deepEqual(await shop.unitsOf(buyer), { [good]: 2 })
  equal(taken.body.data.ModeratedItems[0].ModeratedOfferId, pending)
})

test('a shared cart of which nothing can be bought is refused with the reasons in their order', async () => {
  const buyer = newClient()
  const [out, gone] = [await stock.offer(), await stock.offer()]
  const { Id } = await create(buyer, { Items: [out, gone].map((OfferId) => ({ OfferId, Quantity: 1 })) })
  await sellOut(out)
  await withdraw(gone)
  deepEqual(codesOf(assertRefused('nothing_orderable', await take(buyer, Id))), [
    ['nothing_orderable', 0],
    ['offer_unavailable', gone],
    ['stock_exceeded', out],
  ])
  await change(out, { quantity: 1 })
  equal((await take(buyer, Id)).status, 200)
})

test('units that others have reserved are skipped as sold out', async () => {
  const [buyer, other] = [newClient(), newClient()]
  const [good, last] = [await stock.offer(), await stock.offer({ quantity: 2, reservation_minutes: 30 })]
  const { Id } = await create(buyer, { Items: [good, last].map((OfferId) => ({ OfferId, Quantity: 1 })) })
  await put(other, last, 2)
  const { data } = (await take(buyer, Id)).body
  deepEqual(data.Skipped, [{ OfferId: last, Quantity: 1, Reason: 'out_of_stock' }])
})

test('a cancelled order returns to the cart without what is sold out', async () => {
  const buyer = newClient()
  const [good, out] = [await stock.offer(), await stock.offer()]
  await put(buyer, good, 2)
  await put(buyer, out)
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  await shop.act(id!, 'cancel')
  await sellOut(out)
  const { skipped } = await shop.act(id!, 'to-cart')
  deepEqual([skipped, await shop.unitsOf(buyer)], [[skippedLine(2, out, 'out_of_stock')], { [good]: 2 }])
})

test('a cancelled order of which nothing can be bought is refused, and can return later', async () => {
  const buyer = newClient()
  const [out, gone] = [await stock.offer(), await stock.offer()]
  await put(buyer, out)
  await put(buyer, gone)
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  await shop.act(id!, 'cancel')
  await sellOut(out)
  await withdraw(gone)
  const refused = assertRefused('nothing_orderable', await shop.post(`/v1/orders/${id}/to-cart`, {}))
  deepEqual(codesOf(refused), [
    ['nothing_orderable', 0],
    ['offer_unavailable', gone],
    ['stock_exceeded', out],
  ])
  await change(out, { quantity: 3 })
  const { skipped } = await shop.act(id!, 'to-cart')
  deepEqual([skipped, await shop.unitsOf(buyer)], [[skippedLine(2, gone, 'offer_unavailable')], { [out]: 1 }])
})

test('a cancelled order returns to the cart without a loan condition that was withdrawn', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ loan_condition_ids: [3, 4] })
  await put(buyer, offer, 2, { LoanConditionId: 3 })
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment })
  await shop.act(id!, 'cancel')
  await change(offer, { loan_condition_ids: ['4'] })
  await shop.act(id!, 'to-cart')
  const { Items } = await shop.view(buyer)
  deepEqual([Items[0].Quantity, Items[0].LoanCondition], [2, null])

  const [other] = await shop.ordered(buyer, { PaymentMethodId: card })
  await shop.act(other!, 'cancel')
  await put(buyer, offer, 1, { LoanConditionId: 4 })
  await shop.act(other!, 'to-cart')
  const line = (await shop.view(buyer)).Items[0]
  deepEqual([line.Quantity, line.LoanCondition.Id], [3, 4])
})

test('orders name what they leave out in the documented order of rules', async () => {
  const buyer = newClient()
  const [out, gone] = [await stock.offer(), await stock.offer()]
  const pending = await stock.moderatedOffer({ status: 'pending' })
  await put(buyer, out)
  await shop.addModerated(buyer, pending)
  await put(buyer, gone)
  await sellOut(out)
  await withdraw(gone)
  const expected = [
    ['offer_unavailable', gone],
    ['moderation_pending', pending],
    ['stock_exceeded', out],
  ]
  const whole = assertRefused('nothing_orderable', await shop.order(buyer))
  deepEqual(codesOf(whole), [['nothing_orderable', 0], ...expected])
  const some = await shop.orderSome(buyer, [out, gone], { ModeratedOfferIds: [pending] })
  deepEqual(codesOf(assertRefused('offer_unavailable', some)), expected)
})

test('lines that cannot be bought now count against no limit of adds, changes and merges', async () => {
  const product = await stock.product(800_001)
  const two = async () => [
    await stock.offer({ productId: product }),
    await stock.offer({ productId: product }),
  ]
  const buyer = newClient()
  const [sold, out] = (await two()) as [number, number]
  await put(buyer, out, 8)
  await put(buyer, sold, 1)
  await sellOut(out)
  await put(buyer, sold, 1)
  const changed = await shop.setQuantity(buyer, sold, 10)
  equal(changed.status, 200, changed.text)
  deepEqual(codesOf(assertRefused('product_limit_exceeded', await shop.setQuantity(buyer, sold, 11))), [
    ['product_limit_exceeded', sold],
  ])
  equal(changed.body.data.Items[1].PurchaseRestrictions.MaxQuantity, 10)

  const guest = newGuest()
  const [left, right] = [await stock.offer({ price: 1_500_000 }), await stock.offer({ price: 1_500_000 })]
  await put(guest, left, 3)
  await sellOut(left)
  await put(guest, right, 3)
  assertRefused('guest_limit_exceeded', await shop.add(guest, await stock.offer({ price: 600_000 })))

  const [session, client] = [newGuest(), newClient()]
  const [own, gone] = (await two()) as [number, number]
  await put(client, gone, 9)
  await put(session, own, 3)
  await sellOut(gone)
  const { Merge } = (await shop.merge(session.SessionId, client.ClientId)).body.data
  deepEqual([Merge[0].Kept, Merge[0].Dropped, Merge[0].Reason], [3, 0, null])
})

test('a line that waits for moderation is held to the limits when it grows', async () => {
  const product = await stock.product(800_002)
  const pending = await stock.moderatedOffer({ productId: product, status: 'pending' })
  const sold = await stock.offer({ productId: product })
  const buyer = newClient()
  await put(buyer, sold, 4)
  equal((await shop.addModerated(buyer, pending, 6)).status, 200)
  assertRefused('product_limit_exceeded', await shop.addModerated(buyer, pending, 1))
  const dear = await stock.moderatedOffer({ price: 26_000_000, status: 'pending' })
  assertRefused('purchase_limit_exceeded', await shop.addModerated(newClient(), dear, 2))
})
