// Screenshots of every page of the storefront, at two widths and in both themes, from a running shop with the demo:
// `KEY=… npm run screenshots:shop -- http://127.0.0.1:8080 [FOLDER] [NAMES]`. It signs up a buyer and places orders; with a
// key it also lowers a price and delivers an order.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { pictureBrowser } from '../support/browser.ts'

const [url = 'http://127.0.0.1:8080', folder = 'screenshots', part = ''] = process.argv.slice(2)
const widths = [375, 1440]
const heights: Record<number, number> = { 375: 812, 1440: 900 }
/** A key with every scope, for what staff does: prices, deliveries. */
const key = process.env['KEY']
/** Pages that are also saved in the other languages, in one theme. */
const translated = new Set([
  'home',
  'product',
  'cart',
  'checkout',
  'category',
  'order-delivered',
  'account',
  'mini',
])
const isWhole = process.env['WHOLE'] === '1'

const place = { city: 'Чиланзар', street: 'Бунёдкор', building: '12' }

const options = await pictureBrowser()
if (!options) throw new Error('no browser is available')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(options)
let page = await (await browser.newContext()).newPage()
try {
  await visitAll()
} finally {
  await browser.close()
}

function isWanted(name: string): boolean {
  return part === '' || part.split(',').includes(name)
}

async function open(path: string): Promise<void> {
  await page.goto(`${url}/shop/ru${path}`)
}

/** The open page at both widths and in both themes. It is loaded again, because some parts depend on the width. */
async function save(name: string): Promise<void> {
  if (!isWanted(name)) return
  if (translated.has(name)) await saveTranslations(name)
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width]! })
    if (isReloaded(name)) await page.reload()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate('scrollTo(0, 0)')
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: isWhole,
        // What is below the window is not laid out before the window comes near.
        style: '* { content-visibility: visible !important }',
      })
    }
  }
}

/** In another tab, so that what is typed stays. */
async function saveTranslations(name: string): Promise<void> {
  const tab = await page.context().newPage()
  for (const language of ['uz', 'uz-cyrl', 'en'])
    for (const width of widths) {
      await tab.setViewportSize({ width, height: heights[width]! })
      await tab.goto(page.url().replace('/shop/ru', `/shop/${language}`))
      await tab.screenshot({ path: join(folder, `${name}-${language}-${width}.png`), fullPage: isWhole })
    }
  await tab.goto(`${url}/shop/ru`)
  await tab.close()
}

/** What is typed and what a note says would be lost. */
function isReloaded(name: string): boolean {
  return ![
    'checkout',
    'checkout-problems',
    'checkout-instalments',
    'product',
    'payment-declined',
    'product-refused',
    'cart-refused',
    'bank-wrong',
  ].includes(name)
}

async function visitAll(): Promise<void> {
  for (const [name, path] of Object.entries({
    home: '',
    catalog: '/catalog',
    category: '/c/smartphones',
    'category-filtered': '/c/smartphones?in_stock=true&price_max=5000000&sort=price',
    search: '/search?q=кроссовки',
    'search-typo': '/search?q=наушнки',
    'search-layout': '/search?q=yfeiybrb',
    'search-empty': '/search?q=zzzzzzzz',
    deals: '/deals',
    'cart-empty': '/cart',
    'wishlist-empty': '/wishlist',
    'sign-in': '/sign-in',
    'sign-up': '/sign-up',
    missing: '/p/999999/x',
    'find-order': '/orders',
    mini: '/mini',
  })) {
    if (!isWanted(name)) continue
    await open(path)
    await save(name)
  }
  await limits()
  await signUp(page)
  await fillCart()
  await sharedCart()
  await open('/checkout')
  await page.click('.checkout .brand.wide')
  await page.locator('.field-problem').first().waitFor()
  await save('checkout-problems')
  await fillIn(page)
  await save('checkout')
  await page.click('.checkout .brand.wide')
  await page.locator('.thanks').waitFor()
  await save('placed')
  const paid = await pay()
  if (key) await returned(paid)
  await instalments()
  await addAddress()
  for (const name of ['orders', 'account', 'account/mandates', 'shared']) {
    await open(`/${name}`)
    await save(name.replace('account/', ''))
  }
  await miniCart()
}

/** A guest who wants more than the limits allow, and one more unit than there are. */
async function limits(): Promise<void> {
  const [phone] = await productsToBuy(['смартфон'])
  await open(phone!)
  await page.fill(
    '.buy [name=quantity]',
    await page.locator('.buy [name=quantity]').getAttribute('max').then(String),
  )
  await page.click('.buy .brand')
  await page.locator('.note').waitFor()
  await save('product-refused')
  await page.reload()
  await page.click('.buy .brand')
  await page.locator('.note').waitFor()
  await open('/cart')
  for (let pressed = 0; pressed < 5 && (await page.locator('main .alert').count()) === 0; pressed++) {
    const more = page.locator('[id^=more-]').first()
    if (await more.isDisabled()) break
    await Promise.all([page.waitForResponse(/cart\/quantity/), more.click()])
    await page.locator('main:not([aria-busy])').waitFor()
  }
  await save('cart-refused')
  await page.click('text=Очистить корзину')
}

async function addAddress(): Promise<void> {
  await open('/account')
  await page.locator('#addresses summary').click()
  for (const [name, value] of Object.entries(place)) await page.fill(`#addresses #${name}`, value)
  await page.locator('#addresses .brand').click()
  await page.locator('.note').waitFor()
}

