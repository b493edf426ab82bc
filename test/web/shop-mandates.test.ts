// Mandates in the account of the storefront, in a real browser: an agent of another application orders for the client,
// is stopped until the client confirms, and stops for good when the client revokes.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { newApplication } from '../support/oauth.ts'
import { address, cash } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { signedIn, signUp } from '../support/shopping.ts'
import { faultsOf, openShopper, openShopPlatform } from '../support/storefront.ts'

const platform = await openShopPlatform()
const { call } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }

test('a client grants a mandate, confirms an order of the agent, and revokes it', inBrowser, async () => {
  const agent = await newApplication(platform, {
    type: 'server',
    scopes: ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write'],
  })
  const buyer = await openShopper(browser!, platform)
  const { page, open, complaints } = buyer
  await open('/account/mandates')
  match(page.url(), /sign-in/)

  await signUp(buyer, '+998 90 765 43 29')
  await signedIn(buyer)
  await open('/account')
  await page.click('text=Покупки по поручению')
  await page.locator('.panel', { hasText: 'никому не разрешали' }).waitFor()
  deepEqual(await faultsOf(page), [])

  // Wrong input is explained beside its field, and nothing is granted.
  await page.fill('#application_id', 'app_test_unknown')
  await page.fill('#budget', 'много')
  await page.click('#grant .brand')
  await page.locator('#budget-problem', { hasText: 'целое число' }).waitFor()
  await page.fill('#budget', '5 000 000')
  await page.click('#grant .brand')
  await page.locator('#application_id-problem').waitFor()
  deepEqual(await faultsOf(page), [])
  const { body } = await call('GET', '/v1/admin/mandates')
  equal(body.data.mandates.length, 0)

  // The period counts from the time of the environment, which may be ahead of the machine's.
  const clock = await call('POST', '/v1/test/clock', { body: { advance: 'P2D' } })
  equal(clock.status, 200, clock.text)
  await page.fill('#application_id', agent.id)
  await page.fill('#name', 'Подарки')
  await page.click('#grant .brand')
  await page.locator('.note', { hasText: 'Разрешение дано' }).waitFor()
  const [mandate] = (await call('GET', '/v1/admin/mandates')).body.data.mandates
  deepEqual(
    [mandate.name, mandate.budget.amount, mandate.needs_confirmation, mandate.status],
    ['Подарки', 500_000_000, true, 'active'],
  )

  const days = (Date.parse(mandate.expires_at) - Date.now()) / 86_400_000
  ok(days > 31.9 && days < 32.1, `expires in ${days} days of the machine`)

  // The agent fills the cart; its order waits for the client.
  const ClientId = Number(mandate.customer_id)
  const query = 'price_min=2000000&price_max=20000000&in_stock=true&per_page=2'
  const { products } = (await call('GET', `/v1/catalog/products?${query}`)).body.data
  const key = agent.apiKey
  const add = async (offer: string) => {
    const body = { ClientId, OfferId: Number(offer), Quantity: 1 }
    const added = await call('POST', '/api/cart/items', { key, body })
    equal(added.status, 200, added.text)
  }
  await add(products[0].best_offer_id)
  const order = () =>
    call('POST', '/api/cart/orders', {
      key,
      body: { ClientId, PaymentMethodId: cash, DeliveryAddress: address, MandateId: mandate.id },
    })
  assertRefused('confirmation_required', await order())
  await open('/account/mandates')
  await page.locator('.mandate .brand', { hasText: 'Подтвердить корзину' }).click()
  await page.locator('.note', { hasText: 'Заказ подтверждён' }).waitFor()
  deepEqual(await faultsOf(page), [])
  const placed = await order()
  equal(placed.status, 201, placed.text)

  await open('/account/mandates')
  await page.click('.mandate .soft')
  await page.locator('.note', { hasText: 'Разрешение отозвано' }).waitFor()
  await page.locator('.mandate .tag', { hasText: 'отозвано' }).waitFor()
  await add(products[1].best_offer_id)
  assertRefused('mandate_invalid', await order())
  deepEqual(complaints, [])
})
