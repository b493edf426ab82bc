// Whole journeys through the storefront on a phone: by keyboard alone, with a session that ends, in two tabs, without a
// connection, with stock and prices that change meanwhile. Then every page with axe-core in both themes.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { isNightly } from '../support/nightly.ts'
import { password, newBuyer } from '../support/oauth.ts'
import * as steps from '../support/shopping.ts'
import {
  contrastFaultsOf,
  faultsOf,
  openShopper,
  openShopPlatform,
  type Shopper,
} from '../support/storefront.ts'

const platform = await openShopPlatform()
const { call } = platform
const browser = await openBrowser()
const inBrowser = { skip: !browser && 'no Chromium on PATH, and npm has none for this processor' }
const shopper = (): Promise<Shopper> => openShopper(browser!, platform)
const { addProduct, fillCheckout, pressKeyOn, shown, tabTo, typeInto } = steps

const lastPart = (address: string): string => new URL(address).pathname.split('/').at(-1)!

async function typeAddress(buyer: Shopper): Promise<void> {
  for (const [name, value] of Object.entries(steps.address)) await typeInto(buyer, `#${name}`, value)
}

async function typeCard(buyer: Shopper, number: string): Promise<void> {
  for (const [name, value] of Object.entries({ number, expiry: '12/30', cvc: '123' }))
    await typeInto(buyer, `#${name}`, value)
  await buyer.page.keyboard.press('Enter')
}

/** From the search field to the cart, without a pointer. */
async function findAndAdd(buyer: Shopper, words: string, card = '.card-link'): Promise<void> {
  await typeInto(buyer, 'input[name=q]', words)
  await buyer.page.keyboard.press('Enter')
  await buyer.page.waitForURL(/\/search\?/)
  await pressKeyOn(buyer, card)
  await pressKeyOn(buyer, '.buy .brand')
  await shown(buyer, '.note', 'Добавлено в корзину')
}

interface Chosen {
  slug: string
  offer: string
  name: string
}

