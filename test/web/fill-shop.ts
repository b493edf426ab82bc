// Gives the test environment of a demo shop two days of business, so that pictures of the dashboard show figures: orders
// in every state, carts that were left, an experiment, calls of an application, searches, a webhook that fails.

import { type Bozor, createBozor } from '../../src/sdk/index.ts'

const days = 2
const ordersPerDay = [24, 16]
/** A day of the test clock runs all nightly jobs. */
const dayTimeoutMs = 600_000
const listsPerDay = 40
const firstClient = 100
const card = { number: '8600000000000015', expiry_month: 12, expiry_year: 2030, cvc: '123' }
const names = ['Aziza Karimova', 'Bobur Sobirov', 'Malika Ismoilova', 'Шохрух Рахимов', 'Jasur To‘xtayev']
const addresses = ['Toshkent, Amir Temur 1', 'Samarqand, Registon 4', 'Buxoro, Mustaqillik 12']
const searches = [
  'смартфон',
  'muzlatgich',
  'coffee',
  'наушники',
  'телевезор',
  'батискаф',
  'kolyaska',
  'сноуборд',
]

/** The member needs to be an owner. A shop that has orders is left as it is. */
export async function fillShop(member: Bozor, url: string): Promise<void> {
  if ((await member.orders.list({ per_page: 1 })).items.length > 0) return
  const { api_key: apiKey } = await member.applications.create({
    name: 'Android app',
    type: 'mobile',
    scopes: ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write'],
    redirect_urls: ['https://shop.uz/back'],
  })
  const { api_key: serverKey } = await member.applications.create({
    name: 'Warehouse',
    type: 'server',
    scopes: ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write'],
  })
  const phone = createBozor({ baseUrl: url, apiKey: apiKey!, language: 'en' })
  const server = createBozor({ baseUrl: url, apiKey: serverKey!, language: 'en' })
  await member.webhooks.create({ url: 'http://127.0.0.1:9/hooks', filters: ['OrdersCreated'] })
  const { experiment } = await member.experiments.create({
    slug: 'ranked-popular',
    name: 'Ranked or popular on the main page',
    layers: ['main_page'],
    groups: [
      { name: 'ranked', share: 0.5 },
      { name: 'popular', share: 0.5, method: 'popular' },
    ],
  })
  await member.experiments.start({ experiment_id: experiment.id })
  const offers = await affordableOffers(server)
  let buyer = firstClient
  for (let at = 0; at < days; at++) {
    await browse(server, phone, at)
    for (let left = ordersPerDay[at % ordersPerDay.length]!; left > 0; left--)
      await buy(server, { ClientId: buyer++, offers, isToday: at === days - 1 })
    if (at < days - 1) await member.testClock.advance({ advance: 'P1D' }, { timeoutMs: dayTimeoutMs })
  }
  for (let left = 6; left > 0; left--)
    await server.cart.addItem({
      ClientId: buyer,
      OfferId: offers[buyer++ % offers.length]!,
      Quantity: 1,
    })
  // A write that is refused, for the request log.
  await phone.brands.create({ slug: 'own-brand', name: 'Own brand' }).catch(() => undefined)
}

/** Cheap offers in stock, so that no limit is in the way. */
async function affordableOffers(bozor: Bozor): Promise<number[]> {
  const { items } = await bozor.offers.list({
    in_stock: true,
    is_active: true,
    is_visible: true,
    price_min: 5_000_000,
    price_max: 90_000_000,
    per_page: 100,
  })
  return items.filter((it) => it.quantity >= 5).map((it) => Number(it.id))
}

/** Lists that are shown, every sixth with a click, and searches. */
async function browse(server: Bozor, phone: Bozor, at: number): Promise<void> {
  for (let left = 0; left < listsPerDay; left++) {
    const user_id = String(firstClient + at * listsPerDay + left)
    const list = await server.recommendations.forBuyer({
      user_id,
      from_app: 'android',
      from_layer: 'main_page',
    })
    const first = list.offers[left % 5]
    if (first && left % 6 === 0)
      await server.interactions.report({
        interactions: [{ user_id, offer_id: String(first.offer_id), kind: 'click' }],
      })
  }
  for (const q of searches) await phone.products.search({ q, per_page: 5, price_min: at })
}

async function buy(
  bozor: Bozor,
  { ClientId, offers, isToday }: { ClientId: number; offers: number[]; isToday: boolean },
): Promise<void> {
  const lines = 1 + (ClientId % 3)
  for (let at = 0; at < lines; at++)
    await bozor.cart.addItem({
      ClientId,
      OfferId: offers[(ClientId * 7 + at * 13) % offers.length]!,
      Quantity: 1,
    })
  const { OrderIds } = await bozor.cart.order({
    ClientId,
    PaymentMethodId: 1,
    DeliveryAddress: addresses[ClientId % addresses.length]!,
    Contact: { Name: names[ClientId % names.length]!, Phone: `+99890${1_000_000 + ClientId}` },
  })
  for (const id of OrderIds) {
    if (ClientId % 11 === 0) continue
    if (ClientId % 13 === 0) {
      await bozor.orders.cancel({ id, reason: 'The buyer changed their mind.' })
      continue
    }
    await bozor.orders.createPayment({ id, kind: 'card', card })
    if (isToday && ClientId % 2 === 0) continue
    const { fulfilment } = await bozor.orders.createFulfilment({ id })
    if (ClientId % 5 === 0) continue
    const sent = { id, fulfilmentId: fulfilment.id }
    await bozor.orders.shipFulfilment({
      ...sent,
      carrier: 'BTS',
      tracking_number: `BTS-${40_000 + ClientId}`,
    })
    if (ClientId % 7 === 0) continue
    await bozor.orders.deliverFulfilment(sent)
    if (ClientId % 17 !== 0) continue
    const made = await bozor.orders.createReturn({ id, lines: [{ line: 1, quantity: 1 }], reason: 'Damaged' })
    if (ClientId % 2 === 0) await bozor.orders.receiveReturn({ id, returnId: made.return.id, restock: true })
  }
}
