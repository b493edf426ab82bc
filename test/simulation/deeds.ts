// What buyers, operators, banks and time do to the shop. A deed draws what it does from chance alone, and writes into
// the promises exactly what the shop has acknowledged.

import type { Buyer } from '../../src/base/buyer.ts'
import type { Tx } from '../../src/base/db.ts'
import { sha256 } from '../../src/base/random.ts'
import { addItems } from '../../src/cart/add-items.ts'
import { changeQuantity } from '../../src/cart/change-quantity.ts'
import type { Cart, LineKey } from '../../src/cart/cart.ts'
import { hearEvent } from '../../src/cart/hear-event.ts'
import { keyOf, paymentMethods } from '../../src/cart/index.ts'
import { mergeCarts } from '../../src/cart/merge-carts.ts'
import { removeItem } from '../../src/cart/remove-items.ts'
import { adjustStock } from '../../src/catalog/adjust-stock.ts'
import { once } from '../../src/http/idempotency.ts'
import { cancelOrder } from '../../src/orders/cancel-order.ts'
import { changePayment, refundPayment } from '../../src/orders/change-payment.ts'
import { createFulfilment, moveFulfilment } from '../../src/orders/fulfil-order.ts'
import { jobsOf } from '../../src/orders/jobs.ts'
import type { Order } from '../../src/orders/order.ts'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { placeOrders } from '../../src/orders/place-orders.ts'
import { receiveInstalments, receivePayment } from '../../src/orders/receive-payment.ts'
import type { Step } from '../../src/orders/record-events.ts'
import { receiveReturn, rejectReturn, requestReturn } from '../../src/orders/return-units.ts'
import { startPayment } from '../../src/orders/start-payment.ts'
import { lockOrder } from '../../src/orders/store/orders.ts'
import { buyers, Crash, type Held, moderatedIds, nameOf, offerIds, type World } from './world.ts'

export type Deed = (world: World) => Promise<void>

const someKey = ({ chance }: World): LineKey =>
  chance.percent(85)
    ? { isModerated: false, offerId: chance.pick(offerIds) }
    : { isModerated: true, offerId: chance.pick(moderatedIds) }

const heldIn = (cart: Cart | undefined): Held =>
  new Map((cart?.lines ?? []).map((it) => [keyOf(it), it.quantity]))

const remember = ({ promised }: World, buyer: Buyer, cart: Cart | undefined) =>
  void promised.carts.set(nameOf(buyer), heldIn(cart))

const add: Deed = async (world) => {
  const { chance, terms } = world
  const buyer = chance.pick(buyers)
  const key = someKey(world)
  const wish = {
    ...key,
    quantity: 1 + chance.below(4),
    ...(chance.percent(40) && { loanConditionId: (key.offerId % 2) + 1 }),
  }
  const basket = await world.risky((tx) => addItems(tx, { buyer, terms }, { wishes: [wish] }))
  if (basket) remember(world, buyer, basket.cart)
}

const change: Deed = async (world) => {
  const { chance, terms } = world
  const buyer = chance.pick(buyers)
  const grip = { key: someKey(world), ifMatch: undefined }
  const quantity = chance.below(6)
  const basket = await world.risky((tx) =>
    quantity === 0
      ? removeItem(tx, { buyer, terms }, grip)
      : changeQuantity(tx, { buyer, terms }, { ...grip, quantity }),
  )
  if (basket) remember(world, buyer, basket.cart)
}

const merge: Deed = async (world) => {
  const { chance, terms, promised } = world
  const guest = { kind: 'guest', sessionId: `session-${1 + chance.below(2)}` } as const
  const client = { kind: 'client', clientId: 1 + chance.below(4) } as const
  const strategy = chance.pick(['max', 'sum', 'guest', 'client'] as const)
  const [mine, theirs] = [promised.carts.get(nameOf(guest)), promised.carts.get(nameOf(client))]
  const done = await world.risky((tx) => mergeCarts(tx, terms, { guest, client, strategy }))
  if (!done) return
  const after = heldIn(done.basket.cart)
  for (const [key, units] of after) {
    const most = (mine?.get(key) ?? 0) + (theirs?.get(key) ?? 0)
    if (units > most) throw new Error(`I8: merging made ${units} of ${most} units of ${key}`)
  }
  remember(world, client, done.basket.cart)
  promised.carts.set(nameOf(guest), new Map())
}

