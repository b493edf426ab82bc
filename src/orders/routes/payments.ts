// Money for orders: charges of cards, money that came another way, and what acquirers tell.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { get, post, type Route } from '../../http/route.ts'
import { integer, list, name, oneOf, strict, text } from '../../http/schema.ts'
import { changePayment, refundPayment } from '../change-payment.ts'
import { hearCallback } from '../hear-callback.ts'
import type { Order } from '../order.ts'
import type { Card } from '../payments/acquirer.ts'
import { receiveInstalments, receivePayment } from '../receive-payment.ts'
import { startPayment } from '../start-payment.ts'
import { guestQuery, heldByStaff, heldOrder, orderId, seenOrder } from './access.ts'
import type { Desks } from './index.ts'
import { paymentReply, paymentView, standing, standingView, uuid } from './views.ts'

const card = strict({
  number: text({ min: 12, max: 19, pattern: '^[0-9]+$', examples: ['8600000000000015'] }),
  expiry_month: integer(1, 12),
  expiry_year: integer(2020, 2100),
  cvc: Type.Optional(text({ min: 3, max: 4, pattern: '^[0-9]+$', examples: ['123'] })),
})

const amount = Type.Optional(
  integer(1, Number.MAX_SAFE_INTEGER, { description: 'In tiyin; all that is missing when left out.' }),
)
const reference = Type.Optional(
  text({ max: 200, pattern: '\\S', description: 'What your books call it.', examples: ['PAY-2026-118'] }),
)

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ payment: paymentReply, order: standing }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

const answer = (order: Order, paymentId: string) => ({
  data: {
    payment: paymentView(order.story.payments.find((it) => it.id === paymentId)!),
    order: standingView(order),
  },
  version: order.version,
})

const paymentParams = { ...orderId, paymentId: uuid }