/** The cheapest product that a query with a typo finds, and one of another partner that can be paid in instalments. */
async function chooseProducts(): Promise<[Chosen, Chosen]> {
  const query = `/v1/catalog/products/search?q=${encodeURIComponent('наушнки')}&per_page=24`
  const found = (await call('GET', query)).body.data.products as (Chosen & {
    in_stock: boolean
    price: { amount: number }
    best_offer_id: string
  })[]
  const [cheapest] = found.filter((it) => it.in_stock).toSorted((a, b) => a.price.amount - b.price.amount)
  const first = { ...cheapest!, offer: cheapest!.best_offer_id }
  const partnerOf = async (offer: string): Promise<string> =>
    (await call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer.partner.id
  const others = await steps.productsOfTwoPartners(call)
  const isOther = await Promise.all(
    others.map(async (it) => (await partnerOf(it.offer)) !== (await partnerOf(first.offer))),
  )
  return [first, others[isOther.indexOf(true)]!]
}

async function signInFromCart(buyer: Shopper): Promise<void> {
  const { page } = buyer
  const { phone } = await newBuyer(platform.url, platform.keys.test)
  await pressKeyOn(buyer, 'main a[href*="/sign-in"]')
  await pressKeyOn(buyer, 'main a[href*="/sign-in/start"]')
  await page.locator('[name=login]:focus').waitFor()
  await page.keyboard.insertText(phone)
  await page.keyboard.press('Tab')
  await page.keyboard.insertText(password)
  await page.keyboard.press('Enter')
  await pressKeyOn(buyer, '[name=decision][value=allow]')
  await shown(buyer, '.note', 'корзина 2')
  match(page.url(), /\/cart$/, 'back where the sign-in began')
}

/** Leaves the other product in the cart and pays with a 3-D step. */
async function payByCard(buyer: Shopper, other: Chosen): Promise<string> {
  const { page } = buyer
  await pressKeyOn(buyer, 'main a[href$="/checkout"]')
  await pressKeyOn(buyer, `#item-${other.offer}`, 'Space')
  await page.locator(`#item-${other.offer}:not(:checked)`).waitFor()
  await typeAddress(buyer)
  await pressKeyOn(buyer, '.checkout .brand')
  await shown(buyer, 'h1', 'Спасибо')
  await typeCard(buyer, steps.approvedCard)
  await shown(buyer, '.waiting', 'Подтвердите платёж')
  await pressKeyOn(buyer, '.waiting .brand')
  await steps.approveAtBank(buyer)
  await shown(buyer, '.status-confirmed', 'Подтверждён')
  return lastPart(page.url())
}

/** Orders the product in instalments and pays the first of them. */
async function payInInstalments(buyer: Shopper, chosen: Chosen): Promise<string> {
  const { page } = buyer
  await pressKeyOn(buyer, '.bar a[href$="/cart"]')
  await tabTo(buyer, `#condition-${chosen.offer}`)
  await page.keyboard.press('ArrowDown')
  await page.locator('.methods li:not(.muted)', { hasText: 'В рассрочку' }).waitFor()
  await pressKeyOn(buyer, 'main a[href$="/checkout"]')
  await typeAddress(buyer)
  await tabTo(buyer, '[name=method]')
  if (!(await page.locator('[name=method][value="2"]').isChecked())) await page.keyboard.press('ArrowDown')
  ok(await page.locator('[name=method][value="2"]').isChecked())
  await pressKeyOn(buyer, '.checkout .brand')
  await shown(buyer, 'h1', 'Спасибо')
  await pressKeyOn(buyer, '.order-card a')
  await shown(buyer, '.schedule li', 'Платёж 1')
  const order = lastPart(page.url())
  await typeCard(buyer, steps.okCard)
  await page.locator('.schedule li.paid', { hasText: 'Платёж 1' }).waitFor()
  return order
}

test('by keyboard alone: search, two partners, sign-in, card, instalments, return', inBrowser, async () => {
  const buyer = await shopper()
  const { page } = buyer
  const [first, second] = await chooseProducts()
  await buyer.open('')
  await findAndAdd(buyer, 'наушнки', `.card-link[href$="/p/${first.slug}"]`)
  await page.goBack()
  await shown(buyer, 'h1', 'наушники')
  await findAndAdd(buyer, second.name, `.card-link[href$="/p/${second.slug}"]`)
  await pressKeyOn(buyer, '.bar a[href$="/cart"]')
  await signInFromCart(buyer)
  const paid = await payByCard(buyer, second)
  const loan = await payInInstalments(buyer, second)

  await steps.deliver(call, paid)
  await pressKeyOn(buyer, '.bar a[href$="/account"]')
  await pressKeyOn(buyer, 'main a[href$="/orders"]')
  await page.locator(`.order-card a[href$="/${loan}"]`).waitFor()
  await pressKeyOn(buyer, `.order-card a[href$="/${paid}"]`)
  await typeInto(buyer, '[name=line-1]', '1')
  await typeInto(buyer, '#reason', 'не подошёл')
  await page.keyboard.press('Enter')
  await shown(buyer, '.timeline', 'Возврат запрошен')
  deepEqual(buyer.complaints, [])
  await everyPageIsAccessible(buyer, [`/orders/${paid}`, `/orders/${loan}`, `/placed?orders=${paid}`])
})

/** At the end of the journey, because these pages have more to show then. */
async function everyPageIsAccessible(buyer: Shopper, orders: string[]): Promise<void> {
  const { page } = buyer
  const { product } = await steps.cheapOffer(call, '-popularity')
  await addProduct(buyer, product)
  await page.click('.buy .soft')
  await shown(buyer, '.note', 'Добавлено в избранное')
  await page.click('.bar a[href$="/cart"]')
  await page.click('text=Собрать корзину вместе')
  await page.locator('#link').waitFor()
  await page.click('text=Добавить из моей корзины')
  await page.locator('.line').first().waitFor()
  const shared = `/shared/${lastPart(page.url())}`
  const open = [
    '',
    '/catalog',
    '/deals',
    '/c/smartphones',
    '/search?q=телефон',
    '/search?q=zzzzzzzz',
    `/p/${product}/-`,
    '/mini',
  ]
  const own = [
    '/wishlist',
    '/cart',
    '/checkout',
    '/orders',
    '/account',
    '/account/mandates',
    '/shared',
    shared,
  ]
  const faults: string[] = []
  for (const [at, path] of [...open, ...own, ...orders, '/sign-in', '/sign-up', '/nothing'].entries()) {
    await buyer.open(path)
    for (const it of await faultsOf(page)) faults.push(`${path}: ${it}`)
    // The colours of the other theme, on half of the pages except at night.
    if (!isNightly && at % 2 === 1) continue
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const it of await contrastFaultsOf(page)) faults.push(`${path}, dark: ${it}`)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  deepEqual(faults, [])
}

/** The client withdraws the access of the storefront in the account. */
async function withdrawAccess(page: Page): Promise<void> {
  await page.goto(`${platform.url}/shop/ru/account`)
  await page.locator('.account-item', { hasText: 'Storefront' }).locator('button').click()
  await page.locator('h1', { hasText: 'Войти' }).waitFor()
}

test('a session that ends in mid-checkout loses nothing', inBrowser, async () => {
  const buyer = await shopper()
  const { page } = buyer
  const [kept, left] = await steps.productsOfTwoPartners(call)
  await steps.signUp(buyer, '+998 90 765 43 23')
  await steps.signedIn(buyer)
  for (const { id } of [kept!, left!]) await addProduct(buyer, id)
  await fillCheckout(buyer)
  await page.fill('#landmark', 'у парка')
  await page.click(`#item-${left!.offer}`)
  await page.locator(`#item-${left!.offer}:not(:checked)`).waitFor()

  // In another tab the client withdraws the access of the shop.
  const other = await page.context().newPage()
  await withdrawAccess(other)

  await page.fill('#apartment', '7')
  await page.click('.checkout .brand')
  await shown(buyer, '.note', 'Время входа истекло')
  await page.click('main a[href*="/sign-in/start"]')
  await page.click('[name=decision][value=allow]')
  await page.waitForURL(/\/checkout$/)
  const values = await Promise.all(['street', 'landmark', 'apartment'].map((it) => page.inputValue(`#${it}`)))
  deepEqual(values, ['Бунёдкор', 'у парка', '7'])
  deepEqual(
    [await page.isChecked(`#item-${kept!.offer}`), await page.isChecked(`#item-${left!.offer}`)],
    [true, false],
  )
  await page.click('.checkout .brand')
  await shown(buyer, 'h1', 'Спасибо')

  // The same with a quick addition: the buyer returns to the page with the button, not to the address of the form.
  await buyer.open(`/p/${left!.id}/-`)
  const product = page.url()
  const cookies = (await page.context().cookies()).filter((it) => it.name === 'shop_client')
  await withdrawAccess(other)
  // As in a browser of another device, which does not know yet.
  await page.context().addCookies(cookies)
  await page.click('.buy .brand')
  await shown(buyer, '.note', 'Время входа истекло')
  await page.click('main a[href*="/sign-in/start"]')
  await page.click('[name=decision][value=allow]')
  await page.waitForURL(product)
  deepEqual(buyer.complaints, [])
})

test('two tabs agree, and a lost connection keeps the cart', inBrowser, async () => {
  const guest = await shopper()
  const { page } = guest
  await addProduct(guest, (await steps.cheapOffer(call, 'price')).product)
  await guest.open('/cart')
  const tab = await page.context().newPage()
  const second: Shopper = {
    ...guest,
    page: tab,
    open: async (it) => void (await tab.goto(`${platform.url}/shop/ru${it}`)),
  }
  await addProduct(second, (await steps.cheapOffer(call, '-price')).product)
  await page.locator('.line').nth(1).waitFor()
  equal(await page.locator('.bar [data-cart-count]').textContent(), '2')

  await fillCheckout(second)
  const before = await tab.inputValue('[name=expected]')
  await page.locator('[id^=more-]').first().click()
  await shown(second, '.note', 'Корзина изменилась в другой вкладке')
  equal(await tab.inputValue('#street'), 'Бунёдкор', 'what is typed stays')
  ok(Number(await tab.inputValue('[name=expected]')) > Number(before), 'the new total')

  await page.context().setOffline(true)
  await shown(guest, '.note', 'Нет связи')
  await page.locator('[id^=more-]').first().click()
  await shown(guest, '.note', 'Ничего не потеряно')
  equal(await page.locator('.line').count(), 2)
  await tab.click('.checkout .brand')
  await shown(second, '.note', 'Нет связи')
  equal(await tab.inputValue('#street'), 'Бунёдкор', 'the form stays')
  await page.context().setOffline(false)
  await shown(guest, '.note', 'Связь восстановлена')
  await tab.click('.checkout .brand')
  await shown(second, 'h1', 'Спасибо')
  // What is ordered in one tab leaves the cart of the other.
  await shown(guest, 'main', 'В корзине пока пусто')

  await guest.open('')
  await second.open('/mini')
  await tab.locator('.mini-list .add').first().click()
  await page.locator('.bar [data-cart-count]', { hasText: '1' }).waitFor()
  deepEqual(guest.complaints, [])
})

test('an offer that sold out meanwhile is named, and the rest is ordered', inBrowser, async () => {
  const guest = await shopper()
  const { page } = guest
  const [gone, kept] = await steps.productsOfTwoPartners(call)
  for (const { id } of [gone!, kept!]) await addProduct(guest, id)
  await fillCheckout(guest)
  await steps.changeOffer(call, gone!.offer, { quantity: 0 })
  await page.click('.checkout .brand')
  await shown(guest, '.alert', /изменил|налич|недоступ|законч/i)
  equal(await page.inputValue('#street'), 'Бунёдкор', 'what was filled in stays')
  await guest.open('/cart')
  await shown(guest, '.line.away', 'Не входит в заказ')
  await page.locator('.line.away a', { hasText: 'Найти похожие' }).waitFor()
  await guest.open('/checkout')
  equal(await page.locator('.line-choice').count(), 1)
  await page.click('.checkout .brand')
  await shown(guest, 'h1', 'Спасибо')
  await guest.open('/cart')
  equal(await page.locator('.line').count(), 1, 'what sold out stays in the cart')
  await steps.changeOffer(call, gone!.offer, { quantity: 50 })
})

test('the wishlist shows what became cheaper', inBrowser, async () => {
  const guest = await shopper()
  const { product, offer } = await steps.cheapOffer(call, '-created_at')
  await guest.open(`/p/${product}/-`)
  await guest.page.click('.buy .soft')
  await shown(guest, '.note', 'Добавлено в избранное')
  await steps.changeOffer(call, offer, { price_tiyin: (await steps.priceOf(call, offer)) - 100_000 })
  await guest.open('/wishlist')
  await shown(guest, '.line .tag', /Дешевле на/)
})

test('the mini-app leads from an offer to a paid order', inBrowser, async () => {
  const guest = await shopper()
  const { page } = guest
  await page.goto(`${platform.url}/shop/mini`)
  // Below a million sums: a guest may buy two of them.
  const cheap = page.locator('.mini-list li', {
    has: page.locator('b', { hasText: /^\d{1,3}(\s\d{3})?\sсум$/ }),
  })
  await cheap.nth(0).locator('.add').click()
  await shown(guest, '.mini-cart', 'Корзина')
  await cheap.nth(1).locator('.add').click()
  await page.locator('.mini-cart form .round').nth(1).waitFor()
  await page.locator('.mini-cart form .round').first().click()
  await page.locator('.mini-cart form .round').nth(1).waitFor({ state: 'detached' })
  await page.click('.mini-cart .brand')
  await page.locator('.line').first().waitFor()
  await fillCheckout(guest)
  await page.click('.checkout .brand')
  await shown(guest, 'h1', 'Спасибо')
  await steps.payBy(guest, steps.okCard)
  await shown(guest, '.status-confirmed', 'Подтверждён')
  deepEqual(guest.complaints, [])
})