async function fillCart(): Promise<void> {
  for (const product of await productsToBuy(['кроссовки', 'наушники'])) {
    await open(product)
    await page.click('.buy .brand')
    await page.locator('.note').waitFor()
  }
  await save('product')
  await page.click('.buy .soft')
  await page.locator('.note', { hasText: 'избранное' }).waitFor()
  await lowerPrice(await page.locator('.buy [name=offer]').inputValue())
  await open('/wishlist')
  await save('wishlist')
  await open('/cart')
  await save('cart')
}

/** Both people of a shared cart: the guest with the link, and the client. */
async function sharedCart(): Promise<void> {
  await open('/cart')
  await page.click('text=Собрать корзину вместе')
  await page.locator('#link').waitFor()
  const link = await page.inputValue('#link')
  const { context, page: client } = { context: await browser.newContext(), page }
  page = await context.newPage()
  await page.goto(link)
  await save('shared-join')
  await page.click('text=Присоединиться')
  await page.locator('.line').first().waitFor()
  await context.close()
  page = client
  await save('shared-cart')
}

/** The order is paid after a declined card, with a step of confirmation. */
async function pay(): Promise<string> {
  await page.locator('.order-card a').first().click()
  await page.locator('.timeline').waitFor()
  await save('order')
  await payBy('8600000000000023')
  await page.locator('.alert').waitFor()
  await save('payment-declined')
  await payBy('8600000000000056')
  await page.locator('.waiting').waitFor()
  await save('payment-waiting')
  await page.click('.waiting .brand')
  await save('bank')
  await page.fill('#code', '0000')
  await page.click('[value=approve]')
  await save('bank-wrong')
  await page.fill('#code', '1234')
  await page.click('[value=approve]')
  await page.locator('.status-confirmed').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1)!
}

async function payBy(number: string): Promise<void> {
  await page.fill('#number', number)
  await page.fill('#expiry', '12/30')
  await page.fill('#cvc', '123')
  await page.click('.card-form .brand')
}

/** Staff delivers the order, then the client returns a part of it. */
async function returned(id: string): Promise<void> {
  await save('order-paid')
  const { fulfilment } = (await call('POST', `/v1/orders/${id}/fulfilments`, {})) as {
    fulfilment: { id: string }
  }
  for (const step of ['ship', 'deliver'])
    await call('POST', `/v1/orders/${id}/fulfilments/${fulfilment.id}/${step}`, {})
  await page.reload()
  await save('order-delivered')
  await page.fill('[name=line-1]', '1')
  await page.fill('#reason', 'не подошёл размер')
  await page.click('text=Оформить возврат')
  await page.locator('.timeline', { hasText: 'Возврат запрошен' }).waitFor()
  await save('order-returned')
}

async function instalments(): Promise<void> {
  for (const product of await productsToBuy(['ноутбук'])) {
    await open(product)
    await page.locator('.buy select[name=condition]').selectOption({ index: 1 })
    await page.click('.buy .brand')
    await page.locator('.note').waitFor()
  }
  await open('/cart')
  await save('cart-instalments')
  await open('/checkout')
  await fillIn(page)
  await page.locator('[name=method][value="2"]').check()
  await save('checkout-instalments')
  await page.click('.checkout .brand.wide')
  await page.locator('.thanks').waitFor()
  await page.locator('.order-card a').first().click()
  await page.locator('.schedule').waitFor()
  await save('order-instalments')
  await payBy('8600000000000015')
  await page.locator('.schedule .paid').waitFor()
  await save('order-instalment-paid')
}

async function miniCart(): Promise<void> {
  await open('/mini')
  // A moderated offer, if the list has one.
  const moderated = page.locator('.mini-list li', { hasText: 'Проверяемый' }).locator('.add')
  const offers = (await moderated.count()) > 0 ? moderated : page.locator('.mini-list .add')
  await offers.first().click()
  await page.locator('.mini-cart form').first().waitFor()
  await save('mini-cart')
  await open('/cart')
  await save('cart-moderated')
}

/** So that the wishlist has a price drop. */
async function lowerPrice(offer: string): Promise<void> {
  if (!key) return
  const found = (await call('GET', `/v1/catalog/offers/${offer}`)) as { offer: { price: { amount: number } } }
  await call('PATCH', `/v1/catalog/offers/${offer}`, {
    price_tiyin: Math.round((found.offer.price.amount * 0.85) / 100) * 100,
  })
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data } = (await reply.json()) as { data: unknown }
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`)
  return data
}

async function signUp(visitor: Page): Promise<void> {
  await open('/sign-up')
  await visitor.fill('#name', 'Малика')
  await visitor.fill('#phone', `+99890${String(Date.now()).slice(-7)}`)
  await visitor.fill('#password', 'four plums in a basket')
  await visitor.click('main form .brand')
  await visitor.click('[name=decision][value=allow]')
  await visitor.locator('.note').waitFor()
}

/** Products of different categories that have stock. */
async function productsToBuy(queries: string[]): Promise<string[]> {
  const found: string[] = []
  for (const query of queries) {
    await open(`/search?q=${query}&in_stock=true&sort=price`)
    const address = await page.locator('.card .card-link').first().getAttribute('href')
    if (address !== null) found.push(address.replace('/shop/ru', ''))
  }
  return found
}

async function fillIn(visitor: Page): Promise<void> {
  for (const [name, value] of Object.entries(place)) await visitor.fill(`#${name}`, value)
}
