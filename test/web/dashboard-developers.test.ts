// Developers in a real browser: events as they happen, webhooks with their deliveries, keys that are rotated.

import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { openOrdering } from '../support/orders.ts'
import { openReceiver } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ensureWebPages } from '../support/web.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const shop = await openPlatform()
const orders = await openOrdering(shop)
const { signedIn, open, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A new order of a new client. */
async function placeOrder(): Promise<number> {
  const buyer = orders.newClient()
  await orders.put(buyer, await orders.stock.offer({ price: 25_000 }))
  const [id] = await orders.ordered(buyer)
  return id!
}

test('an order that is placed appears in the open list and among the live events', inBrowser, async () => {
  const page = await signedIn('owner', '/orders')
  await page.getByText('No orders yet').waitFor()
  const first = await placeOrder()
  await page.getByRole('row', { name: new RegExp(`#${first}`) }).waitFor()
  await open(page, '/events')
  await page.getByText('OrdersCreated').first().waitFor()
  const second = await placeOrder()
  await page
    .getByText(new RegExp(`orders/${second}$`))
    .first()
    .waitFor()
  await page.context().close()
})

test('a webhook gets a test event, and a failed delivery is sent again', inBrowser, async () => {
  const receiver = await openReceiver()
  const page = await signedIn('developer', '/webhooks')
  await button(page, 'Add a webhook').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('ftp://example.uz')
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  await dialog.locator('input[aria-invalid=true]').waitFor()
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByLabel('Events').fill('Orders*')
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByLabel('Signing secret').first().waitFor()
  await button(page, 'I have copied it').click()
  await page.getByRole('row', { name: new RegExp(receiver.url) }).click()
  receiver.answer(500)
  await button(page, 'Send a test event').click()
  await waitUntil(() => receiver.received.length > 0, { what: 'the test event' })
  const delivery = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1)
  await delivery.click()
  await page.getByRole('dialog').getByText('Reply 500').first().waitFor()
  receiver.answer(204)
  const before = receiver.received.length
  await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click()
  await waitUntil(() => receiver.received.length > before, { what: 'the repeated delivery' })
  await page.context().close()
})

test('a key is rotated, and both keys work during the overlap', inBrowser, async () => {
  const body = { name: 'Warehouse', type: 'server', scopes: ['catalog:read'] }
  const created = (await shop.call('POST', '/v1/admin/applications', { body })).body.data
  const page = await signedIn('developer', `/applications/${created.application.client_id}`)
  await button(page, 'Rotate').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').getByLabel('API key').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click()
  const key = await page.evaluate<string>('navigator.clipboard.readText()')
  ok(key.startsWith('ak_test_'), key)
  notEqual(key, created.api_key)
  for (const one of [key, created.api_key])
    equal((await shop.call('GET', '/v1/catalog/products', { key: one })).status, 200)
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
