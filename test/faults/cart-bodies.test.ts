// Bodies of the cart module (SPEC-2 4): optional fields that are null, offers that are named twice or not at all, and what
// refusals say about them.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, openCarts, queryOf } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call } = shop
const { newClient, put } = openCarts(shop)
const english = { 'accept-language': 'en' }

test('null in an optional field of the cart module means that it is not given', async () => {
  const buyer = { ...newClient(), SessionId: null }
  const offer = await stock.offer()
  const added = await call('POST', '/api/cart/items', {
    body: { ...buyer, OfferId: offer, Quantity: 2, LoanConditionId: null },
  })
  equal(added.status, 200, added.text)
  const saved = await call('POST', '/api/wishlist/offers', {
    body: { ...buyer, OfferId: offer, ModeratedOfferId: null },
  })
  equal(saved.status, 200, saved.text)
  const shared = await call('POST', '/api/shared-carts', {
    body: { ...buyer, Title: null, ExpiresInHours: null, ParticipantIds: null, Items: null },
  })
  // Items that are not given: a copy of the cart.
  deepEqual([shared.status, shared.body.data?.TotalItemsCount], [201, 2], shared.text)
  const removed = await call('DELETE', '/api/cart/items/bulk', {
    body: { ...buyer, OfferIds: [offer], ModeratedOfferIds: null },
  })
  deepEqual([removed.status, removed.body.data?.Items], [200, []], removed.text)
})

test('null in an optional field of a contact means that it is not given', async () => {
  const guest = newGuest()
  await put(guest, await stock.offer())
  const order = await call('POST', '/api/cart/orders', {
    body: {
      ...guest,
      PaymentMethodId: 3,
      DeliveryAddress: 'Toshkent',
      Contact: { Name: 'Aziza', Phone: '+998901234567', Email: null },
    },
  })
  equal(order.status, 201, order.text)
})

test('null in a required field is refused, and null clears what can be cleared', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  await put(buyer, offer)
  const wrong = await call('POST', '/api/cart/items', { body: { ...buyer, OfferId: offer, Quantity: null } })
  equal(assertRefused('validation_failed', wrong).fields[0].path, 'Quantity')
  const cleared = await call('PATCH', '/api/cart/items/condition', {
    body: { ...buyer, OfferId: offer, LoanConditionId: null },
  })
  equal(cleared.status, 200, cleared.text)
})

test('an offer that is named twice or not at all is refused with both fields, also inside a list', async () => {
  const buyer = newClient()
  for (const offer of [{}, { OfferId: 1, ModeratedOfferId: 1 }]) {
    const alone = await call('POST', '/api/wishlist/offers', {
      body: { ...buyer, ...offer },
      headers: english,
    })
    const listed = await call('POST', '/api/shared-carts', {
      body: { ...buyer, Items: [{ ...offer, Quantity: 1 }] },
      headers: english,
    })
    const limit = ['OfferId', 'ModeratedOfferId']
    const message = 'exactly one of OfferId, ModeratedOfferId is needed'
    deepEqual(assertRefused('validation_failed', alone).fields, [
      { path: 'OfferId', rule: 'one_of', limit, message },
    ])
    deepEqual(assertRefused('validation_failed', listed).fields, [
      { path: 'Items.0.OfferId', rule: 'one_of', limit, message },
    ])
  }
})

test('a refusal about an offer that is not in the cart does not say that the offer does not exist', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  const places = {
    '/api/cart/items': 'cart',
    '/api/cart/mini-app/items': 'cart',
    '/api/wishlist/offers': 'wishlist',
  }
  for (const [path, place] of Object.entries(places)) {
    const reply = await call('DELETE', `${path}/${offer}?${queryOf(buyer)}`, { headers: english })
    deepEqual(assertRefused('not_found', reply), { resource: 'offer', id: String(offer), place })
    match(reply.body.error.message, new RegExp(`^There is no offer ${offer} in the ${place}\\.$`))
  }
})

test('an offer without loan conditions that is ordered in instalments can be paid otherwise, says the refusal', async () => {
  const buyer = newClient()
  await put(buyer, await stock.offer())
  const reply = await call('POST', '/api/cart/orders', {
    body: { ...buyer, PaymentMethodId: 2, DeliveryAddress: 'Toshkent' },
  })
  deepEqual(
    assertRefused('loan_condition_required', reply).violations.map((it: { remedy: unknown }) => it.remedy),
    [{ action: 'choose_payment_method', payment_method_ids: [1, 3] }],
  )
})