const place = async (world: World, buyer: Buyer, { key, methodId }: { key: string; methodId: number }) => {
  const { db, inFlight, terms, chance } = world
  const method = paymentMethods.find((it) => it.id === methodId)!
  const held = [...(world.promised.carts.get(nameOf(buyer)) ?? new Map<string, number>()).keys()]
  const chosen =
    held.length > 1 && chance.percent(40)
      ? held
          .filter(() => chance.percent(50))
          .map((it) => ({ isModerated: it[0] === 'm', offerId: Number(it.slice(1)) }))
      : []
  let left: Held | undefined
  const claim = { principal: nameOf(buyer), key, fingerprint: sha256(key) }
  const work = async (whole: Tx) => {
    const tx = world.spoil(whole)
    const placed = await placeOrders(
      tx,
      { buyer, terms },
      { method, address: 'Toshkent', ...(chosen.length > 0 && { chosen }) },
    )
    left = new Map(world.promised.carts.get(nameOf(buyer)))
    for (const line of placed.orders.flatMap((it) => it.lines)) left.delete(keyOf(line))
    const body = JSON.stringify(placed.orders.map((it) => it.id))
    return { status: 201, headers: {}, body, cookie: undefined, bodyWithoutSecrets: undefined }
  }
  const reply = await once(db, inFlight, { claim, work }).catch((error: unknown) => {
    if (error instanceof Crash) return null
    throw error
  })
  return { reply, left }
}

const order: Deed = async (world) => {
  const { chance, promised } = world
  const buyer = chance.pick(buyers)
  const key = `key-${promised.replies.size}-${nameOf(buyer)}`
  const methodId = 1 + chance.below(4)
  const { reply, left } = await place(world, buyer, { key, methodId })
  if (!reply) return
  if (!reply.replayed) promised.carts.set(nameOf(buyer), left!)
  promised.replies.set(key, { buyer, body: reply.body, at: world.now(), methodId })
  for (const id of JSON.parse(reply.body) as number[]) promised.orderIds.add(id)
}

/** The same order call again, as by a client that never heard the answer. */
const orderAgain: Deed = async (world) => {
  const { chance, promised } = world
  if (promised.replies.size === 0) return
  const [key, first] = chance.pick([...promised.replies])
  if (world.now() - first.at > 23 * 3_600_000) return
  const { reply } = await place(world, first.buyer, { key, methodId: first.methodId })
  if (!reply) return
  if (!reply.replayed || reply.body !== first.body)
    throw new Error(`I4: ${key} was answered ${first.body}, and then ${reply.body}`)
}

/** Does something to an order that is there; its bank is told afterwards, unless the process dies before that. */
async function withOrder(world: World, act: (tx: Tx, it: Order) => Promise<Step | undefined>, card?: string) {
  const { chance, promised, desk } = world
  if (promised.orderIds.size === 0) return
  const ids = [...promised.orderIds]
  const id = chance.percent(60) ? ids.at(-1 - chance.below(Math.min(5, ids.length)))! : chance.pick(ids)
  const step = await world.risky(async (tx) => act(tx, (await lockOrder(tx, id))!))
  if (!step || chance.percent(10)) return
  const inHand = card === undefined ? undefined : { card: cardOf(card), capturesAtOnce: true }
  await desk.perform(step.tasks, inHand)
}

const cardOf = (number: string) => ({ number, expiryMonth: 12, expiryYear: 2030, cvc: '123' })

const pay: Deed = (world) => {
  const { number } = world.chance.pick(Object.values(testCards))
  const wish = { card: cardOf(number), acquirer: 'test', capturesAtOnce: true }
  return withOrder(world, (tx, it) => startPayment(tx, it, wish), number)
}

const cancel: Deed = (world) => withOrder(world, (tx, it) => cancelOrder(tx, it, 'simulated'))

const takeMoney: Deed = (world) =>
  withOrder(world, (tx, it) =>
    world.chance.percent(50)
      ? receivePayment(tx, it, { kind: 'cash', reference: null })
      : receiveInstalments(tx, it, { count: 1 + world.chance.below(3), reference: null }),
  )

const giveBack: Deed = (world) =>
  withOrder(world, async (tx, it) => {
    const payment = it.story.payments.at(-1)
    if (!payment) return undefined
    const paymentId = payment.id
    return world.chance.percent(50)
      ? refundPayment(tx, it, {
          paymentId,
          reason: 'simulated',
          amountTiyin: 1 + world.chance.below(10_000_000),
        })
      : changePayment(tx, it, { paymentId, step: world.chance.pick(['capture', 'void']) })
  })

