// A buyer's way through the storefront in a real browser: at 375 px, by keyboard, in both themes.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { faultsOf, openShopper, openShopPlatform, type Shopper } from '../support/storefront.ts'

const platform = await openShopPlatform()
const { call } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
const shopper = (options?: Parameters<typeof openShopper>[2]) => openShopper(browser!, platform, options)

const okCard = '8600000000000015'
const declinedCard = '8600000000000023'

/** A product with stock that every guest may buy, and its only offer. */
async function cheapOffer(sort: string): Promise<{ product: string; offer: string }> {
  const query = `price_min=2000000&price_max=20000000&in_stock=true&per_page=1&sort=${sort}`
  const { body } = await call('GET', `/v1/catalog/products?${query}`)
  const [found] = body.data.products
  return { product: found.id, offer: found.best_offer_id }
}

async function addProduct({ page, open }: Shopper, product: string): Promise<void> {
  await open(`/p/${product}/-`)
  await page.click('.buy .brand')
  await page.locator('.note', { hasText: 'Добавлено в корзину' }).waitFor()
}

async function fillCheckout({ page, open }: Shopper): Promise<void> {
  await open('/checkout')
  for (const [name, value] of Object.entries({
    name: 'Азиза',
    phone: '+998901234567',
    city: 'Чиланзар',
    street: 'Бунёдкор',
    building: '12',
  }))
    await page.fill(`#${name}`, value)
}

async function payBy({ page }: Shopper, number: string): Promise<void> {
  await page.fill('#number', number)
  await page.fill('#expiry', '12/30')
  await page.fill('#cvc', '123')
  await page.click('.card-form .brand')
}

/** Staff ships and delivers the order. */
async function deliver(id: string): Promise<void> {
  const made = await call('POST', `/v1/orders/${id}/fulfilments`, { body: {} })
  equal(made.status, 201, made.text)
  const { id: fulfilment } = made.body.data.fulfilment
  for (const step of ['ship', 'deliver']) {
    const reply = await call('POST', `/v1/orders/${id}/fulfilments/${fulfilment}/${step}`, {
      ...(step === 'ship' && { body: {} }),
    })
    equal(reply.status, 200, reply.text)
  }
}

const shown = async ({ page }: Shopper, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor()

test(
  'a guest finds a product despite a typo, pays after a declined card, and returns it',
  inBrowser,
  async () => {
    const guest = await shopper()
    const { page } = guest
    await guest.open('')
    await page.fill('input[name=q]', 'наушнки')
    await page.locator('.suggestions a').first().waitFor()
    await page.keyboard.press('Enter')
    await shown(guest, '.corrected', 'наушники')
    await page.click('.card .card-link')
    await page.locator('.buy-box').waitFor()
    ok(await page.locator('script[type="application/ld+json"]').count())

    await addProduct(guest, (await cheapOffer('-popularity')).product)
    equal(await page.locator('.bar [data-cart-count]').textContent(), '1')
    await guest.open('/cart')
    await page.click('[id^=more-]')
    await shown(guest, '.summary dd', '2')
    await shown(guest, '.methods', 'Доступно после входа')

    await guest.open('/checkout')
    await page.click('.checkout .brand')
    await shown(guest, '.field-problem', 'Заполните это поле')
    await fillCheckout(guest)
    await page.click('.checkout .brand')
    await shown(guest, 'h1', 'Спасибо')
    await payBy(guest, declinedCard)
    await shown(guest, '.alert', 'Деньги не списаны')
    await payBy(guest, okCard)
    await shown(guest, '.status-confirmed', 'Подтверждён')
    await shown(guest, '.timeline', 'Платёж не прошёл')

    const id = page.url().split('/').at(-1)!
    await deliver(id)
    await page.reload()
    await page.fill('[name=line-1]', '1')
    await page.fill('#reason', 'не подошёл')
    await page.click('text=Оформить возврат')
    await shown(guest, '.timeline', 'Возврат запрошен')
    await guest.open(`/orders/find?number=${id}`)
    await shown(guest, 'h1', `Заказ №${id}`)
    deepEqual(guest.complaints, [])
  },
)

test('a price that rises before the order is confirmed first', inBrowser, async () => {
  const guest = await shopper()
  const { page } = guest
  const { product, offer } = await cheapOffer('-rating')
  await addProduct(guest, product)
  await fillCheckout(guest)
  const before = (await call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer.price.amount
  const raised = before + 100_000
  const changed = await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { price_tiyin: raised } })
  equal(changed.status, 200, changed.text)
  await page.click('.checkout .brand')
  await shown(guest, '.alert', 'Цена изменилась')
  equal((await call('GET', '/v1/orders?per_page=1&status=awaiting_payment')).body.data.pagination.total, 0)
  equal(await page.inputValue('#street'), 'Бунёдкор', 'what was filled in stays')
  await page.click('.checkout .brand')
  await shown(guest, 'h1', 'Спасибо')
})

