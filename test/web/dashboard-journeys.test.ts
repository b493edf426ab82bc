// Journeys of members through the dashboard and back to buyers, in a real browser, on one platform.

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describedJobs } from '../../src/web/dashboard/settings/job-texts.ts'
import { openBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testPassword } from '../support/member.ts'
import { openOrdering } from '../support/orders.ts'
import { pngOf } from '../support/png.ts'
import { openPlatform } from '../support/shop.ts'
import { totpNow } from '../support/totp.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ensureWebPages } from '../support/web.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-journeys-'))
after(() => rmSync(dataDir, { recursive: true }))
const shop = await openPlatform({ env: { DATA_DIR: dataDir } })
const orders = await openOrdering(shop)
const { signedIn, open, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an owner gives the shop a name, a colour and a logo', inBrowser, async () => {
  const page = await signedIn('owner', '/shop')
  await page.getByLabel('Name').fill('Chorsu')
  await page.getByLabel('Colour').fill('#ffe08a')
  await button(page, 'Save').click()
  await page.getByText('is too light').waitFor()
  await page.getByLabel('Colour').fill('#7a1f5c')
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf(64, 64) })
  await page.getByRole('img', { name: 'Logo' }).waitFor()
  await button(page, 'Save').click()
  await page.getByText('Saved').waitFor()
  const { shop: saved } = (await shop.call('GET', '/v1/catalog/shop')).body.data
  deepEqual([saved.name, saved.colour], ['Chorsu', '#7a1f5c'])
  match(saved.logo_path, /^\/pictures\/uploads\/test\//)
  await page.context().close()
})

test(
  'an owner chooses the languages of the shop, and no language is refused at the field',
  inBrowser,
  async () => {
    const page = await signedIn('owner', '/languages')
    for (const name of ['Русский', 'O‘zbekcha', 'English']) await page.getByLabel(name).uncheck()
    await button(page, 'Save').click()
    await page.getByText('must have at least 1 item').waitFor()
    await page.getByLabel('O‘zbekcha').check()
    await button(page, 'Save').click()
    await page.locator('select[aria-invalid=true]').waitFor()
    await page.getByLabel('Default language').selectOption('uz')
    await button(page, 'Save').click()
    await page.getByText('Saved').waitFor()
    const { shop: saved } = (await shop.call('GET', '/v1/catalog/shop')).body.data
    deepEqual([saved.languages, saved.default_language], [['uz'], 'uz'])
    await page.context().close()
  },
)

test('offers that are low in stock need attention, and lead to the list of them', inBrowser, async () => {
  const low = await orders.stock.offer({ price: 25_000, quantity: 2 })
  const enough = await orders.stock.offer({ price: 25_000, quantity: 60 })
  const page = await signedIn('operator', '/')
  await page.getByRole('link', { name: /Offers low in stock/ }).click()
  await page.getByRole('checkbox', { name: `Offer ${low}`, exact: true }).waitFor()
  equal(await page.getByRole('checkbox', { name: `Offer ${enough}`, exact: true }).count(), 0)
  equal(await page.getByLabel('Low in stock').inputValue(), 'true')
  await page.context().close()
})

test('every job is described in the three languages of members', async () => {
  const { jobs } = (await shop.call('GET', '/v1/admin/jobs')).body.data
  deepEqual(
    jobs.map((it: { name: string }) => it.name).filter((it: string) => !describedJobs.includes(it)),
    [],
  )
})

test('the test clock is moved and the cart is among those that were left', inBrowser, async () => {
  const buyer = orders.newClient()
  await orders.put(buyer, await orders.stock.offer({ price: 25_000 }), 2)
  const page = await signedIn('owner', '/carts?unchanged_hours=24')
  await page.getByText('Nothing matches these filters').waitFor()
  await open(page, '/clock')
  await button(page, '+1 day').click()
  const moved = async () =>
    (await shop.call('GET', '/v1/test/clock')).body.data.clock.offset_seconds >= 86_400
  await waitUntil(moved, { what: 'the clock is a day ahead' })
  await open(page, '/carts?unchanged_hours=24')
  await page
    .getByRole('row', { name: `Client ${buyer.ClientId}` })
    .getByText('50\u00a0000')
    .waitFor()
  await page.context().close()
})

