// Steps of a buyer in the storefront, for tests in a real browser.

import { equal, ok } from 'node:assert/strict'
import type { Shopper } from './storefront.ts'
import type { TestPlatform } from './shop.ts'

export const okCard = '8600000000000015'
export const declinedCard = '8600000000000023'
/** Fails with `expired_card`. */
export const expiredCard = '8600000000000049'
/** Its payment waits for a confirmation. */
export const approvedCard = '8600000000000056'

export const address = { city: 'Чиланзар', street: 'Бунёдкор', building: '12' }

type Call = TestPlatform['call']

/** Products between 20 000 and 200 000 sums, which every guest may buy. */
const cheap = 'price_min=2000000&price_max=20000000&in_stock=true'

/** A product with stock that every guest may buy, and its best offer. */
export async function cheapOffer(call: Call, sort: string): Promise<{ product: string; offer: string }> {
  const { body } = await call('GET', `/v1/catalog/products?${cheap}&per_page=1&sort=${sort}`)
  const [found] = body.data.products
  return { product: found.id, offer: found.best_offer_id }
}

/** Two products of different partners that can be paid in instalments. */
export async function productsOfTwoPartners(
  call: Call,
): Promise<{ id: string; offer: string; slug: string; name: string }[]> {
  const { body } = await call('GET', `/v1/catalog/products?${cheap}&per_page=50`)
  const found = new Map<string, { id: string; offer: string; slug: string; name: string }>()
  for (const { id } of body.data.products) {
    const { product } = (await call('GET', `/v1/catalog/products/${id}`)).body.data
    const { best_offer: best, slug, name } = product
    if (best.in_stock && best.loan_conditions.length > 0 && product.variants.length === 0)
      found.set(best.partner.id, { id, offer: best.id, slug, name })
    if (found.size === 2) break
  }
  return [...found.values()]
}

export const shown = async ({ page }: Shopper, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor()

export async function addProduct(shopper: Shopper, product: string): Promise<void> {
  await shopper.open(`/p/${product}/-`)
  await shopper.page.click('.buy .brand')
  await shown(shopper, '.note', 'Добавлено в корзину')
}

export async function fillCheckout({ page, open }: Shopper): Promise<void> {
  await open('/checkout')
  const values = { name: 'Азиза', phone: '+998901234567', ...address }
  for (const [name, value] of Object.entries(values)) await page.fill(`#${name}`, value)
}

export async function payBy({ page }: Shopper, number: string): Promise<void> {
  await page.fill('#number', number)
  await page.fill('#expiry', '12/30')
  await page.fill('#cvc', '123')
  await page.click('.card-form .brand')
}

/** On the page of the test bank: a wrong code, then the right one. */
export async function approveAtBank(shopper: Shopper): Promise<void> {
  const { page } = shopper
  await page.locator('#code:focus').waitFor()
  await page.keyboard.insertText('0000')
  await page.keyboard.press('Enter')
  await shown(shopper, '.wrong', 'Код неверный')
  await page.locator('#code:focus').waitFor()
  await page.keyboard.insertText('1234')
  await page.keyboard.press('Enter')
}

export async function signUp({ page, open }: Shopper, phone: string): Promise<void> {
  await open('/sign-up')
  await page.fill('#name', 'Малика')
  await page.fill('#phone', phone)
  await page.fill('#password', 'four plums in a basket')
  await page.keyboard.press('Enter')
  await page.locator('[name=decision][value=allow]').press('Enter')
}

/** Notes disappear; the link to the account stays. */
export const signedIn = ({ page }: Shopper): Promise<void> =>
  page.locator('.bar a[href$="/account"]').waitFor()

/** Staff ships and delivers the order. */
export async function deliver(call: Call, id: string): Promise<void> {
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

/** Staff changes an offer. */
export async function changeOffer(call: Call, offer: string, body: object): Promise<void> {
  const changed = await call('PATCH', `/v1/catalog/offers/${offer}`, { body })
  equal(changed.status, 200, changed.text)
}

export const priceOf = async (call: Call, offer: string): Promise<number> =>
  (await call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer.price.amount

/** More than any page has. */
const maxTabs = 600

/** Presses Tab until the element has the focus, which must be visible. */
export async function tabTo({ page }: Shopper, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor()
  for (let pressed = 0; pressed < maxTabs; pressed++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(focusOn, selector)
    if (focus === 'elsewhere') continue
    ok(focus === 'visible', `the focus on ${selector} is not visible`)
    return
  }
  throw new Error(`Tab never reaches ${selector} on ${page.url()}`)
}

/** Runs in the page. */
function focusOn(selector: string): 'elsewhere' | 'visible' | 'invisible' {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { activeElement: { matches(it: string): boolean } | null }
    getComputedStyle(of: unknown, part?: string): { outlineStyle: string }
  }
  const focused = document.activeElement
  if (!focused?.matches(selector)) return 'elsewhere'
  const isOutlined = [undefined, '::after'].some(
    (it) => getComputedStyle(focused, it).outlineStyle !== 'none',
  )
  return isOutlined ? 'visible' : 'invisible'
}

export async function pressKeyOn(shopper: Shopper, selector: string, key = 'Enter'): Promise<void> {
  await tabTo(shopper, selector)
  await shopper.page.keyboard.press(key)
}

export async function typeInto(shopper: Shopper, selector: string, text: string): Promise<void> {
  await tabTo(shopper, selector)
  await shopper.page.keyboard.insertText(text)
}