export const paymentRoutes = (desks: Desks): Route[] => [
  get('/v1/orders/{id}/payments', {
    summary: 'List the payments of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ payments: list(paymentReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...call }) => {
      const { story } = await seenOrder(read, call)
      return { data: { payments: story.payments.map(paymentView) } }
    },
  }),
  post('/v1/orders/{id}/payments', {
    ...shared,
    summary: 'Pay for an order',
    description:
      'By card: the charge is begun, and the reply shows it pending; read the order for its end. Or money that came without us: cash, a transfer, instalments; those are for who runs the shop.',
    params: orderId,
    body: strict({
      kind: oneOf(['card', 'cash', 'external', 'instalment']),
      card: Type.Optional(card),
      capture: Type.Optional(
        oneOf(['automatic', 'manual'], { description: 'Of a card; default automatic.' }),
      ),
      amount,
      count: Type.Optional(integer(1, 2_000, { description: 'How many instalments; default one.' })),
      reference,
    }),
    creates: true,
    refusals: [...shared.refusals, 'payment_method_not_allowed'],
    run: async ({ tx, body, environment, ...call }) => {
      refuseOtherFields(body)
      if (body.kind !== 'card') {
        const order = await heldByStaff(tx, call)
        const note = body.reference ?? null
        const step =
          body.kind === 'instalment'
            ? await receiveInstalments(tx, order, { count: body.count ?? 1, reference: note })
            : await receivePayment(tx, order, { kind: body.kind, amountTiyin: body.amount, reference: note })
        return answer(step.order, step.order.story.payments.at(-1)!.id)
      }
      const order = await heldOrder(tx, call)
      const acquirer = desks[environment].main
      if (!acquirer) throw noAcquirer()
      if (!body.card) throw refuse('validation_failed', { fields: [{ path: 'card', rule: 'required' }] })
      const { number, expiry_month: expiryMonth, expiry_year: expiryYear, cvc = '' } = body.card
      if (!isWellFormed(number))
        throw refuse('validation_failed', { fields: [{ path: 'card.number', rule: 'card_number' }] })
      if (hasExpired({ expiryMonth, expiryYear }, tx.now))
        throw refuse('validation_failed', { fields: [{ path: 'card.expiry_year', rule: 'expired' }] })
      const inHand = {
        card: { number, expiryMonth, expiryYear, cvc },
        capturesAtOnce: body.capture !== 'manual',
      }
      const step = await startPayment(tx, order, {
        ...inHand,
        acquirer: acquirer.name,
        amountTiyin: body.amount,
      })
      tx.afterCommit(() => desks[environment].perform(step.tasks, inHand))
      return answer(step.order, step.order.story.payments.at(-1)!.id)
    },
  }),
  ...(['capture', 'void'] as const).map((step) =>
    post(`/v1/orders/{id}/payments/{paymentId}/${step}`, {
      ...shared,
      summary: step === 'capture' ? 'Take promised money' : 'Let promised money go',
      params: paymentParams,
      run: async ({ tx, params, environment, ...call }) => {
        const order = await heldByStaff(tx, { params, ...call })
        const done = await changePayment(tx, order, { paymentId: params.paymentId, step })
        tx.afterCommit(() => desks[environment].perform(done.tasks))
        return answer(done.order, params.paymentId)
      },
    }),
  ),
  post('/v1/orders/{id}/payments/{paymentId}/refunds', {
    ...shared,
    summary: 'Give money back',
    params: paymentParams,
    body: Type.Object(
      { amount, reason: Type.Optional(name(500, 'Sent back')) },
      { additionalProperties: false },
    ),
    creates: true,
    run: async ({ tx, params, body, environment, ...call }) => {
      const order = await heldByStaff(tx, { params, ...call })
      const done = await refundPayment(tx, order, {
        paymentId: params.paymentId,
        amountTiyin: body.amount,
        reason: body.reason ?? 'refund',
      })
      tx.afterCommit(() => desks[environment].perform(done.tasks))
      return answer(done.order, params.paymentId)
    },
  }),
  post('/v1/orders/callbacks/{acquirer}', {
    summary: 'Hear an acquirer',
    description:
      'For acquirers, who sign what they tell: `gateway` by Standard Webhooks under `ACQUIRER_SECRET`, `test` by `X-Test-Signature`, the hex HMAC-SHA256 of the body under `test-callback-secret`. Without a key they speak of live, with one of test of test. Repeated and late callbacks change nothing.',
    scope: null,
    params: { acquirer: text({ max: 40, pattern: '^[a-z][a-z0-9-]*$', examples: ['test'] }) },
    body: Type.Object({}, { additionalProperties: true, examples: [callbackExample()] }),
    reply: Type.Object({ heard: Type.Boolean() }),
    run: async ({ tx, params, environment, sent }) => {
      const desk = desks[environment]
      const callback = desk.acquirer(params.acquirer)?.callbackIn({
        headers: sent.headers,
        bytes: sent.bytes ?? Buffer.alloc(0),
      })
      if (!callback) throw refuse('not_found')
      const { tasks } = await hearCallback(tx, params.acquirer, callback)
      tx.afterCommit(() => desk.perform(tasks))
      return { data: { heard: true } }
    },
  }),
]

function callbackExample() {
  return { id: 'cb-1', payment_id: '019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d', status: 'captured' }
}

/** What goes with which kind of payment. What would be passed over in silence is refused. */
const fieldsOf: Record<string, readonly string[]> = {
  card: ['card', 'capture', 'amount'],
  cash: ['amount', 'reference'],
  external: ['amount', 'reference'],
  instalment: ['count', 'reference'],
}

function refuseOtherFields({ kind, ...given }: { kind: string }): void {
  const others = Object.keys(given).filter((it) => !fieldsOf[kind]!.includes(it))
  if (others.length > 0)
    throw refuse('validation_failed', {
      fields: others.map((path) => ({ path, rule: 'of_kind', limit: kind })),
    })
}

/** The shop takes the money of cards elsewhere, and notes it when it has come. */
const noAcquirer = () =>
  refuse('payment_method_not_allowed', {
    violations: [{ code: 'payment_method_not_allowed', remedy: { action: 'pay_elsewhere' } }],
  })

/** A card is good until its month has ended everywhere. */
const hasExpired = (card: Pick<Card, 'expiryMonth' | 'expiryYear'>, now: Date): boolean =>
  now.getTime() >= Date.UTC(card.expiryYear, card.expiryMonth, 1, 12)

/** Whether the last digit is the check of the others (ISO/IEC 7812-1). */
function isWellFormed(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
