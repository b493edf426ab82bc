// The dashboard in a real browser, on one platform.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createBozor } from '../../src/sdk/index.ts'
import { openBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { addMember, testPassword } from '../support/member.ts'
import { isNightly } from '../support/nightly.ts'
import { openOrdering } from '../support/orders.ts'
import { pngOf } from '../support/png.ts'
import { openPlatform } from '../support/shop.ts'
import { totpNow } from '../support/totp.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ensureWebPages } from '../support/web.ts'
import { dashboardPaths, untilLoaded } from './dashboard-paths.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-dashboard-'))
after(() => rmSync(dataDir, { recursive: true }))
const shop = await openPlatform({ env: { DATA_DIR: dataDir } })
const orders = await openOrdering(shop)
const xss = '<img src=x onerror="document.title=1">'

const { signedIn, open, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'a wrong password is refused with a text, and signing in leads to the page that was asked for',
  inBrowser,
  async () => {
    const { email } = await addMember(shop, 'owner', 'first@shop.uz')
    const page = await (await browser!.newContext({ locale: 'en-GB' })).newPage()
    await page.goto(`${shop.url}/dashboard/orders?status=confirmed`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('not the right one')
    await button(page, 'Sign in').click()
    match((await page.getByRole('alert').textContent())!, /wrong|incorrect|password/i)
    await page.getByLabel('Password').fill(testPassword)
    await button(page, 'Sign in').click()
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    equal(await page.getByLabel('Status').inputValue(), 'confirmed')
    await page.context().clearCookies()
    await page.reload()
    await page.getByLabel('E-mail').waitFor()
    await page.context().close()
  },
)

test('a member turns two-step sign-in on and signs in with a recovery code', inBrowser, async () => {
  const page = await signedIn('analyst', '/account')
  const email = await page.getByRole('definition').nth(1).textContent()
  await button(page, 'Turn on').click()
  await page.getByLabel('Current password').fill(testPassword)
  await button(page, 'Continue').click()
  await page.getByRole('img', { name: 'QR code for the authenticator application' }).waitFor()
  const secret = await page.getByRole('dialog').locator('code').textContent()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('wrong').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(totpNow(secret!))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  const recoveryCode = await page.getByRole('dialog').getByRole('listitem').first().textContent()
  await button(page, 'I have saved them').click()
  await page.context().clearCookies()
  await page.reload()
  await page.getByLabel('E-mail').fill(email!)
  await page.getByLabel('Password').fill(testPassword)
  await button(page, 'Sign in').click()
  await page.getByLabel('Code').fill('123456')
  await button(page, 'Sign in').click()
  match((await page.getByRole('alert').textContent())!, /code is wrong/)
  await page.getByLabel('Code').fill(recoveryCode!)
  await button(page, 'Sign in').click()
  await page.getByText('Recovery codes left: 9').waitFor()
  await page.context().close()
})

test(
  'a developer registers an application of each type, calls the API with its key and finds the call in the log',
  inBrowser,
  async () => {
    const page = await signedIn('developer', '/applications')
    let key = ''
    for (const type of ['Server to server', 'Web site', 'Mobile application', 'Mini-app']) {
      await open(page, '/applications')
      await button(page, 'Register an application').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(`${xss} ${type}`)
      await dialog.getByText(type, { exact: true }).click()
      if (/Web|Mobile/.test(type)) await dialog.getByLabel('Redirect URLs').fill('https://shop.uz/back')
      await dialog.getByRole('button', { name: 'Register an application' }).click()
      await dialog.getByLabel('API key').waitFor()
      await dialog.getByRole('button', { name: 'Copy' }).first().click()
      key = await page.evaluate<string>('navigator.clipboard.readText()')
      match(key, /^ak_test_/)
      const reply = await shop.call('GET', '/v1/catalog/products', { key })
      equal(reply.status, 200, reply.text)
      await button(page, 'I have copied it').click()
      await page.getByRole('heading', { name: `${xss} ${type}` }).waitFor()
      ok(!(await page.content()).includes(key), 'the key is not shown again')
      await shop.call('POST', '/v1/catalog/brands', { key, body: { slug: 'b', name: 'B' } })
      await button(page, 'Calls').click()
      await page.getByRole('row').getByText('GET /v1/catalog/products').waitFor()
      await page.getByRole('row').getByText('POST /v1/catalog/brands').click()
      await page.getByRole('dialog').getByText('"code": "insufficient_permissions"').waitFor()
      await page.goBack()
    }
    await button(page, 'Revoke').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked').first().waitFor()
    notTitled(await page.title())
    await page.goto(`${shop.url}/docs/brands`)
    equal(await page.inputValue('#key'), key, 'the examples of the reference have the key of the reader')
    await page.context().close()
  },
)

const notTitled = (title: string) => equal(title, 'Bozor', 'a name ran as a script')

/** 200 products of which line 5 has no name and line 150 an unknown category, after their category. */
function productLines(): string {
  const category = { record: 'category', id: 9_001, slug: 'imported', name: { en: 'Imported' } }
  const products = Array.from({ length: 200 }, (_, at) => ({
    record: 'product',
    id: 90_001 + at,
    category_id: at === 148 ? 9_999_999 : 9_001,
    slug: `imported-${at}`,
    name: at === 3 ? {} : { en: `${xss} ${at}` },
  }))
  return [category, ...products].map((it) => JSON.stringify(it)).join('\n')
}

test('200 products with mistakes are corrected in place and imported', inBrowser, async () => {
  const page = await signedIn('operator', '/import')
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'products.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(productLines()),
  })
  await button(page, 'Import the 199 valid records').waitFor()
  const correct = async (line: string, from: string, to: string) => {
    const field = page.getByRole('textbox', { name: line, exact: true })
    await field.fill((await field.inputValue()).replace(from, to))
  }
  await correct('Line 5', '"name":{}', '"name":{"en":"Corrected"}')
  await correct('Line 150', '9999999', '9001')
  await button(page, 'Check again').click()
  await page.getByText('No mistakes found').waitFor()
  equal((await shop.call('GET', '/v1/catalog/products/90001')).status, 404, 'a check stores nothing')
  await button(page, 'Import').click()
  await page.getByText('The import is done').waitFor()
  equal((await shop.call('GET', '/v1/catalog/products/90004?')).body.data.product.name, 'Corrected')
  await button(page, 'Show the products').click()
  await page.getByText(xss).first().waitFor()
  notTitled(await page.title())
  await page.context().close()
})