test(
  'the redirect URLs of an application are changed, and a wrong one is refused at its field',
  inBrowser,
  async () => {
    const created = await shop.call('POST', '/v1/admin/applications', {
      body: {
        name: 'Shop window',
        type: 'web',
        scopes: ['catalog:read'],
        redirect_urls: ['https://a.uz/back'],
      },
    })
    const id: string = created.body.data.application.client_id
    const page = await signedIn('developer', `/applications/${id}`)
    await button(page, 'Edit').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Redirect URLs').fill('javascript:alert(1)')
    await button(page, 'Save').click()
    await dialog.locator('textarea[aria-invalid=true]').waitFor()
    await dialog.getByLabel('Redirect URLs').fill('https://a.uz/back\nhttps://b.uz/back')
    await button(page, 'Save').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('https://b.uz/back').waitFor()
    const { application } = (await shop.call('GET', `/v1/admin/applications/${id}`)).body.data
    deepEqual(application.redirect_urls, ['https://a.uz/back', 'https://b.uz/back'])
    await page.context().close()
  },
)

test('variants of a product are added, changed and deleted', inBrowser, async () => {
  const offer = await orders.stock.offer({ price: 25_000 })
  const { product_id: product } = (await shop.call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
  const page = await signedIn('operator', `/products/${product}`)
  const variants = async () =>
    (await shop.call('GET', `/v1/catalog/products/${product}`)).body.data.product.variants as {
      name: string
      attributes: object
    }[]
  const before = (await variants()).length
  const card = page.locator('section, div', { has: page.getByRole('heading', { name: 'Variants' }) }).last()
  await card.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Black, 128 GB')
  await page.getByRole('dialog').getByLabel('Attributes').fill('color=black\nmemory=128')
  await button(page, 'Save').click()
  await page.getByText('color: black · memory: 128').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'Black, 128 GB' })
  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Attributes').fill('color=white')
  await button(page, 'Save').click()
  await row.getByText('color: white').waitFor()
  deepEqual((await variants()).at(-1)!.attributes, { color: 'white' })
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  equal((await variants()).length, before)
  await page.context().close()
})

