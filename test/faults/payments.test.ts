import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { newGuest } from '../support/carts.ts'
import { card, cardNumbers, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const device = await platform.makeKey({ type: 'web' })

/** A guest's card order, and calls as that guest's device. */
async function guestOrder() {
  const guest = newGuest()
  await shop.put(guest, await shop.stock.offer({ price: 1_000 }), 2)
  const [id] = await shop.ordered(guest, { PaymentMethodId: card })
  const call = (method: string, path: string, body?: object) =>
    platform.call(method, `/v1/orders/${id}${path}?session_id=${guest.SessionId}`, {
      key: device,
      ...(body && { body }),
    })
  const pay = (more: object = {}) =>
    call('POST', '/payments', { kind: 'card', card: cardNumbers(testCards.success.number), ...more })
  return { id: id!, call, pay }
}

test('a buyer cannot choose that the card is only authorised', async () => {
  const { id, pay } = await guestOrder()
  const { needs } = assertRefused('insufficient_permissions', await pay({ capture: 'manual' }))
  equal(needs, 'staff')
  equal((await shop.get(id)).payments.length, 0)
  equal((await pay({ capture: 'automatic' })).status, 201)
  equal((await shop.get(id)).payment_status, 'paid')
})

test('nothing is shipped while the payment is only authorised, or after it was refunded', async () => {
  const { id } = await guestOrder()
  const { payment } = (await shop.pay(id, testCards.success.number, { capture: 'manual' })).body.data
  deepEqual((await shop.get(id)).allowed, ['cancel'])
  const refused = await shop.post(`/v1/orders/${id}/fulfilments`, {})
  deepEqual(assertRefused('invalid_transition', refused), {
    state: 'authorised',
    requested: 'fulfil',
    allowed: ['cancel'],
  })
  await shop.act(id, `payments/${payment.id}/capture`)
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `payments/${payment.id}/refunds`)
  const late = await shop.post(`/v1/orders/${id}/fulfilments/${fulfilment.id}/ship`, {})
  equal(assertRefused('invalid_transition', late).state, 'refunded')
})

test('a shop that captures cards itself authorises the payments of buyers', async () => {
  const manual = await openPlatform({ env: { CARD_CAPTURE: 'manual' } })
  const other = await openOrdering(manual)
  const buyer = other.newClient()
  await other.put(buyer, await other.stock.offer())
  const [id] = await other.ordered(buyer, { PaymentMethodId: card })
  equal((await other.pay(id!, testCards.success.number)).status, 201)
  equal((await other.get(id!)).payment_status, 'authorised')
})

test('allowed steps are those of the caller, in replies and in refusals', async () => {
  const { id, call, pay } = await guestOrder()
  const reader = await platform.makeKey({ scopes: ['orders:read'] })
  const read = async (key: string) =>
    (await platform.call('GET', `/v1/orders/${id}`, { key })).body.data.order
  deepEqual((await call('GET', '')).body.data.order.allowed, ['pay', 'cancel'])
  deepEqual((await read(reader)).allowed, [])
  const paid = (await pay()).body.data
  deepEqual([paid.payment.allowed, paid.order.allowed], [[], ['cancel']])
  deepEqual((await call('GET', '/payments')).body.data.payments[0].allowed, [])
  const staff = await shop.get(id)
  deepEqual([staff.payments[0].allowed, staff.allowed], [['refund'], ['cancel', 'fulfil']])
  deepEqual(assertRefused('invalid_transition', await pay()).allowed, ['cancel'])
  await shop.act(id, 'fulfilments')
  deepEqual((await call('GET', '/fulfilments')).body.data.fulfilments[0].allowed, [])
})

test('a step for staff is refused with the role that it needs and not with a scope that the caller has', async () => {
  const { call } = await guestOrder()
  const refused = await call('POST', '/fulfilments', {})
  const { required_scopes: required, needs } = assertRefused('insufficient_permissions', refused)
  deepEqual([required, needs], [undefined, 'staff'])
  match(refused.body.error.message, /staff|сотрудник/)
})