test(
  'a category is moved in the tree, a rate is set, and a search says how it was understood and why a product is found',
  inBrowser,
  async () => {
    const page = await signedIn('owner', '/categories')
    const add = async (name: string) => {
      await button(page, 'New category').click()
      await page.getByLabel('Name (en)').fill(name)
      await page.getByLabel('Short name in addresses').fill(name.toLowerCase())
      await button(page, 'Save').click()
      await page.getByText(name, { exact: true }).waitFor()
    }
    await add('Upper')
    await add('Lower')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Lower' })
      .getByRole('button', { name: 'Move' })
      .click()
    await page.getByLabel('Parent').selectOption('Upper')
    await button(page, 'Save').click()
    const moved = async () => {
      const { categories } = (await shop.call('GET', '/v1/catalog/categories?slug=lower')).body.data
      return categories[0].level === 1
    }
    await waitUntil(moved, { what: 'the category is below the other' })
    await open(page, '/rates')
    await button(page, 'Set a rate').click()
    await page.getByLabel('Currency').fill('usd')
    await page.getByLabel('Soums for one unit').fill('12650.5')
    await button(page, 'Save').click()
    await page.getByText('12\u00a0650.5').waitFor()
    await orders.stock.offer({})
    await open(page, '/search?q=prodct')
    await page.getByText('Searched for').waitFor()
    await page.getByRole('list', { name: 'Steps' }).getByText('typo', { exact: true }).waitFor()
    await page.getByRole('list', { name: 'What is asked for' }).getByText('product').first().waitFor()
    const first = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first()
    await first.getByText('prodct → ').first().waitFor()
    await first.locator('summary').focus()
    await page.keyboard.press('Enter')
    const why = first.getByRole('table', { name: 'Why here' })
    await why.getByRole('cell', { name: 'the word itself' }).waitFor()
    await why.getByRole('cell', { name: 'what it is (name)' }).waitFor()
    for (const part of ['Words', 'Availability, popularity, price', 'Score', 'Learned from buyers'])
      await first.getByRole('term').filter({ hasText: part }).waitFor()
    await page.getByLabel('Search the words as typed').check()
    await page.getByText('Nothing is found').waitFor()
    await page.context().close()
  },
)