test('a guest signs up, and cart and wishlist come along', inBrowser, async () => {
  const buyer = await shopper()
  const { page } = buyer
  const { product } = await cheapOffer('name')
  await addProduct(buyer, product)
  await page.click('.buy .soft')
  await shown(buyer, '.note', 'Добавлено в избранное')
  await buyer.open('/sign-up')
  await page.fill('#name', 'Дильноза')
  await page.fill('#phone', '+998 90 765 43 21')
  await page.fill('#password', 'short')
  await page.click('main form .brand')
  await page.locator('#password-problem').waitFor()
  await page.fill('#password', 'four plums in a basket')
  await page.click('main form .brand')
  await page.click('[name=decision][value=allow]')
  await shown(buyer, '.note', 'С возвращением, Дильноза! Товары гостя перенесены: корзина 1, избранное 1.')
  await buyer.open('/wishlist')
  equal(await page.locator('.line').count(), 1)
  await buyer.open('/account')
  await shown(buyer, '.account-item', 'Storefront')
  await shown(buyer, '.account-item', 'это устройство')
  deepEqual(await faultsOf(page), [])
  await page.click('text=Выйти')
  await shown(buyer, '.note', 'Вы вышли')
  await buyer.open('/account')
  equal(await page.textContent('h1'), 'Войти')
})

test('two browsers fill one shared cart', inBrowser, async () => {
  const [first, second] = [await shopper(), await shopper()]
  await addProduct(first, (await cheapOffer('price')).product)
  await first.open('/cart')
  await first.page.click('text=Собрать корзину вместе')
  const link = await first.page.inputValue('#link')
  await addProduct(second, (await cheapOffer('-price')).product)
  await second.page.goto(link)
  await second.page.click('text=Присоединиться')
  await shown(second, '.line', 'участник 1')
  await second.page.click('text=Добавить из моей корзины')
  await shown(second, '.line', 'вы')
  await first.page.reload()
  await shown(first, '.line', 'участник 2')
  await first.page.click('text=Забрать всё в мою корзину')
  equal(await first.page.locator('.line').count(), 2)
  await second.page.reload()
  await shown(second, '.lead', 'закрыта')
})

test('the mini-app sells by the mini-app calls', inBrowser, async () => {
  const guest = await shopper()
  await guest.open('/mini')
  await guest.page.click('.mini-list .add')
  await shown(guest, '.mini-cart', 'Корзина')
  deepEqual(await faultsOf(guest.page), [])
})

test('pages are accessible in both themes and fit a phone', inBrowser, async () => {
  const { product } = await cheapOffer('-popularity')
  for (const colorScheme of ['light', 'dark'] as const) {
    const guest = await shopper({ colorScheme })
    await addProduct(guest, product)
    for (const path of [
      '',
      '/c/3/smartphones',
      `/p/${product}/-`,
      '/cart',
      '/checkout',
      '/search?q=zzzzzzzz',
    ]) {
      await guest.open(path)
      deepEqual(await faultsOf(guest.page), [], `${path} in the ${colorScheme} theme`)
    }
    deepEqual(guest.complaints, [])
  }
})

test(
  'without script a guest browses, filters, and fills the cart; the keyboard is enough',
  inBrowser,
  async () => {
    const guest = await shopper({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
    const { page } = guest
    await guest.open('/c/3/smartphones?brand=samsung&sort=price')
    const titles = await page.locator('.card h3').allTextContents()
    ok(titles.length > 0 && titles.every((it) => it.includes('Samsung')), String(titles))
    await guest.open(`/p/${(await cheapOffer('-popularity')).product}/-`)
    await page.locator('.buy .brand').focus()
    await page.keyboard.press('Enter')
    await shown(guest, '.note', 'Добавлено в корзину')
    await guest.open('/cart')
    equal(await page.locator('.line').count(), 1)
  },
)

test('search engines get canonical addresses, languages and a sitemap', async () => {
  const moved = await fetch(`${platform.url}/shop/ru/p/1/old-name`, { redirect: 'manual' })
  equal(moved.status, 301)
  const address = moved.headers.get('location')!
  const text = await (await fetch(platform.url + address)).text()
  match(text, new RegExp(`<link rel="canonical" href="${platform.url}${address}"`))
  for (const tag of ['ru', 'uz-Latn', 'uz-Cyrl', 'en', 'x-default'])
    match(text, new RegExp(`hreflang="${tag}"`))
  match(text, /"@type":"AggregateOffer"/)
  const sitemap = await (await fetch(`${platform.url}/shop/sitemap.xml`)).text()
  ok(sitemap.includes(`<loc>${platform.url}${address}</loc>`))
  equal((await fetch(`${platform.url}/shop/ru/p/999999/x`)).status, 404)
  const foreign = await fetch(`${platform.url}/shop/ru/cart/add`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({ offer: '1' }),
  })
  equal(foreign.status, 404, 'a form of another site')
})
