// What goes wrong in the dashboard: markup in names, a lost server, a session that ends, wrong fields in three languages.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createBozor } from '../../src/sdk/index.ts'
import { openBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { addMember, testPassword } from '../support/member.ts'
import { openOrdering } from '../support/orders.ts'
import { openPlatform } from '../support/shop.ts'
import { ensureWebPages } from '../support/web.ts'
import { dashboardPaths, untilLoaded } from './dashboard-paths.ts'

const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
if (browser) await ensureWebPages()

const shop = await openPlatform()
const orders = await openOrdering(shop)
const { signedIn, open, problems } = openDashboard(shop, browser)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const xss = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

const made = async (path: string, body: object, method = 'POST') => {
  const reply = await shop.call(method, path, { body })
  equal(reply.status < 300, true, `${method} ${path}: ${reply.text}`)
  return reply.body.data
}

/** A record of every kind that a page lists, each with markup in all its texts. */
async function fillWithMarkup(): Promise<void> {
  const text = { ru: xss, uz: xss, en: xss }
  await made('/v1/admin/shop', { name: xss.slice(0, 60) }, 'PATCH')
  const { category } = await made('/v1/catalog/categories', { slug: 'marked', name: text })
  const { brand } = await made('/v1/catalog/brands', { slug: 'marked', name: xss })
  const { partner } = await made('/v1/catalog/partners', { slug: 'marked', name: xss })
  const { product } = await made('/v1/catalog/products', {
    slug: 'marked',
    name: text,
    description: text,
    category_id: category.id,
    brand_id: brand.id,
  })
  await made('/v1/catalog/variants', { product_id: product.id, name: text, attributes: { color: xss } })
  const offer = { product_id: product.id, partner_id: partner.id, price_tiyin: 2_500_000, quantity: 3 }
  const { offer: sold } = await made('/v1/catalog/offers', offer)
  await made(`/v1/catalog/offers/${sold.id}/stock-adjustments`, { change: 1, reason: xss })
  await orders.stock.moderatedOffer({ status: 'pending', productId: Number(product.id) })
  await made('/v1/marketing/promotions', {
    slug: 'marked',
    title: xss,
    title_uz: xss,
    title_en: xss,
    discount_percent: 10,
    offer_ids: [sold.id],
  })
  const texts = { en: { subject: xss, text: xss } }
  await made('/v1/marketing/templates', { slug: 'marked', channel: 'email', description: xss, texts })
  await made('/v1/marketing/campaigns', {
    name: xss,
    channel: 'email',
    template: 'marked',
    audience: [],
    when: { cron: '0 0 9 * * ?' },
  })
  await made('/v1/marketing/notifications', {
    address: 'a@mail.uz',
    channel: 'email',
    template: 'marked',
    language: 'en',
  })
  await made('/v1/recommendations/experiments', {
    name: xss,
    slug: 'marked',
    layers: ['main_page'],
    groups: [
      { name: 'a', share: 0.5, method: 'popular' },
      { name: 'b', share: 0.5, method: 'ranker' },
    ],
  })
  await made('/v1/admin/applications', { name: xss, type: 'server', scopes: ['catalog:read'] })
  await made('/v1/webhooks', { url: 'https://example.uz/hook', description: xss, filters: ['*'] })
  await made('/v1/auth/register', { name: xss, email: 'marked@mail.uz', password: testPassword })
  const buyer = orders.newClient()
  await orders.put(buyer, Number(sold.id))
  const contact = { Name: xss, Phone: '+998901112233' }
  const [order] = await orders.ordered(buyer, { DeliveryAddress: xss, Contact: contact })
  await made(`/v1/orders/${order}/cancel`, { reason: xss })
  await addMember(shop, 'analyst', 'marked@shop.uz')
}

test('markup in every name is shown as text on every page', inBrowser, async () => {
  await fillWithMarkup()
  const page = await signedIn('owner')
  const bozor = createBozor({ baseUrl: shop.url, apiKey: shop.keys.test })
  const showing: string[] = []
  for (const path of await dashboardPaths(bozor)) {
    await open(page, path)
    await untilLoaded(page)
    equal(await page.locator('img[src=x]').count(), 0, path)
    match(await page.title(), /\D/, path)
    if ((await page.locator('#content').textContent())!.includes('<img src=x')) showing.push(path)
  }
  // Not vacuous: the lists and details of these kinds have shown the text.
  for (const kind of ['orders', 'products', 'offers', 'categories', 'promotions', 'campaigns', 'experiments'])
    equal(
      showing.some((it) => it.startsWith(`/${kind}`)),
      true,
      `${kind} in ${showing.join(' ')}`,
    )
  await page.context().close()
})

test('a lost server is said so, and everything is read again when it is back', inBrowser, async () => {
  const page = await signedIn('operator', '/orders')
  await untilLoaded(page)
  let isLost = true
  const calls = /\/(v1|api)\//
  await page.route(calls, (route) => (isLost ? route.abort('connectionrefused') : route.continue()))
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByText('No connection to the server').waitFor()
  isLost = false
  await page.getByText('No connection to the server').waitFor({ state: 'detached' })
  await page.getByRole('row').nth(1).waitFor()
  await page.context().close()
})

test(
  'a session that ends leads to the sign-in page and back, also for another member',
  inBrowser,
  async () => {
    const page = await signedIn('owner', '/orders?status=cancelled')
    await untilLoaded(page)
    await page.context().clearCookies()
    await page.getByLabel('Status').selectOption('confirmed')
    await page.getByLabel('E-mail').waitFor()
    const { email } = await addMember(shop, 'analyst', `analyst-${crypto.randomUUID()}@shop.uz`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(testPassword)
    await button(page, 'Sign in').click()
    await page.locator('#content').waitFor()
    match(page.url(), /\/dashboard\/orders\?status=confirmed/)
    equal(await page.getByRole('link', { name: 'Applications and keys' }).count(), 0)
    await page.context().close()
  },
)

test('a wrong field is explained beside it in the language of the member', inBrowser, async () => {
  const { email } = await addMember(shop, 'owner', 'three-languages@shop.uz')
  for (const [locale, signIn, edit, save, problem] of [
    ['ru-RU', 'Войти', 'Лимиты', 'Сохранить', /должно быть не меньше/],
    ['uz-Latn-UZ', 'Kirish', 'Cheklovlar', 'Saqlash', /kamida/],
    ['en-GB', 'Sign in', 'Limits', 'Save', /must be at least/],
  ] as const) {
    const page = await (await browser!.newContext({ locale })).newPage()
    await page.goto(`${shop.url}/dashboard/limits`)
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill(testPassword)
    await button(page, signIn).click()
    await page.getByRole('heading', { name: edit, level: 1 }).waitFor()
    await page.locator('#content button').first().click()
    const field = page.getByRole('dialog').locator('input').first()
    await field.fill('-1')
    await button(page, save).click()
    await page.getByRole('dialog').locator('input[aria-invalid=true]').first().waitFor()
    match((await page.getByRole('dialog').textContent())!, problem)
    await page.context().close()
  }
})

test('no page broke the Content-Security-Policy or threw an error', inBrowser, () => {
  deepEqual(problems, [])
})