test('an uploaded picture appears on the product page and in the catalog', inBrowser, async () => {
  const offer = await orders.stock.offer({})
  const { product_id: id } = (await shop.call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
  const page = await signedIn('operator', `/products/${id}`)
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  await page.getByLabel('Choose pictures').setInputFiles(file('a.png', Buffer.from('<svg onload="x()"/>')))
  await page.getByText('Send the body as image/jpeg').waitFor()
  await page.getByLabel('Choose pictures').setInputFiles(file('b.png', pngOf(300, 200)))
  const shown = page.locator('img[src*="/pictures/uploads/test/"]')
  await shown.waitFor()
  const width = () => shown.evaluate<number, { naturalWidth: number }>((it) => it.naturalWidth)
  await waitUntil(async () => (await width()) === 300, { what: 'the picture is drawn' })
  const { images } = (await shop.call('GET', `/v1/catalog/products/${id}`)).body.data.product
  match(images[0].lg_path, /\/pictures\/uploads\/test\//)
  await page.context().close()
})

test('an operator works an order from fulfilment to a refunded return', inBrowser, async () => {
  const offer = await orders.stock.offer({ price: 25_000 })
  const buyer = orders.newClient()
  await orders.put(buyer, offer, 2)
  const [id] = await orders.ordered(buyer)
  const page = await signedIn('operator', `/orders/${id}`)
  const act = async (name: string, submit = name) => {
    await button(page, name).first().click()
    await page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await act('Start fulfilment')
  await button(page, 'Ship').click()
  await page.getByLabel('Carrier').fill('BTS')
  await page.getByRole('dialog').getByRole('button', { name: 'Ship' }).click()
  await button(page, 'Mark delivered').click()
  await act('Record a payment')
  await page.getByText('Completed').first().waitFor()
  await button(page, 'Record a return').click()
  await page.getByLabel('Reason').fill(xss)
  await page.getByRole('dialog').getByRole('button', { name: 'Record a return' }).click()
  await page.getByText(xss).first().waitFor()
  await act('Receive the return')
  await page.getByText('Refunded').or(page.getByText('Returned')).first().waitFor()
  const { fulfilment_status: state } = await orders.get(id!)
  equal(state, 'returned')
  notTitled(await page.title())
  await page.context().close()
})

test('a moderated offer is approved and another rejected by keyboard alone', inBrowser, async () => {
  const first = await orders.stock.moderatedOffer({ status: 'pending' })
  const second = await orders.stock.moderatedOffer({ status: 'pending' })
  const page = await signedIn('operator', '/moderation')
  const statusOf = async (id: number) =>
    (await shop.call('GET', `/v1/catalog/moderated-offers/${id}`)).body.data.moderated_offer.status
  await page.getByRole('heading', { level: 2, name: `Product ${first}` }).waitFor()
  await page.keyboard.press('a')
  await waitUntil(async () => (await statusOf(first)) === 'approved', { what: 'approved' })
  await page.getByRole('heading', { level: 2, name: `Product ${second}` }).waitFor()
  await page.keyboard.press('r')
  await page.getByLabel('What the partner should change').fill('The picture is blurred')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await waitUntil(async () => (await statusOf(second)) === 'rejected', { what: 'rejected' })
  await page.getByText('The queue is empty').waitFor()
  await page.context().close()
})

test('the command palette opens pages and orders, and the environment stays visible', inBrowser, async () => {
  const page = await signedIn('owner', '', { width: 375 })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('webh')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  ok(await page.getByText('Test environment').isVisible())
  await button(page, 'Live').click()
  equal(await page.getByText('Test environment').count(), 0)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  ok(width <= 375, `the page is ${width} px wide on a phone`)
  await page.context().close()
})

test(
  'an analyst sees no page and no button beyond the role, and the address does not help',
  inBrowser,
  async () => {
    const page = await signedIn('analyst')
    equal(await page.getByRole('link', { name: 'Applications and keys' }).count(), 0)
    equal(await page.getByRole('link', { name: 'Moderation' }).count(), 0)
    await open(page, '/applications')
    await page.getByRole('heading', { level: 1, name: 'This page is not part of your role' }).waitFor()
    await open(page, '/no-such-page')
    await page.locator('#content h1').waitFor()
    const offer = await orders.stock.offer({})
    const buyer = orders.newClient()
    await orders.put(buyer, offer)
    const [id] = await orders.ordered(buyer)
    await open(page, `/orders/${id}`)
    await page.getByRole('heading', { name: `Order #${id}` }).waitFor()
    equal(await button(page, 'Cancel the order').count(), 0)
    equal(await button(page, 'Start fulfilment').count(), 0)
    await page.context().close()
  },
)

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

test('axe finds no violation on any page, in both themes', inBrowser, async () => {
  await orders.stock.moderatedOffer({ status: 'pending' })
  const page = await signedIn('owner')
  const bozor = createBozor({ baseUrl: shop.url, apiKey: shop.keys.test })
  const found: string[] = []
  for (const [at, path] of (await dashboardPaths(bozor)).entries()) {
    await open(page, path)
    await untilLoaded(page)
    // Evaluated, not added as an element: the Content-Security-Policy forbids inline scripts.
    await page.evaluate(axeSource)
    // All rules in one theme and only colours in the other, which half of the pages skip except at night.
    const dark = isNightly || at % 2 === 0 ? { dark: `, runOnly: ['color-contrast']` } : {}
    for (const [theme, rules] of Object.entries({ light: '', ...dark })) {
      const faults = await page.evaluate<string[]>(`(document.documentElement.dataset.theme = '${theme}',
        axe.run(document, { resultTypes: ['violations']${rules} }).then((it) => it.violations.map((one) => one.id + ': ' +
          one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | '))))`)
      found.push(...faults.map((it) => `${path || '/'} ${theme} ${it}`))
    }
  }
  deepEqual(found, [])
  await page.context().close()
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