test('a call of the console is answered and shown as code', inBrowser, async () => {
  const page = await signedIn('developer', '/console')
  await page.getByLabel('Operation').selectOption('brands.list')
  await page.getByLabel('API key').fill(shop.keys.test)
  await page.getByLabel('per_page').fill('3')
  await button(page, 'Send').click()
  await page.getByLabel('Reply').getByText('"per_page": 3').waitFor()
  match((await page.getByLabel('curl', { exact: true }).textContent())!, /brands\?per_page=3.*\$BOZOR_KEY/s)
  match((await page.getByLabel('TypeScript', { exact: true }).textContent())!, /bozor\.brands\.list\(\{/)
  await page.context().close()
})

test('a promotion that is planned is in the cart', inBrowser, async () => {
  const buyer = orders.newClient()
  const offer = await orders.stock.offer({ price: 100_000 })
  await orders.put(buyer, offer, 1)
  const page = await signedIn('owner', '/promotions')
  await button(page, 'Plan a promotion').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title', { exact: true }).fill('Autumn')
  await dialog.getByLabel('Short name for addresses').fill('autumn')
  await dialog.getByLabel('Discount in percent').fill('20')
  await dialog.getByLabel('Offer ids').fill(String(offer))
  await dialog.getByRole('button', { name: 'Plan a promotion' }).click()
  await page.getByText('Autumn').waitFor()
  const total = async () =>
    (await shop.call('GET', `/api/cart/items?ClientId=${buyer.ClientId}`)).text.includes('80000')
  await waitUntil(total, { what: 'the cart has the price of the promotion' })
  await page.context().close()
})

test('a limit of the shop is changed, and a wrong one is refused at its field', inBrowser, async () => {
  const page = await signedIn('owner', '/limits')
  const set = async (value: string) => {
    await page.getByRole('dialog').getByLabel('Units of a product in the cart').fill(value)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  }
  await button(page, 'Change').click()
  await set('0')
  await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
  await set('4')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  equal((await shop.call('GET', '/v1/admin/limits')).body.data.limits.guest_units_per_product, 4)
  await page.context().close()
})

test('prices of several offers are changed at once and the change is undone', inBrowser, async () => {
  const offers = [await orders.stock.offer({ price: 10_000 }), await orders.stock.offer({ price: 20_000 })]
  const priceOf = async (id: number) =>
    (await shop.call('GET', `/v1/catalog/offers/${id}`)).body.data.offer.usual_price.amount
  const page = await signedIn('operator', '/offers')
  for (const id of offers) await page.getByRole('checkbox', { name: `Offer ${id}`, exact: true }).check()
  await button(page, 'Edit 2').click()
  await page.getByLabel('Change of the price in percent').fill('10')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await waitUntil(async () => (await priceOf(offers[1]!)) === 2_200_000, { what: 'the price changed' })
  equal(await priceOf(offers[0]!), 1_100_000)
  await button(page, 'Undo').click()
  await waitUntil(async () => (await priceOf(offers[0]!)) === 1_000_000, { what: 'the change is undone' })
  await page.context().close()
})

test(
  'an order is printed as a picking list per partner without prices, and as an invoice',
  inBrowser,
  async () => {
    const buyer = orders.newClient()
    await orders.put(buyer, await orders.stock.offer({ price: 25_000 }), 2)
    await orders.put(buyer, await orders.stock.offer({ price: 40_000, partnerId: 2 }), 3)
    const ids = await orders.ordered(buyer, { Contact: { Name: 'Aziza Karimova', Phone: '+998901234567' } })
    equal(ids.length, 2)
    const page = await signedIn('operator', `/orders/${ids[0]}`)
    await page.getByRole('link', { name: 'Picking list' }).click()
    const printed = page.getByRole('article')
    await printed.nth(1).waitFor()
    equal(await printed.count(), 2)
    const [first, second] = await printed.allTextContents()
    match(first!, new RegExp(`#${ids[0]}.*Lines: 1, units: 2`, 's'))
    match(second!, new RegExp(`#${ids[1]}.*Lines: 1, units: 3`, 's'))
    doesNotMatch(`${first}${second}`, /25\u00a0000|40\u00a0000|50\u00a0000|sum/)
    await page.emulateMedia({ media: 'print' })
    equal(await page.getByRole('navigation').first().isVisible(), false)
    equal(await button(page, 'Print').isVisible(), false)
    equal(await printed.first().isVisible(), true)
    await page.emulateMedia({ media: 'screen' })

    await page.getByRole('link', { name: `Order #${ids[0]}` }).click()
    await page.getByRole('link', { name: 'Invoice' }).click()
    const invoice = page.getByRole('article', { name: `Invoice #${ids[0]}` })
    for (const text of [
      'Aziza Karimova',
      '+998901234567',
      '25\u00a0000.00',
      'taxes are not listed separately',
    ])
      await invoice.getByText(text).first().waitFor()
    match((await invoice.textContent())!, /Total50\u00a0000\.00.*To pay50\u00a0000\.00/s)
    await page.getByLabel('Language of the print-out').selectOption('uz')
    await page.getByRole('article', { name: `Hisob-faktura #${ids[0]}` }).waitFor()

    await orders.act(ids[0]!, 'fulfilments')
    const [{ id: fulfilment }] = (await orders.get(ids[0]!)).fulfilments
    await orders.act(ids[0]!, `fulfilments/${fulfilment}/ship`)
    await open(page, `/orders/${ids[0]}/picking-list`)
    await page.getByText('Nothing is left to pick').waitFor()
    await page.context().close()
  },
)

test('the page of usage shows calls, the share of the limit and refused calls', inBrowser, async () => {
  const body = { name: 'Busy', type: 'server', scopes: ['catalog:read'], rate_limit: '5/60s' }
  const { api_key: key } = (await shop.call('POST', '/v1/admin/applications', { body })).body.data
  for (let at = 0; at < 7; at++) await shop.call('GET', '/v1/catalog/brands', { key })
  const page = await signedIn('developer', '/usage')
  const row = page.getByRole('row', { name: 'Busy' })
  await row.waitFor()
  deepEqual((await row.getByRole('cell').allTextContents()).slice(1), ['7', '2', '100\u00a0%', '5/60s'])
  await page.getByLabel('Application', { exact: true }).first().selectOption({ label: 'Busy' })
  const shown = page.getByRole('figure', { name: 'Refused (429)' })
  await shown.getByText('2', { exact: true }).waitFor()
  await page.getByLabel('Period').selectOption('168')
  await page.waitForURL(/hours=168/)
  await row.waitFor()
  await page.context().close()
})

test('owners demand two-step sign-in, and another owner turns it on', inBrowser, async () => {
  const page = await signedIn('owner', '/account')
  const turnOn = async (at: Page) => {
    await button(at, 'Turn on').click()
    await at.getByLabel('Current password').fill(testPassword)
    await button(at, 'Continue').click()
    const secret = await at.getByRole('dialog').locator('code').textContent()
    await at.getByLabel('Code', { exact: true }).fill(totpNow(secret!))
    await at.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await button(at, 'I have saved them').click()
  }
  await turnOn(page)
  await open(page, '/members')
  // The box shows what the server has stored, so it changes after the reply.
  await page.getByLabel('Owners need two-step sign-in').click()
  await page.getByRole('checkbox', { name: 'Owners need two-step sign-in', checked: true }).waitFor()
  const other = await signedIn('owner', '/orders')
  await other.getByText('Turn it on to go on').first().waitFor()
  await turnOn(other)
  await other.getByRole('heading', { name: 'Orders' }).waitFor()
  await page.getByLabel('Owners need two-step sign-in').click()
  await other.context().close()
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
