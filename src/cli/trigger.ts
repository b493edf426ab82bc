// Makes an event happen in the test environment by the calls of the API that cause it, so that its effects are real too.

import { setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs } from '../base/clock.ts'
import { secretUuid } from '../base/random.ts'
import type { EventType } from '../events.ts'
import type { Bozor, Event } from '../sdk/index.ts'
import { type Command, meant, UsageError } from './command.ts'
import { clientOf, credentialsFor, explained } from './credentials.ts'
import { lineOf } from './events.ts'

const waitMs = 30_000
const pollMs = 100
/** The price of the offer in use: low enough for the limits of guests. In tiyin. */
const maxPrice = 100_000_000

const contact = { Name: 'Aziza Karimova', Phone: '+998 90 123-45-67' }
/** The test acquirer accepts it. */
const card = { number: '8600000000000015', expiry_month: 12, expiry_year: 2030, cvc: '123' }

type Steps = (bozor: Bozor) => Promise<unknown>

const steps: Partial<Record<EventType, Steps>> = {
  BrandCreated: (bozor) => createBrand(bozor),
  BrandDeleted: async (bozor) => bozor.brands.delete({ brand_id: await createBrand(bozor) }),
  ClientRegistered: (bozor) =>
    bozor.auth.register({
      name: contact.Name,
      email: `${secretUuid()}@buyer.example`,
      password: secretUuid(),
    }),
  CartCreated: (bozor) => fillCart(bozor),
  ItemAddedToCart: (bozor) => fillCart(bozor),
  ItemRemovedFromCart: async (bozor) => {
    const { SessionId, OfferId } = await fillCart(bozor)
    await bozor.cart.removeItem({ SessionId, offerId: OfferId })
  },
  CartCleared: async (bozor) => {
    const { SessionId } = await fillCart(bozor)
    await bozor.cart.clear({ SessionId })
  },
  OfferWished: async (bozor) =>
    bozor.wishlist.addOffer({ SessionId: await newGuest(bozor), OfferId: await someOffer(bozor) }),
  OfferQuantityChanged: async (bozor) =>
    bozor.offers.createStockAdjustment({
      offer_id: await someOffer(bozor),
      change: 1,
      reason: 'bozor trigger',
    }),
  OrdersCreated: (bozor) => placeOrder(bozor),
  OrderCancelled: async (bozor) =>
    bozor.orders.cancel({ id: await placeOrder(bozor), reason: 'bozor trigger' }),
  PaymentReceived: (bozor) => payOrder(bozor),
  OrderShipped: (bozor) => shipOrder(bozor),
  OrderDelivered: async (bozor) => bozor.orders.deliverFulfilment(await shipOrder(bozor)),
}

const names = Object.keys(steps) as EventType[]

export const triggerCommand: Command = {
  usage: 'EVENT [--json]',
  help: `Makes an event happen in the test environment, by real calls: carts, orders and payments stay there. Run
"bozor login" first. Without EVENT it lists the events that it can make happen.

  --json  print the event as JSON

Events: ${names.join(', ')}`,
  options: { json: { type: 'boolean' } },
  async run(context, { positionals: [name], flags }) {
    if (name === undefined) {
      context.print(flags['json'] ? JSON.stringify(names) : names.join('\n'))
      return 0
    }
    const run = steps[name as EventType]
    if (!run)
      throw new UsageError(
        `"${name}" cannot be triggered; ${meant(name, names)}possible: ${names.join(', ')}`,
      )
    const credentials = credentialsFor(context.config, 'test')
    if (credentials.key.startsWith('ak_live_'))
      throw new UsageError('events are triggered in the test environment only; BOZOR_KEY is a live key')
    const bozor = clientOf(credentials)
    return explained(credentials, async () => {
      const before = await newest(bozor, name)
      await run(bozor)
      const event = await eventually(`the event ${name}`, async () => {
        const found = await newest(bozor, name)
        return found?.id === before?.id ? undefined : found
      })
      context.print(flags['json'] ? JSON.stringify(event) : lineOf(event))
      return 0
    })
  },
}

const newest = async (bozor: Bozor, type: string): Promise<Event | undefined> =>
  (await bozor.events.list({ type, sort: '-position', per_page: 1 })).items[0]

async function eventually<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const until = elapsedMs() + waitMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (elapsedMs() > until) throw new UsageError(`${what} did not come within ${waitMs / 1000} seconds`)
    await sleep(pollMs)
  }
}

async function createBrand(bozor: Bozor): Promise<number> {
  const slug = `trigger-${secretUuid().slice(0, 8)}`
  return Number((await bozor.brands.create({ slug, name: slug })).brand.id)
}

const newGuest = async (bozor: Bozor): Promise<string> => (await bozor.auth.createGuestSession()).session_id!

async function someOffer(bozor: Bozor): Promise<number> {
  const query = { in_stock: true, is_active: true, is_visible: true, price_max: maxPrice, per_page: 50 }
  const { items } = await bozor.offers.list(query)
  const offer = items.find((it) => it.quantity > 1)
  if (!offer)
    throw new UsageError(
      'the test environment has no offer to buy: load the demo shop ("bozor demo") or import',
    )
  return Number(offer.id)
}

async function fillCart(bozor: Bozor): Promise<{ SessionId: string; OfferId: number }> {
  const [SessionId, OfferId] = [await newGuest(bozor), await someOffer(bozor)]
  await bozor.cart.addItem({ SessionId, OfferId, Quantity: 1 })
  return { SessionId, OfferId }
}

async function placeOrder(bozor: Bozor): Promise<number> {
  const { SessionId } = await fillCart(bozor)
  const { OrderIds } = await bozor.cart.order({
    SessionId,
    PaymentMethodId: 1,
    DeliveryAddress: 'Toshkent, Amir Temur 1',
    Contact: contact,
  })
  return OrderIds[0]!
}

async function payOrder(bozor: Bozor): Promise<number> {
  const id = await placeOrder(bozor)
  const { payment } = await bozor.orders.createPayment({ id, kind: 'card', card, capture: 'automatic' })
  await eventually('the payment', async () => {
    const { payments } = await bozor.orders.listPayments({ id })
    return payments.find((it) => it.id === payment.id && it.status === 'captured')
  })
  return id
}

async function shipOrder(bozor: Bozor): Promise<{ id: number; fulfilmentId: string }> {
  const id = await payOrder(bozor)
  const { fulfilment } = await bozor.orders.createFulfilment({ id })
  const sent = { id, fulfilmentId: fulfilment.id }
  await bozor.orders.shipFulfilment({ ...sent, carrier: 'BTS', tracking_number: 'TEST-1' })
  return sent
}
