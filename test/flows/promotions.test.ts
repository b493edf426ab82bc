// A promotion starts while a buyer shops: the catalog, the cart, the wishlist, the recommendations and the order use
// the new price from the same second.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { queryOf } from '../support/carts.ts'
import { installment, openOrdering } from '../support/orders.ts'
import { openPromotions } from '../support/promotions.ts'
import { openPlatform } from '../support/shop.ts'

const shop = await openPlatform()
const { call } = shop
const { stock, put, view, order, get, newClient, setCondition } = await openOrdering(shop)
const { inSeconds, planned, pass, publishedEvents } = openPromotions(shop)

await stock.load('category', { id: 2, parent_id: 1, slug: 'smartphones', name: { ru: 'Смартфоны' } })
await stock.load('loan_condition', { id: 9, partner_id: 1, duration: 24, commission: 0, promotion_id: 77 })
const named = (id: number) => ({ ru: `Телефон ${id}`, en: `Phone ${id}` })
for (const id of [10, 11])
  await stock.load('product', { id, category_id: 2, slug: `phone-${id}`, name: named(id) })
const phone = await stock.offer({ id: 10, productId: 10, price: 1_000_000, loan_condition_ids: [3] })
const other = await stock.offer({ id: 11, productId: 11, price: 950_000 })

const user = '3f0e6f6e-27f1-4c11-9a53-3f7f1f3f7a01'
const page = { user_id: user, from_layer: 'main_page' }
const channels = {
  R1: ['/offers/recommended/v3', { ...page, from_app: 'ios' }],
  R7: ['/web/client/offers/recommended-v3', { ...page, from_app: 'WebAndMobile' }],
  R8: ['/web/client/miniapp/offers/recommended/v3/', page],
} as const

/** The phone in the reply of a channel. */
async function recommended(channel: keyof typeof channels) {
  const [path, body] = channels[channel]
  const reply = await call('POST', path, { body })
  equal(reply.status, 200, reply.text)
  return reply.body.offers.find((it: { offer_id: unknown }) => Number(it.offer_id) === phone)
}

const data = async (path: string) => (await call('GET', path)).body.data
const catalog = '/v1/catalog/products'
const buyer = newClient()

/** The price of the phone in tiyin, in every place that shows it. */
async function seen() {
  const list = (await data(`${catalog}?category=phones`)).products.find(
    (it: { id: string }) => it.id === '10',
  )
  const found = (await data(`${catalog}/search?q=phone&sort=price`)).products
  const wishlist = await data(`/api/wishlist?${queryOf(buyer)}`)
  return {
    detail: (await data(`${catalog}/10`)).product.best_offer.price.amount,
    list: list.price.amount,
    offer: (await data(`/v1/catalog/offers/${phone}`)).offer.price.amount,
    search: found.find((it: { id: string }) => it.id === '10').price.amount,
    cheapestFirst: found.map((it: { id: string }) => Number(it.id)),
    underNineHundred: (await data(`${catalog}?price_max=90000000`)).products.map(
      (it: { id: string }) => it.id,
    ),
    lowest: (await data(`${catalog}/search?q=phone`)).facets.price.min.amount,
    cart: (await view(buyer)).Items[0].Price * 100,
    total: (await view(buyer)).TotalAmount * 100,
    wishlist: wishlist.Offers[0].Price * 100,
    R1: (await recommended('R1')).price * 100,
    R7: (await recommended('R7')).price,
    R8: (await recommended('R8')).price,
  }
}

const everywhere = (tiyin: number, order: { first: number[]; cheap: string[]; lowest: number }) => ({
  detail: tiyin,
  list: tiyin,
  offer: tiyin,
  search: tiyin,
  cheapestFirst: order.first,
  underNineHundred: order.cheap,
  lowest: order.lowest,
  cart: tiyin,
  total: tiyin,
  wishlist: tiyin,
  R1: tiyin,
  R7: tiyin,
  R8: tiyin,
})
const usual = everywhere(100_000_000, { first: [other, phone], cheap: [], lowest: 95_000_000 })
const reduced = everywhere(80_000_000, { first: [phone, other], cheap: ['10'], lowest: 80_000_000 })

