// What becomes of orders: money, calling off, parcels, returns.

import type { Tx } from '../../../src/base/db.ts'
import { cancelOrder } from '../../../src/orders/cancel-order.ts'
import { changePayment, refundPayment } from '../../../src/orders/change-payment.ts'
import { createFulfilment, moveFulfilment } from '../../../src/orders/fulfil-order.ts'
import { stepsFrom } from '../../../src/orders/fulfilment.ts'
import type { Order } from '../../../src/orders/order.ts'
import type { CardInHand } from '../../../src/orders/payments/desk.ts'
import { testCards } from '../../../src/orders/payments/test-acquirer.ts'
import { receiveInstalments, receivePayment } from '../../../src/orders/receive-payment.ts'
import type { Step } from '../../../src/orders/record-events.ts'
import { receiveReturn, rejectReturn, requestReturn } from '../../../src/orders/return-units.ts'
import { startPayment } from '../../../src/orders/start-payment.ts'
import { lockOrder } from '../../../src/orders/store/orders.ts'
import type { World } from '../world.ts'
import type { Deed, Plan } from './deed.ts'

function someOrder({ chance, promised }: World): number | undefined {
  const ids = [...promised.orders.keys()]
  if (ids.length === 0) return undefined
  return chance.percent(60) ? ids.at(-1 - chance.below(Math.min(5, ids.length)))! : chance.pick(ids)
}

/** Mostly an order in whose state something can be done: by chance alone hardly any would get as far as coming back. */
async function ripeOrder(world: World, state: string): Promise<number | undefined> {
  const { chance, db } = world
  const ripe = await db.read().all<{ id: number }>(`select id from orders_orders where ${state} order by id`)
  return ripe.length > 0 && chance.percent(80) ? chance.pick(ripe).id : someOrder(world)
}

/** Does something to an order that is there; its bank is told afterwards, unless the process dies before that. */
async function withOrder(
  world: World,
  act: (tx: Tx, it: Order) => Promise<Step | undefined>,
  { inHand, state }: { inHand?: CardInHand; state?: string } = {},
): Promise<void> {
  const { chance, desk } = world
  const id = state === undefined ? someOrder(world) : await ripeOrder(world, state)
  if (id === undefined) return
  const step = await world.risky(world.fate(), async (tx) => act(tx, (await lockOrder(tx, id))!))
  if (!step || chance.percent(10)) return
  await desk.perform(step.tasks, inHand)
}

export const pay: Deed = (world) => {
  const { number } = world.chance.pick(Object.values(testCards))
  const card = { number, expiryMonth: 12, expiryYear: 2030, cvc: '123' }
  const inHand = { card, capturesAtOnce: world.chance.percent(70) }
  return withOrder(world, (tx, it) => startPayment(tx, it, { ...inHand, acquirer: 'test' }), { inHand })
}

export const cancel: Deed = (world) => withOrder(world, (tx, it) => cancelOrder(tx, it, 'simulated'))

/** Calls an order off and leaves it to the job to ask for its money. */
export const cancelAndDie: Plan = (world) => {
  const id = someOrder(world)
  return async (spoil) => {
    if (id !== undefined)
      await world.risky(spoil, async (tx) => cancelOrder(tx, (await lockOrder(tx, id))!, 'simulated'))
    return () => {}
  }
}

export const takeMoney: Deed = (world) =>
  withOrder(
    world,
    (tx, it) =>
      world.chance.percent(50)
        ? receivePayment(tx, it, { kind: 'cash', reference: null })
        : receiveInstalments(tx, it, { count: 1 + world.chance.below(3), reference: null }),
    { state: `payment_status in ('unpaid', 'partially_paid') and status <> 'cancelled'` },
  )

export const giveBack: Deed = (world) =>
  withOrder(world, (tx, it) => moneyGivenBack(tx, it, world), {
    state: `payment_status in ('authorised', 'paid', 'partially_refunded')`,
  })

async function moneyGivenBack(tx: Tx, it: Order, world: World): Promise<Step | undefined> {
  const payment = it.story.payments.at(-1)
  if (!payment) return undefined
  const paymentId = payment.id
  return world.chance.percent(payment.status === 'captured' ? 90 : 10)
    ? refundPayment(tx, it, {
        paymentId,
        reason: 'simulated',
        amountTiyin: 1 + world.chance.below(10_000_000),
      })
    : changePayment(tx, it, { paymentId, step: world.chance.pick(['capture', 'void']) })
}

export const send: Deed = (world) =>
  withOrder(world, (tx, it) => sent(tx, it, world), { state: `status = 'confirmed'` })

const allSteps = ['ship', 'deliver', 'cancel'] as const

async function sent(tx: Tx, it: Order, world: World): Promise<Step> {
  const parcel = it.story.fulfilments.findLast(({ status }) => stepsFrom(status).length > 0)
  if (!parcel || world.chance.percent(30)) {
    const lines = it.lines
      .filter(() => world.chance.percent(70))
      .map(({ number, quantity }) => ({ line: number, quantity: 1 + world.chance.below(quantity) }))
    return createFulfilment(tx, it, lines.length > 0 ? lines : undefined)
  }
  const allowed = stepsFrom(parcel.status)
  const step = world.chance.percent(80) && allowed.length > 0 ? allowed[0]! : world.chance.pick(allSteps)
  return moveFulfilment(tx, it, { fulfilmentId: parcel.id, step })
}

export const sendBack: Deed = (world) =>
  withOrder(world, (tx, it) => sentBack(tx, it, world), {
    state: `fulfilment_status in ('partially_delivered', 'delivered', 'partially_returned')`,
  })

async function sentBack(tx: Tx, it: Order, world: World): Promise<Step> {
  const waiting = it.story.returns.find(({ status }) => status === 'requested')
  if (!waiting || world.chance.percent(20)) {
    const one = { line: world.chance.pick(it.lines).number, quantity: 1 }
    return requestReturn(tx, it, {
      lines: world.chance.percent(50) ? [one] : undefined,
      reason: 'simulated',
    })
  }
  return world.chance.percent(80)
    ? receiveReturn(tx, it, { returnId: waiting.id, isRestocked: world.chance.percent(70) })
    : rejectReturn(tx, it, { returnId: waiting.id, reason: 'simulated' })
}
