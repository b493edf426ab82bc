// A buyer's way through the storefront in a real browser: at 375 px, by keyboard, in both themes.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import {
  addProduct,
  address,
  approveAtBank,
  approvedCard,
  cheapOffer as anyCheapOffer,
  declinedCard,
  deliver,
  fillCheckout,
  okCard,
  payBy,
  productsOfTwoPartners,
  shown,
  signUp,
} from '../support/shopping.ts'
import { waitUntil } from '../support/wait-until.ts'
import { faultsOf, openShopper, openShopPlatform } from '../support/storefront.ts'

const platform = await openShopPlatform()
const { call } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
const shopper = (options?: Parameters<typeof openShopper>[2]) => openShopper(browser!, platform, options)

const cheapOffer = (sort: string) => anyCheapOffer(call, sort)

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
    await shown(guest, 'h1', 'наушники')
    await page.click('.card .card-link')
    await page.locator('.buy-box').waitFor()
    ok(await page.locator('script[type="application/ld+json"]').count())

    await addProduct(guest, (await cheapOffer('-popularity')).product)
    equal(await page.locator('.bar [data-cart-count]').textContent(), '1')
    await guest.open('/cart')
    await page.click('[id^=more-]')
    await shown(guest, '.summary dd', '2')
    await shown(guest, '.methods', 'Доступно после входа')
    await page.click('[id^=more-]')
    await shown(guest, '.line-side', 'Без входа — не больше 3 шт.')

    await guest.open('/checkout')
    await page.click('.checkout .brand')
    await shown(guest, '#city-problem', 'Заполните это поле')
    await page.fill('#city', 'Чиланзар')
    await page.locator('#city-problem').waitFor({ state: 'detached' })
    await fillCheckout(guest)
    await page.click('.checkout .brand')
    await shown(guest, 'h1', 'Спасибо')
    await payBy(guest, declinedCard)
    await shown(guest, '.alert', 'Деньги не списаны')
    await payBy(guest, okCard)
    await shown(guest, '.status-confirmed', 'Подтверждён')
    await shown(guest, '.timeline', 'Платёж не прошёл')

    const id = page.url().split('/').at(-1)!
    await deliver(call, id)
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