test('a promotion starts and ends everywhere at the same instant without a write', async () => {
  await put(buyer, phone)
  await call('POST', '/api/wishlist/offers', { body: { ...buyer, OfferId: phone } })
  const promotion = await planned({
    starts_at: inSeconds(6_000),
    ends_at: inSeconds(12_000),
    offer_ids: [phone],
    discount_percent: 20,
  })
  deepEqual(await seen(), usual)
  await pass(5_700)
  deepEqual(await seen(), usual)
  await pass(300)
  deepEqual(await seen(), reduced)

  const { uuid: id, slug, title, title_uz, title_en } = promotion
  const events = [{ id, title, title_uz, slug }]
  const inSums = { price: 800_000, raw_old_price: 1_000_000, old_price: 1_000_000, discount: -20, events }
  const inTiyin = {
    price: 80_000_000,
    raw_old_price: 100_000_000,
    old_price: 100_000_000,
    discount: -20,
    events,
    monthly_loan_repayment: Math.ceil((80_000_000 * 1.24) / 12),
  }
  const fieldsOf = async (channel: keyof typeof channels, fields: object) => {
    const offer = await recommended(channel)
    return Object.fromEntries(Object.keys(fields).map((it) => [it, offer[it]]))
  }
  deepEqual(await fieldsOf('R1', inSums), inSums)
  deepEqual(await fieldsOf('R7', inTiyin), inTiyin)
  deepEqual(await fieldsOf('R8', inTiyin), inTiyin)

  const [line] = (await view(buyer)).Items
  deepEqual([line.OldPrice, line.PriceAtAdd], [1_000_000, 1_000_000])
  deepEqual(line.Events, [{ Id: id, Title: title, TitleUz: title_uz, TitleEn: title_en, Slug: slug }])
  deepEqual(
    line.PurchaseRestrictions.Messages.map((it: { Code: string }) => it.Code),
    ['price_changed'],
  )
  const shown = (await data(`${catalog}/10`)).product
  const titled = [{ id, title, title_uz, title_en, slug }]
  deepEqual([shown.events, shown.best_offer.events], [titled, titled])
  equal(shown.best_offer.usual_price.amount, 100_000_000)

  const [ordered] = (await order(buyer)).body.data.OrderIds
  equal((await get(ordered)).total.amount, 80_000_000)
  await put(buyer, phone)

  await pass(6_000)
  deepEqual(await seen(), usual)
  equal((await recommended('R7')).old_price, undefined)
  deepEqual((await recommended('R7')).events, [])
  const [again] = (await order(buyer)).body.data.OrderIds
  equal((await get(again)).total.amount, 100_000_000)
  deepEqual(
    (await publishedEvents(promotion.id)).map((it) => it.type),
    ['PromotionCreated', 'PromotionStarted', 'PromotionFinished'],
  )
})

test('every other channel shows the reduced price in its own fields', async () => {
  const app = { ...page, from_app: 'ios' }
  const others: [path: string, body: object, fields: object][] = [
    ['/offers/recommended/v2', app, { price: 600_000, old_price: 1_000_000, discount: -40 }],
    [
      '/offers/recommended',
      { mobi_user_id: 'm-1', phone: '+998901234567' },
      { price: 600_000, old_price: 1_000_000, discount: -40 },
    ],
    ['/mobile/offers/recommended/v3', app, { price: 600_000, old_price: 1_000_000 }],
    ['/mobile/cf/v1/recommended', app, { price: 600_000, old_price: 1_000_000 }],
    ['/mobile/recommended-offers/categories-page', { from_app: 'ios', category_id: 1 }, { price: 600_000 }],
  ]
  const shown = async ([path, body, fields]: (typeof others)[number]) => {
    const reply = await call('POST', path, { body })
    equal(reply.status, 200, `${path} ${reply.text}`)
    const offers: Record<string, unknown>[] = reply.body.offers ?? reply.body
    const it = offers.find((one) => Number(one['offer_id'] ?? one['id']) === phone)!
    return Object.fromEntries(Object.keys(fields).map((name) => [name, it[name]]))
  }
  const usually = await Promise.all(others.map(shown))
  deepEqual(usually[0], { price: 1_000_000, old_price: null, discount: 0 })
  const { id } = await planned({ offer_ids: [phone], discount_percent: 40 })
  deepEqual(
    await Promise.all(others.map(shown)),
    others.map(([, , fields]) => fields),
  )
  equal((await call('DELETE', `/v1/marketing/promotions/${id}`)).status, 200)
  deepEqual(await Promise.all(others.map(shown)), usually)
})

test('a prepayment is never more than the reduced price', async () => {
  const bnpl = { has_daily_payment: true, prepayment_tiyin: 90_000_00 }
  const dear = await stock.offer({ id: 13, price: 100_000, loan_condition_ids: [3], bnpl })
  const { id } = await planned({ offer_ids: [dear], price_tiyin: 50_000_00 })
  const { bnpl_details, price } = (await data(`/v1/catalog/offers/${dear}`)).offer
  deepEqual([price.amount, bnpl_details.prepayment_amount.amount], [50_000_00, 50_000_00])
  const guest = newClient()
  await put(guest, dear)
  equal((await view(guest)).Items[0].BnplDetails.PrepaymentAmount, 50_000)
  equal((await call('DELETE', `/v1/marketing/promotions/${id}`)).status, 200)
  equal((await view(guest)).Items[0].BnplDetails.PrepaymentAmount, 90_000)
})

