// Actions on orders: payments, cancellations, fulfilments, returns.

import type { Tx } from '../../../src/base/database.ts'
import { cancelOrder } from '../../../src/orders/cancel-order.ts'
import { changePayment, refundPayment } from '../../../src/orders/payments/change-payment.ts'
import { createFulfilment, moveFulfilment } from '../../../src/orders/fulfilment/fulfil-order.ts'
import { stepsFrom } from '../../../src/orders/fulfilment/fulfilment.ts'
import type { Order } from '../../../src/orders/order.ts'
import type { PresentedCard } from '../../../src/orders/payments/payment-processor.ts'
import { testCards } from '../../../src/orders/payments/test-acquirer.ts'
import { receiveInstalments, receivePayment } from '../../../src/orders/payments/receive-payment.ts'
import type { Step } from '../../../src/orders/record-events.ts'
import { receiveReturn, rejectReturn, requestReturn } from '../../../src/orders/returns/return-units.ts'
import { startPayment } from '../../../src/orders/payments/start-payment.ts'
import { lockOrder } from '../../../src/orders/store.ts'
import type { World } from '../world.ts'
import type { Action, Plan } from './action.ts'

function someOrder({ chance, expected }: World): number | undefined {
  const ids = [...expected.orders.keys()]
  if (ids.length === 0) return undefined
  return chance.percent(60) ? ids.at(-1 - chance.below(Math.min(5, ids.length)))! : chance.pick(ids)
}

/** Usually an order in this state: with purely random choices hardly any order would reach a return. */
async function orderInState(world: World, state: string): Promise<number | undefined> {
  const { chance, db } = world
  const found = await db.read().all<{ id: number }>(`select id from orders_orders where ${state} order by id`)
  return found.length > 0 && chance.percent(80) ? chance.pick(found).id : someOrder(world)
}

/** Changes an order and then sends the requests to its bank, unless the process stops in between. */
async function withOrder(
  world: World,
  act: (tx: Tx, it: Order) => Promise<Step | undefined>,
  { presented, state }: { presented?: PresentedCard; state?: string } = {},
): Promise<void> {
  const { chance, processor } = world
  const id = state === undefined ? someOrder(world) : await orderInState(world, state)
  if (id === undefined) return
  const step = await world.risky(world.fate(), async (tx) => act(tx, (await lockOrder(tx, id))!))
  if (!step || chance.percent(10)) return
  await processor.perform(step.tasks, presented)
}

export const pay: Action = (world) => {
  const { number } = world.chance.pick(Object.values(testCards))
  const card = { number, expiryMonth: 12, expiryYear: 2030, cvc: '123' }
  const presented = { card, capturesAtOnce: world.chance.percent(70) }
  return withOrder(
    world,
    (tx, it) =>
      startPayment(tx, it, {
        ...presented,
        acquirer: 'test',
        caller: 'staff',
        today: world.settings.dayOf(tx.now),
      }),
    { presented },
  )
}

export const cancel: Action = (world) =>
  withOrder(world, (tx, it) => cancelOrder(tx, it, { reason: 'simulated', caller: 'staff' }))

/** Cancels an order and stops before the bank request, which is left to the job. */
export const cancelAndStop: Plan = (world) => {
  const id = someOrder(world)
  return async (injectFault) => {
    if (id !== undefined)
      await world.risky(injectFault, async (tx) =>
        cancelOrder(tx, (await lockOrder(tx, id))!, { reason: 'simulated', caller: 'staff' }),
      )
    return () => {}
  }
}

export const receiveMoney: Action = (world) =>
  withOrder(
    world,
    (tx, it) =>
      world.chance.percent(50)
        ? receivePayment(tx, it, { kind: 'cash', reference: null })
        : receiveInstalments(tx, it, {
            choice: { kind: 'first', count: 1 + world.chance.below(3) },
            reference: null,
            today: world.settings.dayOf(tx.now),
          }),
    { state: `payment_status in ('unpaid', 'partially_paid') and status <> 'cancelled'` },
  )

export const refund: Action = (world) =>
  withOrder(world, (tx, it) => refundOrChangePayment(tx, it, world), {
    state: `payment_status in ('authorised', 'paid', 'partially_refunded')`,
  })

async function refundOrChangePayment(tx: Tx, it: Order, world: World): Promise<Step | undefined> {
  const payment = it.progress.payments.at(-1)
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

export const fulfil: Action = (world) =>
  withOrder(world, (tx, it) => createOrMoveFulfilment(tx, it, world), { state: `status = 'confirmed'` })

const allSteps = ['ship', 'deliver', 'cancel'] as const

async function createOrMoveFulfilment(tx: Tx, it: Order, world: World): Promise<Step> {
  const parcel = it.progress.fulfilments.findLast(({ status }) => stepsFrom(status).length > 0)
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

export const returnUnits: Action = (world) =>
  withOrder(world, (tx, it) => requestOrAnswerReturn(tx, it, world), {
    state: `fulfilment_status in ('partially_delivered', 'delivered', 'partially_returned')`,
  })

async function requestOrAnswerReturn(tx: Tx, it: Order, world: World): Promise<Step> {
  const waiting = it.progress.returns.find(({ status }) => status === 'requested')
  if (!waiting || world.chance.percent(20)) {
    const one = { line: world.chance.pick(it.lines).number, quantity: 1 }
    return requestReturn(tx, it, {
      lines: world.chance.percent(50) ? [one] : undefined,
      reason: 'simulated',
      caller: 'staff',
    })
  }
  return world.chance.percent(80)
    ? receiveReturn(tx, it, { returnId: waiting.id, isRestocked: world.chance.percent(70) })
    : rejectReturn(tx, it, { returnId: waiting.id, reason: 'simulated' })
}
