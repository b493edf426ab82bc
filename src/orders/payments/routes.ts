// Routes of payments: card payments, payments made outside the platform, and callbacks of acquirers.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { get, post, type Route } from '../../http/route.ts'
import { integer, list, name, oneOf, strict, text, uuid } from '../../http/schema.ts'
import { changePayment, refundPayment } from './change-payment.ts'
import { handleCallback } from './settle-payment.ts'
import type { Order } from '../order.ts'
import type { Caller } from '../steps.ts'
import type { Card } from './acquirer.ts'
import { receiveInstalments, receivePayment } from './receive-payment.ts'
import type { InstalmentChoice } from './instalments.ts'
import { startPayment } from './start-payment.ts'
import {
  callerOf,
  guestQuery,
  requireStaff,
  lockOrderForStaff,
  lockVisibleOrder,
  orderId,
  visibleOrder,
} from '../access.ts'
import type { PaymentProcessors } from './payment-processor.ts'
import { paymentReply, paymentView, orderState, orderStateView } from '../view.ts'

const card = strict({
  number: text({ min: 12, max: 19, pattern: '^[0-9]+$', examples: ['8600000000000015'] }),
  expiry_month: integer(1, 12),
  expiry_year: integer(2020, 2100),
  cvc: Type.Optional(text({ min: 3, max: 4, pattern: '^[0-9]+$', examples: ['123'] })),
})

const amount = Type.Optional(
  integer(1, Number.MAX_SAFE_INTEGER, { description: 'In tiyin; defaults to everything that is due.' }),
)
const reference = Type.Optional(
  text({
    max: 200,
    pattern: '\\S',
    description: 'Its id in your accounting system.',
    examples: ['PAY-2026-118'],
  }),
)

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ payment: paymentReply, order: orderState }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

const replyWith = (order: Order, paymentId: string, viewer: { caller: Caller; origin: string }) => ({
  data: {
    payment: paymentView(
      order.progress.payments.find((it) => it.id === paymentId)!,
      viewer,
    ),
    order: orderStateView(order, viewer.caller),
  },
  version: order.version,
})

/** When cards are charged unless staff say otherwise for a payment. */
export interface CaptureSettings {
  capture: 'automatic' | 'manual'
  /** The business day of an instant. */
  dayOf(at: Date): string
}

/** The number of an instalment, or all open ones. */
const instalment = Type.Unsafe<number | 'all'>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: 2_000,
  pattern: '^all$',
  description: 'The number of an open instalment, or `all`; default the first open one.',
  examples: [1],
})

const choiceOf = (body: { instalment?: number | 'all'; count?: number }): InstalmentChoice => {
  if (body.instalment === 'all') return { kind: 'all' }
  if (body.instalment !== undefined) return { kind: 'number', number: body.instalment }
  return { kind: 'first', count: body.count ?? 1 }
}

const paymentParams = { ...orderId, paymentId: uuid }