test('a moderated offer is sold at the price and loan conditions of its promotions', async () => {
  await stock.load('loan_condition', { id: 21, partner_id: 2, duration: 18, commission: 0 })
  const sentIn = await stock.moderatedOffer({ id: 61, partnerId: 2, price: 400_000, loan_condition_ids: [5] })
  const cheaper = await planned({ moderated_offer_ids: [sentIn], discount_percent: 25 })
  const given = await planned({ partner_ids: [2], loan_condition_ids: [21] })
  const line = async () => (await view(taker)).ModeratedItems[0]
  const taker = newClient()
  const body = { ...taker, ModeratedOfferId: sentIn, Quantity: 2, LoanConditionId: 21 }
  const added = await call('POST', '/api/cart/moderated-items', { body })
  equal(added.status, 200, added.text)
  const { Price, OldPrice, LoanCondition, Events } = await line()
  deepEqual([Price, OldPrice], [300_000, 400_000])
  deepEqual(LoanCondition, {
    Id: 21,
    Duration: 18,
    Commission: 0,
    EarlyCommissionPercent: 100,
    MonthlyRepayment: Math.ceil(60_000_000 / 18) / 100,
    EventId: Number(given.id),
  })
  deepEqual(
    Events.map((it: { Id: string }) => it.Id),
    [cheaper.uuid, given.uuid],
  )
  const [ordered] = (await order(taker, { PaymentMethodId: installment })).body.data.OrderIds
  const { total, lines } = await get(ordered)
  deepEqual([total.amount, lines[0].loan_condition.duration], [60_000_000, 18])
  for (const { id } of [cheaper, given])
    equal((await call('DELETE', `/v1/marketing/promotions/${id}`)).status, 200)
})

test('a loan condition of a promotion is shown as the best, can be chosen and is used for payment', async () => {
  await stock.load('loan_condition', { id: 8, partner_id: 1, duration: 36, commission: 0 })
  const { id, uuid } = await planned({ id: 500, category_ids: [1], loan_condition_ids: [8] })
  const web = await recommended('R7')
  deepEqual(web.condition, { id: 8, duration: 36, commission: 0, event_id: Number(id) })
  equal(web.price, 100_000_000)
  equal(web.monthly_loan_repayment, Math.ceil(100_000_000 / 36))
  deepEqual(
    web.events.map((it: { id: string }) => it.id),
    [uuid],
  )
  const mini = await recommended('R8')
  deepEqual(mini.condition, { duration: 36, commission: 0 })
  deepEqual(mini.conditions, [
    { duration: 36, commission: 0 },
    { duration: 12, commission: 24 },
  ])

  await put(buyer, phone)
  const chosen = await setCondition(buyer, phone, 8)
  deepEqual(chosen.body.data.Items[0].LoanCondition.EventId, Number(id))
  const [ordered] = (await order(buyer, { PaymentMethodId: installment })).body.data.OrderIds
  equal((await get(ordered)).lines[0].loan_condition.duration, 36)

  await put(buyer, phone)
  await setCondition(buyer, phone, 8)
  equal((await call('POST', `/v1/marketing/promotions/${id}/end`)).status, 200)
  const refused = await order(buyer, { PaymentMethodId: installment })
  equal(refused.body.error.code, 'loan_condition_unavailable')
  equal((await recommended('R7')).condition.id, 3)
})

test('a promoted moderated offer becomes the better offer and is recommended', async () => {
  const sentIn = '5a0e6f6e-27f1-4c11-9a53-3f7f1f3f7a05'
  await stock.moderatedOffer({ id: 60, productId: 11, partnerId: 2, price: 990_000, uuid: sentIn })
  const shown = async () => {
    const [path, body] = channels.R7
    const { offers } = (await call('POST', path, { body })).body
    const it = offers.find((one: { product_id: number }) => one.product_id === 11)
    return [it.offer_id, it.moderated_offer_id, it.price]
  }
  deepEqual(await shown(), [other, null, 95_000_000])
  const { id } = await planned({ partner_ids: [2], discount_percent: 10 })
  deepEqual(await shown(), [null, sentIn, 89_100_000])
  equal((await call('DELETE', `/v1/marketing/promotions/${id}`)).status, 200)
  deepEqual(await shown(), [other, null, 95_000_000])
})

test('a loan condition that names a promotion holds only while it runs', async () => {
  const bound = await stock.offer({ id: 12, price: 700_000, loan_condition_ids: [3, 9] })
  const best = async () => (await data(`/v1/catalog/offers/${bound}`)).offer.loan_conditions[0]
  equal((await best()).id, '3')
  await planned({
    id: 77,
    offer_ids: [bound],
    discount_percent: 5,
    starts_at: inSeconds(60),
    ends_at: inSeconds(120),
  })
  equal((await best()).id, '3')
  await pass(60)
  const { id, event_id } = await best()
  deepEqual([id, event_id], ['9', '77'])
  await pass(60)
  equal((await best()).id, '3')
})
