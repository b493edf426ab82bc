// What a shopper can do wrong in the forms of the storefront, without a browser: each mistake is answered where it was
// made, and nothing is lost or done unasked.

import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeOffer,
  cheapOffer,
  declinedCard,
  deliver,
  expiredCard,
  okCard,
  priceOf,
  productsOfTwoPartners,
} from '../support/shopping.ts'
import { openShopPlatform } from '../support/storefront.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openShopPlatform()
const { call } = platform

type Fields = Record<string, string>

/** A visitor without script: cookies are kept, redirects are not followed. */
function visitor() {
  const jar = new Map<string, string>()
  const send = async (method: 'GET' | 'POST', path: string, fields?: Fields) => {
    const reply = await fetch(`${platform.url}${path.startsWith('/shop') ? '' : '/shop/ru'}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...jar].map((it) => it.join('=')).join('; '),
        ...(fields && { origin: platform.url }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string]
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { status: reply.status, to: reply.headers.get('location') ?? '', text: await reply.text() }
  }
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, fields: Fields) => send('POST', path, fields),
    /** The guest's session id. */
    sessionId: () => jar.get('shop_visitor'),
  }
}

type Visitor = ReturnType<typeof visitor>

const contact = {
  name: 'Азиза',
  phone: '+998901234567',
  city: 'Чиланзар',
  street: 'Бунёдкор',
  building: '12',
}
const card = (number: string): Fields => ({ number, expiry: '12/30', cvc: '123' })

async function withCart(offers: string[]): Promise<Visitor> {
  const guest = visitor()
  await guest.get('')
  for (const offer of offers) equal((await guest.post('/cart/add', { offer })).status, 303)
  return guest
}

/** The form of the checkout as the page has it, filled in. */
async function checkoutForm(guest: Visitor): Promise<Fields> {
  const { text } = await guest.get('/checkout')
  const main = text.slice(text.indexOf('<main'))
  const sent: Fields = {}
  for (const [, attributes = ''] of main.matchAll(/<input([^>]*)>/g)) {
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
    if (!/radio|checkbox/.test(part('type')) || /\schecked/.test(attributes))
      sent[part('name')] = part('value')
  }
  return { ...sent, ...contact }
}

async function placed(guest: Visitor): Promise<string[]> {
  const { status, to } = await guest.post('/checkout', await checkoutForm(guest))
  equal(status, 303)
  return new URL(to, platform.url).searchParams.get('orders')!.split(',')
}

/** Two cheap offers in stock that make one order. */
async function offersOfOnePartner(): Promise<string[]> {
  const byPartner = new Map<string, string[]>()
  const { products } = (
    await call('GET', '/v1/catalog/products?price_min=2000000&price_max=20000000&in_stock=true&per_page=50')
  ).body.data
  for (const { id } of products) {
    const { best_offer: best, variants } = (await call('GET', `/v1/catalog/products/${id}`)).body.data.product
    if (!best.in_stock || variants.length > 0) continue
    const offers = [...(byPartner.get(best.partner.id) ?? []), best.id]
    if (offers.length === 2) return offers
    byPartner.set(best.partner.id, offers)
  }
  throw new Error('no partner has two cheap offers')
}

const alertOf = (text: string): string =>
  /<(section|p) class="alert" role="alert">([\s\S]*?)<\/\1>/.exec(text)?.[2] ?? ''
const besideOf = (text: string, name: string): string =>
  new RegExp(`id="${name}-problem">([^<]*)`).exec(text)?.[1] ?? ''

test('a wrong field of the checkout is explained beside it, without names of the API', async () => {
  const guest = await withCart([(await cheapOffer(call, 'price')).offer])
  const form = await checkoutForm(guest)
  const mistakes: [name: string, value: string, problem: RegExp][] = [
    ['phone', 'abc', /\+998901234567/],
    ['email', 'nobody', /name@mail\.uz/],
    ['city', 'x'.repeat(150), /100/],
  ]
  for (const [name, value, problem] of mistakes) {
    const { status, text } = await guest.post('/checkout', { ...form, [name]: value })
    equal(status, 422)
    match(besideOf(text, name), problem)
    equal(alertOf(text), '')
    doesNotMatch(text, /Contact\.|Delivery\.Address/)
  }
  const coupon = await guest.post('/cart/coupon', { code: '<b>' })
  equal(coupon.status, 422)
  doesNotMatch(coupon.text, /Code —/)
})

test('a price that rose is named also when a field is missing', async () => {
  const { offer } = await cheapOffer(call, '-price')
  const guest = await withCart([offer])
  const form = await checkoutForm(guest)
  const before = await priceOf(call, offer)
  await changeOffer(call, offer, { price_tiyin: before + 100_000 })
  const { text } = await guest.post('/checkout', { ...form, street: '' })
  ok(besideOf(text, 'street'))
  match(alertOf(text), /Цена изменилась/)
  match(text, /Согласиться и заказать/)
  await changeOffer(call, offer, { price_tiyin: before })
})

test('what sold out before the order is named', async () => {
  const [gone, kept] = await productsOfTwoPartners(call)
  const guest = await withCart([gone!.offer, kept!.offer])
  const form = await checkoutForm(guest)
  await changeOffer(call, gone!.offer, { quantity: 0 })
  const refused = await guest.post('/checkout', form)
  equal(refused.status, 409)
  match(alertOf(refused.text), /Сумма изменилась/)
  ok(alertOf(refused.text).includes(`Больше нельзя заказать: ${gone!.name}`), alertOf(refused.text))
  await changeOffer(call, gone!.offer, { quantity: 50 })
})

test('an order that is sent twice leads to the orders and not to an empty cart', async () => {
  const guest = await withCart([(await cheapOffer(call, 'price')).offer])
  const form = await checkoutForm(guest)
  match((await guest.post('/checkout', form)).to, /\/placed\?orders=\d+$/)
  deepEqual((await guest.post('/checkout', form)).to, '/shop/ru/orders')
  equal((await guest.get('/orders')).text.split('order-card').length - 1, 1)
})

test('two orders and one card: wrong digits are explained by field, a declined payment is shown', async () => {
  const offers = (await productsOfTwoPartners(call)).map((it) => it.offer)
  const guest = await withCart(offers)
  const orders = (await placed(guest)).join(',')
  const wrong = await guest.post('/placed/pay', { orders, number: '123', expiry: '13/30', cvc: '1' })
  equal(wrong.status, 422)
  deepEqual(
    ['number', 'expiry', 'cvc'].map((it) => besideOf(wrong.text, it) !== ''),
    [true, true, true],
  )
  doesNotMatch(wrong.text, /value="123"/, 'the number of a card is not sent back')
  const { to } = await guest.post('/placed/pay', { orders, ...card(declinedCard) })
  await waitUntil(async () => /Деньги не списаны/.test(alertOf((await guest.get(to)).text)), {
    what: 'the declined payment to be shown',
  })
  await guest.post('/placed/pay', { orders, ...card(expiredCard) })
  await waitUntil(async () => /Срок действия карты истёк/.test(alertOf((await guest.get(to)).text)), {
    what: 'the reason of the failure to be named',
  })
  // Cards are often filled in without the slash.
  await guest.post('/placed/pay', { orders, ...card(okCard), expiry: '1230' })
  await waitUntil(async () => (await guest.get(to)).text.split('status-confirmed').length === 3, {
    what: 'both orders to be paid',
  })
})

test('a refused return or cancellation says why, and nothing is returned that was not chosen', async () => {
  const guest = await withCart([(await cheapOffer(call, 'price')).offer])
  const [id] = await placed(guest)
  const { to } = await guest.post(`/orders/${id}/pay`, card(okCard))
  await waitUntil(async () => (await guest.get(to)).text.includes('status-confirmed'), {
    what: 'the payment',
  })
  await deliver(call, id!)
  const refusals: [Fields, RegExp][] = [
    [{ 'line-1': '0', reason: 'не подошёл' }, /сколько единиц/],
    [{ 'line-1': '1', reason: ' ' }, /причину/],
    [{ 'line-1': '99', reason: 'не подошёл' }, /\S/],
  ]
  for (const [fields, reason] of refusals) {
    const refused = await guest.post(`/orders/${id}/return`, fields)
    equal(refused.status, 422)
    match(alertOf(refused.text), reason)
    ok(refused.text.includes(`value="${fields['reason']!.trim() && 'не подошёл'}"`), 'what was typed stays')
  }
  const cancelled = await guest.post(`/orders/${id}/cancel`, {})
  equal(cancelled.status, 422)
  match(alertOf(cancelled.text), /\S/)
  equal((await call('GET', `/v1/orders/${id}`)).body.data.order.returns.length, 0)
})

test('a cancelled order that returns to the cart says what stayed out', async () => {
  const offers = await offersOfOnePartner()
  const guest = await withCart(offers)
  const [id] = await placed(guest)
  equal((await guest.post(`/orders/${id}/cancel`, {})).status, 303)
  await changeOffer(call, offers[1]!, { is_active: false })
  equal((await guest.post(`/orders/${id}/to-cart`, {})).to, '/shop/ru/cart')
  match((await guest.get('/cart')).text, /class="note">Сейчас не купить, поэтому не добавлено товаров: 1</)
})

test('older orders are on further pages', async () => {
  const guest = visitor()
  await guest.get('')
  const { offer } = await cheapOffer(call, 'price')
  await changeOffer(call, offer, { quantity: 500 })
  for (let count = 0; count < 21; count++) {
    await guest.post('/cart/add', { offer })
    await placed(guest)
  }
  const [first, second] = [await guest.get('/orders'), await guest.get('/orders?page=2')]
  match(first.text, /href="\/shop\/ru\/orders\?page=2"/)
  equal(second.text.split('order-card').length - 1, 1)
})

test('sign-in leads back to the page with all of its address, and never to an action', async () => {
  const guest = visitor()
  const [{ slug }] = (await call('GET', '/v1/catalog/products?per_page=1')).body.data.products
  const { text } = await guest.get(`/p/${slug}?variant=1&page=2`)
  const links = [...text.matchAll(/href="([^"]*\/sign-in\?[^"]*)"/g)].map(([, it]) =>
    new URL(it!.replaceAll('&amp;', '&'), platform.url).searchParams.get('back')!,
  )
  deepEqual([...new Set(links)], [`/shop/ru/p/${slug}?variant=1&page=2`])
  for (const [path, back] of [
    ['/account/profile', '/shop/ru/account'],
    ['/account/mandates/revoke', '/shop/ru/account/mandates'],
    ['/p/1/review', '/shop/ru/p/1/-'],
  ] as const) {
    const { to } = await guest.post(path, { name: 'x', stars: '5' })
    equal(new URL(to, platform.url).searchParams.get('back'), back, path)
  }
})

test('the mini-app counts the cart, and its additions name their list', async () => {
  const guest = visitor()
  await guest.get('/mini')
  const page = await guest.get('/mini')
  match(page.text, /data-cart-count\s+hidden/)
  match(page.text, /name="list" value="[0-9a-f-]{36}"/)
  const [, offer] = /name="offer" value="(\d+)"/.exec(page.text)!
  equal((await guest.post('/mini/add', { offer: offer! })).status, 303)
  match((await guest.get('/mini')).text, /data-cart-count\s*>1</)
})

test('a refused addition in the mini-app says why, and its remedies stay in the mini-app', async () => {
  const guest = visitor()
  const { offer } = await cheapOffer(call, '-popularity')
  // A guest may buy three units of a product.
  for (const _ of [1, 2, 3]) equal((await guest.post('/mini/add', { offer })).status, 303)
  const refused = await guest.post('/mini/add', { offer })
  equal(refused.status, 422)
  match(refused.text, /не больше 3 шту/)
  match(refused.text, /sign-in\?back=%2Fshop%2Fru%2Fmini"/)
  doesNotMatch(refused.text, /action="\/shop\/ru\/cart\//)
})

/** Cheap enough for guests, and available. */
async function moderatedOffer(): Promise<{ id: string; price: { amount: number } }> {
  const { body } = await call('GET', '/v1/catalog/moderated-offers?status=approved&per_page=100')
  const all = body.data.moderated_offers as { id: string; quantity: number; price: { amount: number } }[]
  return all.filter((it) => it.quantity > 3).toSorted((a, b) => a.price.amount - b.price.amount)[0]!
}

const linesIn = (text: string): number => text.match(/<article class="line/g)?.length ?? 0
const totalIn = (text: string): string =>
  /class="total">[\s\S]*?<dd>([^<]*)/.exec(text)?.[1]?.replaceAll(/\D/g, '') ?? ''

test('a shared cart shows every line that its total counts, and taking it adds nothing twice', async () => {
  const { offer } = await cheapOffer(call, 'price')
  const moderated = await moderatedOffer()
  const guest = await withCart([offer])
  equal((await guest.post('/cart/add', { offer: moderated.id, moderated: 'true' })).status, 303)
  const { to } = await guest.post('/shared/create', {})
  const path = new URL(to, platform.url).pathname
  const sum = String(((await priceOf(call, offer)) + moderated.price.amount) / 100)
  const shown = (await guest.get(path)).text
  deepEqual([linesIn(shown), totalIn(shown)], [2, sum])

  const named = { offer: moderated.id, moderated: 'true' }
  equal((await guest.post(`${path}/remove`, named)).status, 303)
  equal(linesIn((await guest.get(path)).text), 1)
  for (const _ of ['first', 'again']) equal((await guest.post(`${path}/add`, {})).status, 303)
  const added = (await guest.get(path)).text
  deepEqual([linesIn(added), totalIn(added)], [2, sum])
  equal((await guest.post(`${path}/quantity`, { ...named, quantity: '2' })).status, 303)
  const larger = String(((await priceOf(call, offer)) + 2 * moderated.price.amount) / 100)
  equal(totalIn((await guest.get(path)).text), larger)

  equal((await guest.post(`${path}/take`, {})).status, 303)
  const cart = (await guest.get('/cart')).text
  deepEqual([linesIn(cart), totalIn(cart)], [2, larger])
})

test('a link to a shared cart that is wrong or has expired says so, and blames no product', async () => {
  const guest = await withCart([(await cheapOffer(call, 'price')).offer])
  const { to } = await guest.post('/shared/create', {})
  const path = new URL(to, platform.url).pathname
  const friend = visitor()
  await friend.get('')
  for (const reply of [
    await friend.get(path),
    await friend.post(`${path}/join`, { token: 'x'.repeat(32) }),
  ]) {
    equal(reply.status, 404)
    match(reply.text, /Общая корзина недоступна/)
    doesNotMatch(reply.text, /сняли с продажи/)
  }
})

test('the wishlist shows moderated offers, which can be bought and removed', async () => {
  const guest = await withCart([(await cheapOffer(call, 'price')).offer])
  const { id: offer } = await moderatedOffer()
  const body = { SessionId: guest.sessionId(), ModeratedOfferId: Number(offer) }
  equal((await call('POST', '/api/wishlist/offers', { body })).status, 200)
  const shown = (await guest.get('/wishlist')).text
  match(shown, /Проверяемый товар/)
  const named = { offer, moderated: 'true' }
  equal((await guest.post('/cart/add', named)).status, 303)
  equal(linesIn((await guest.get('/cart')).text), 2)
  equal((await guest.post('/wishlist/remove', named)).status, 303)
  equal(linesIn((await guest.get('/wishlist')).text), 0)
})
