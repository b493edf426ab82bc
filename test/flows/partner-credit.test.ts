// SPEC-2 4.6.5: while the credit of a partner is inactive, no call offers its loan conditions.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts, queryOf } from '../support/carts.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const { call } = shop
const stock = await openStock(shop)
const { newClient, put, view } = openCarts(shop)
const offer = await stock.offer({ price: 120_000, loan_condition_ids: [3, 4] })

const body = { user_id: '3f0e6f6e-27f1-4c11-9a53-3f7f1f3f7a01', from_layer: 'main_page', from_app: 'Web' }
const recommended = async (path: string) => {
  const reply = await call('POST', path, { body })
  equal(reply.status, 200, reply.text)
  return reply.body.offers.find((it: { offer_id: number }) => it.offer_id === offer)
}
const buyer = newClient()
await put(buyer, offer)
equal((await call('POST', '/api/wishlist/offers', { body: { ...buyer, OfferId: offer } })).status, 200)

/** The ids or terms that every place offers. */
async function offered() {
  const web = await recommended('/web/client/offers/recommended-v3')
  const mini = await recommended('/web/client/miniapp/offers/recommended/v3/')
  const product = (await call('GET', `/v1/catalog/products/${offer}`)).body.data.product
  const listed = (await call('GET', `/api/wishlist?${queryOf(buyer)}`)).body.data.Offers[0]
  return {
    web: web.condition?.id ?? null,
    webRepayment: 'monthly_loan_repayment' in web,
    mini: [mini.condition !== null, mini.conditions.length, 'monthly_loan_repayment' in mini],
    product: product.offers[0].loan_conditions.map((it: { id: string }) => it.id),
    best: product.best_offer.loan_conditions.length,
    cart: (await view(buyer)).Items[0].LoanConditions.length,
    wishlist: [listed.LoanCondition?.Id ?? null, listed.LoanConditions.length],
  }
}

test('no call offers loan conditions of a partner whose credit is inactive', async () => {
  const open = {
    web: 3,
    webRepayment: true,
    mini: [true, 2, true],
    product: ['3', '4'],
    best: 2,
    cart: 2,
    wishlist: [3, 2],
  }
  deepEqual(await offered(), open)
  const setCredit = async (credit_active: boolean) =>
    equal((await call('PATCH', '/v1/catalog/partners/1', { body: { credit_active } })).status, 200)
  await setCredit(false)
  deepEqual(await offered(), {
    web: null,
    webRepayment: false,
    mini: [false, 0, false],
    product: [],
    best: 0,
    cart: 0,
    wishlist: [null, 0],
  })
  await setCredit(true)
  deepEqual(await offered(), open)
})