const send: Deed = (world) =>
  withOrder(world, async (tx, it) => {
    const parcel = it.story.fulfilments.at(-1)
    if (!parcel || world.chance.percent(30)) {
      const lines = it.lines
        .filter(() => world.chance.percent(70))
        .map(({ number, quantity }) => ({ line: number, quantity: 1 + world.chance.below(quantity) }))
      return createFulfilment(tx, it, lines.length > 0 ? lines : undefined)
    }
    const step = world.chance.pick(['ship', 'ship', 'deliver', 'deliver', 'cancel'] as const)
    return moveFulfilment(tx, it, { fulfilmentId: parcel.id, step })
  })

const sendBack: Deed = (world) =>
  withOrder(world, async (tx, it) => {
    const waiting = it.story.returns.find(({ status }) => status === 'requested')
    if (!waiting) return requestReturn(tx, it, { lines: undefined, reason: 'simulated' })
    return world.chance.percent(80)
      ? receiveReturn(tx, it, { returnId: waiting.id, isRestocked: world.chance.percent(70) })
      : rejectReturn(tx, it, { returnId: waiting.id, reason: 'simulated' })
  })

const adjust: Deed = async (world) => {
  const { isModerated, offerId } = someKey(world)
  const change_ = world.chance.below(9) - 3
  const kind = isModerated ? 'moderated' : 'offer'
  if (change_ !== 0) await world.risky((tx) => adjustStock(tx, { kind, offerId, change: change_ }, 'counted'))
}

/** News from an outside catalog: fresh, repeated, or long overtaken. */
const hear: Deed = async (world) => {
  const { chance, promised, terms } = world
  const { messages } = promised
  if (messages.length === 0 || chance.percent(60)) {
    const OfferId = chance.pick(offerIds)
    const price = 100_000 * (1 + chance.below(40))
    const [eventType, data] = chance.pick([
      ['OfferPriceChanged', { OfferId, OldPrice: 1, NewPrice: price }],
      ['OfferDeactivated', { OfferId, Reason: 'simulated' }],
      ['OfferActivated', { OfferId, ActivatedAt: new Date(world.now()).toISOString() }],
      ['OfferActivated', { OfferId, ActivatedAt: new Date(world.now()).toISOString() }],
    ] as [string, unknown][])
    messages.push({
      eventType,
      data,
      time: new Date(world.now()).toISOString(),
      sequence: messages.length + 1,
    })
  }
  const message = chance.percent(60) ? messages.at(-1)! : chance.pick(messages)
  const told = {
    type: 'IntegrationEventReceived',
    eventId: `${message.sequence}`,
    source: 'outside',
    ...message,
  } as const
  await world.risky((tx) => hearEvent(tx, terms, told))
}

const wait: Deed = async (world) =>
  world.pass(1_000 * world.chance.pick([1, 60, 600, 3_600, 6 * 3_600, 26 * 3_600]))

const jobs = jobsOf({ unpaidOrderMinutes: 30 })

const runJob: Deed = async (world) => {
  const job = world.chance.pick(jobs)
  await job
    .run({ transaction: (work) => world.db.transaction((tx) => work(world.spoil(tx))) })
    .catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
}

const mostRounds = 60

/** Runs the jobs until nothing is left to be asked of banks, and banks have nothing left to tell. */
export async function settle(world: World): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    world.pass(3 * 60_000)
    for (const job of jobs) await job.run({ transaction: (work) => world.db.transaction(work) })
    const { left } = await world.db
      .read()
      .one<{ left: number }>(
        `select (select count(*) from orders_payment_tasks where done_at is null) + (select count(*) from orders_test_callbacks) as left`,
      )
    if (left === 0) return
  }
}

const weights: [Deed, number][] = [
  [add, 26],
  [change, 6],
  [merge, 3],
  [order, 16],
  [orderAgain, 4],
  [pay, 10],
  [cancel, 5],
  [takeMoney, 5],
  [giveBack, 4],
  [send, 12],
  [sendBack, 4],
  [adjust, 6],
  [hear, 5],
  [wait, 6],
  [runJob, 8],
]

export const deeds: readonly Deed[] = weights.flatMap(([deed, weight]) =>
  Array.from({ length: weight }, () => deed),
)
export const nameOfDeed = (deed: Deed): string => deed.name