export const paymentRoutes = (
  processors: PaymentProcessors,
  { capture, dayOf }: CaptureSettings,
): Route[] => [
  get('/v1/orders/{id}/payments', {
    summary: 'List the payments of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ payments: list(paymentReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...request }) => {
      const { progress } = await visibleOrder(read, request)
      return {
        data: {
          payments: progress.payments.map((it) =>
            paymentView(it, { caller: callerOf(request), origin: request.origin }),
          ),
        },
      }
    },
  }),
  post('/v1/orders/{id}/payments', {
    ...shared,
    summary: 'Pay for an order',
    description:
      'By card: starts the charge and replies with `pending`; read the order for the outcome. Of an order in instalments it pays the first open one, the one in `instalment`, or `all`. Other kinds record money received outside the platform (cash, transfers, instalments) and are for staff.',
    params: orderId,
    body: strict({
      kind: oneOf(['card', 'cash', 'external', 'instalment']),
      card: Type.Optional(card),
      capture: Type.Optional(
        oneOf(['automatic', 'manual'], {
          description:
            'For cards, from staff only; default `CARD_CAPTURE`. With `manual` the card is charged by the capture, and units are shipped after it.',
        }),
      ),
      amount,
      instalment: Type.Optional(instalment),
      count: Type.Optional(
        integer(1, 2_000, { description: 'Number of instalments, from the first open one; default one.' }),
      ),
      reference,
    }),
    creates: true,
    refusals: [...shared.refusals, 'payment_method_not_allowed'],
    run: async ({ tx, body, environment, ...request }) => {
      refuseOtherFields(body)
      if (body.kind !== 'card') {
        const order = await lockOrderForStaff(tx, request)
        const note = body.reference ?? null
        const step =
          body.kind === 'instalment'
            ? await receiveInstalments(tx, order, {
                choice: choiceOf(body),
                reference: note,
                today: dayOf(tx.now),
              })
            : await receivePayment(tx, order, { kind: body.kind, amountTiyin: body.amount, reference: note })
        return replyWith(step.order, step.order.progress.payments.at(-1)!.id, {
          caller: 'staff',
          origin: request.origin,
        })
      }
      if (body.capture !== undefined && body.capture !== capture) requireStaff(request)
      const caller = callerOf(request)
      const order = await lockVisibleOrder(tx, request)
      const acquirer = processors[environment].main
      if (!acquirer) throw noAcquirer()
      if (!body.card) throw refuse('validation_failed', { fields: [{ path: 'card', rule: 'required' }] })
      const { number, expiry_month: expiryMonth, expiry_year: expiryYear, cvc = '' } = body.card
      if (!isWellFormed(number))
        throw refuse('validation_failed', { fields: [{ path: 'card.number', rule: 'card_number' }] })
      if (hasExpired({ expiryMonth, expiryYear }, tx.now))
        throw refuse('validation_failed', { fields: [{ path: 'card.expiry_year', rule: 'expired' }] })
      const presented = {
        card: { number, expiryMonth, expiryYear, cvc },
        capturesAtOnce: (body.capture ?? capture) === 'automatic',
      }
      const step = await startPayment(tx, order, {
        ...presented,
        acquirer: acquirer.name,
        amountTiyin: body.amount,
        instalments: body.instalment === undefined ? undefined : choiceOf(body),
        caller,
        today: dayOf(tx.now),
      })
      tx.afterCommit(() => processors[environment].perform(step.tasks, presented))
      return replyWith(step.order, step.order.progress.payments.at(-1)!.id, {
        caller,
        origin: request.origin,
      })
    },
  }),
  ...(['capture', 'void'] as const).map((step) =>
    post(`/v1/orders/{id}/payments/{paymentId}/${step}`, {
      ...shared,
      summary: step === 'capture' ? 'Capture an authorised payment' : 'Void an authorised payment',
      params: paymentParams,
      run: async ({ tx, params, environment, ...request }) => {
        const order = await lockOrderForStaff(tx, { params, ...request })
        const done = await changePayment(tx, order, { paymentId: params.paymentId, step })
        tx.afterCommit(() => processors[environment].perform(done.tasks))
        return replyWith(done.order, params.paymentId, { caller: 'staff', origin: request.origin })
      },
    }),
  ),
  post('/v1/orders/{id}/payments/{paymentId}/refunds', {
    ...shared,
    summary: 'Refund a payment',
    params: paymentParams,
    body: Type.Object(
      { amount, reason: Type.Optional(name(500, 'Sent back')) },
      { additionalProperties: false },
    ),
    creates: true,
    run: async ({ tx, params, body, environment, ...request }) => {
      const order = await lockOrderForStaff(tx, { params, ...request })
      const done = await refundPayment(tx, order, {
        paymentId: params.paymentId,
        amountTiyin: body.amount,
        reason: body.reason ?? 'refund',
      })
      tx.afterCommit(() => processors[environment].perform(done.tasks))
      return replyWith(done.order, params.paymentId, { caller: 'staff', origin: request.origin })
    },
  }),
  post('/v1/orders/callbacks/{acquirer}', {
    summary: 'Receive a callback of an acquirer',
    description:
      'For acquirers, who sign their callbacks: `gateway` by Standard Webhooks under `ACQUIRER_SECRET`, `test` by `X-Test-Signature`, the hex HMAC-SHA256 of the body under `test-callback-secret`. Without an API key the callback is for live, with a test key for test. Repeated and late callbacks change nothing.',
    scope: null,
    params: { acquirer: text({ max: 40, pattern: '^[a-z][a-z0-9-]*$', examples: ['test'] }) },
    body: Type.Object({}, { additionalProperties: true, examples: [callbackExample()] }),
    reply: Type.Object({ accepted: Type.Boolean() }),
    run: async ({ tx, params, environment, rawRequest }) => {
      const processor = processors[environment]
      const callback = processor.acquirer(params.acquirer)?.callbackIn({
        headers: rawRequest.headers,
        bytes: rawRequest.bytes ?? Buffer.alloc(0),
      })
      if (!callback) throw refuse('not_found')
      const { tasks } = await handleCallback(tx, params.acquirer, callback)
      tx.afterCommit(() => processor.perform(tasks))
      return { data: { accepted: true } }
    },
  }),
]

function callbackExample() {
  return { id: 'cb-1', payment_id: '019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d', status: 'captured' }
}

/** The fields of each kind of payment. Other fields are refused, not ignored. */
const fieldsOf: Record<string, readonly string[]> = {
  card: ['card', 'capture', 'amount', 'instalment'],
  cash: ['amount', 'reference'],
  external: ['amount', 'reference'],
  instalment: ['count', 'instalment', 'reference'],
}

function refuseOtherFields({ kind, ...given }: { kind: string }): void {
  const others = Object.keys(given).filter((it) => !fieldsOf[kind]!.includes(it))
  if (others.length > 0)
    throw refuse('validation_failed', {
      fields: others.map((path) => ({ path, rule: 'of_kind', limit: kind })),
    })
}

/** Without an acquirer the shop charges cards elsewhere and records the payment as `external`. */
const noAcquirer = () =>
  refuse('payment_method_not_allowed', {
    violations: [{ code: 'payment_method_not_allowed', remedy: { action: 'pay_elsewhere' } }],
  })

/** A card is valid until its month has ended in every time zone. */
const hasExpired = (card: Pick<Card, 'expiryMonth' | 'expiryYear'>, now: Date): boolean =>
  now.getTime() >= Date.UTC(card.expiryYear, card.expiryMonth, 1, 12)

/** Luhn check (ISO/IEC 7812-1). */
function isWellFormed(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