test(
  'a client pays with a promotion code, by a card with a 3-D step and by instalments, and reviews the product',
  inBrowser,
  async () => {
    const buyer = await shopper()
    const { page } = buyer
    const [first, second] = await productsOfTwoPartners(call)
    const made = await call('POST', '/v1/admin/coupons', { body: { code: 'TEN', percent: 10 } })
    equal(made.status, 201, made.text)
    for (const { id } of [first!, second!]) {
      await buyer.open(`/p/${id}/-`)
      await page.locator('.buy .brand').press('Enter')
      await shown(buyer, '.note', 'Добавлено в корзину')
    }
    await buyer.open('/cart')
    await page.fill('#coupon', 'ten')
    await page.locator('#coupon').press('Enter')
    await shown(buyer, '.alert', 'Войдите, чтобы воспользоваться промокодом')
    await signUp(buyer, '+998 90 765 43 22')
    await shown(buyer, '.note', 'корзина 2')
    await buyer.open('/cart')
    await page.fill('#coupon', 'ten')
    await page.locator('#coupon').press('Enter')
    await shown(buyer, '.coupon-code', 'TEN')
    await shown(buyer, '.summary .deal', 'Скидка по промокоду')
    deepEqual(await faultsOf(page), [])

    await buyer.open('/account')
    await page.locator('#addresses summary').press('Enter')
    for (const [name, value] of Object.entries(address)) await page.fill(`#addresses #${name}`, value)
    await page.locator('#addresses .brand').press('Enter')
    await shown(buyer, '.note', 'Адрес сохранён')
    await shown(buyer, '#addresses .account-item', 'Бунёдкор')

    await buyer.open('/checkout')
    equal(await page.inputValue('#street'), 'Бунёдкор')
    const forBoth = (await page.locator('.checkout .brand').textContent())!.trim()
    await page.locator(`#item-${second!.offer}`).press('Space')
    await page.locator(`#item-${second!.offer}:not(:checked)`).waitFor()
    // The form has the total that the buyer confirms; it changes when the reply arrives.
    await page.locator('.checkout .brand', { hasNotText: forBoth }).waitFor()
    await shown(buyer, '.summary .deal', 'Скидка по промокоду')
    await page.locator('.checkout .brand').press('Enter')
    await shown(buyer, 'h1', 'Спасибо')
    await payBy(buyer, approvedCard)
    await shown(buyer, '.waiting', 'Подтвердите платёж')
    const paidOrder = page.url().split('/').at(-1)!
    await page.click('.waiting .brand')
    deepEqual(await faultsOf(page), [])
    await page.click('[value=decline]')
    await shown(buyer, '.timeline', 'Платёж не прошёл')
    await payBy(buyer, approvedCard)
    await page.click('.waiting .brand')
    await approveAtBank(buyer)
    await shown(buyer, '.status-confirmed', 'Подтверждён')
    await shown(buyer, '.deal', 'TEN')

    await buyer.open('/cart')
    await page.locator(`#condition-${second!.offer}`).selectOption({ index: 1 })
    await page.locator('.methods li:not(.muted)', { hasText: 'В рассрочку' }).waitFor()
    await shown(buyer, '.repayment', /\d+\s×\s.+\sсум/)
    await buyer.open('/checkout')
    await shown(buyer, '.line-choice', /\d+\s×\s.+\sсум/)
    ok(await page.isChecked('[name=method][value="2"]'), 'the term was chosen in the cart')
    await page.locator('[name=method][value="2"]').press('Space')
    await page.locator('.checkout .brand').press('Enter')
    await shown(buyer, 'h1', 'Спасибо')
    equal(
      (await call('GET', '/v1/orders?per_page=2&sort=-id')).body.data.orders[0].payment_method.code,
      'installment',
    )

    await deliver(call, paidOrder)
    await buyer.open(`/p/${first!.id}/-`)
    await page.locator('[name=stars][value="5"]').press('Space')
    await page.fill('#review-text', 'Держит тепло весь день')
    await page.locator('.review-form .brand').press('Enter')
    await shown(buyer, '.note', 'Отзыв появится после проверки')
    const waiting = (await call('GET', '/v1/admin/reviews?status=pending')).body.data.reviews
    equal(waiting[0].is_verified, true)
    await call('POST', `/v1/admin/reviews/${waiting[0].id}/decision`, { body: { approved: true } })
    await page.reload()
    await shown(buyer, '.review-list', 'Держит тепло весь день')
    deepEqual(await faultsOf(page), [])
    await waitUntil(
      async () => {
        await buyer.open('')
        return (await page.locator('h2', { hasText: 'Вы смотрели' }).count()) > 0
      },
      { what: 'the viewed products on the home page' },
    )
    deepEqual(buyer.complaints, [])
  },
)

test('the monthly payment of an expensive product is not cut off on a phone', inBrowser, async () => {
  const buyer = await shopper()
  await buyer.open('/c/smartphones')
  await buyer.page.locator('.card h3').first().waitFor()
  // The longest of the languages; numbers have no spaces at which they could break.
  const beyond = await buyer.page.evaluate<number>(`(() => {
    const title = document.querySelector('.card h3')
    const badge = document.createElement('p')
    badge.className = 'monthly'
    badge.textContent = '11\\u00a0115\\u00a0897\\u00a0sum/month ×\\u00a024'
    title.before(badge)
    return badge.getBoundingClientRect().right - title.closest('.card').getBoundingClientRect().right
  })()`)
  ok(beyond <= 0, `${beyond} pixels beyond the card`)
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

test(
  'without script a guest browses, filters, and fills the cart; the keyboard is enough',
  inBrowser,
  async () => {
    const guest = await shopper({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
    const { page } = guest
    await guest.open('/c/smartphones?brand=samsung&sort=price')
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
