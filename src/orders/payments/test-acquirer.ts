// The acquirer of the test environment: the card number decides the outcome. It has tables of its own and, like a real
// bank, sees only what the acquirer port passes to it.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretUuid } from '../../base/random.ts'
import * as store from './test-acquirer-store.ts'
import type { Acquirer, Callback, Outcome } from './acquirer.ts'
import type { Transactions } from './payment-processor.ts'

/** The outcome of a card: at once, or by callbacks some minutes later. */
interface Behaviour {
  number: string
  meaning: string
  reply: 'success' | 'failed' | 'pending' | 'timeout'
  code?: string
  /** Whether the card is charged although the reply is lost. */
  isCharged?: boolean
  callbacks?: {
    status: 'authorised' | 'captured' | 'failed'
    code?: string
    afterMinutes: number
    times?: number
  }[]
  refusesRefunds?: boolean
}

// oxfmt-ignore
export const testCards = {
  success:      { number: '8600000000000015', meaning: 'succeeds', reply: 'success' },
  declined:     { number: '8600000000000023', meaning: 'is declined', reply: 'failed', code: 'card_declined' },
  noFunds:      { number: '8600000000000031', meaning: 'has insufficient funds', reply: 'failed', code: 'insufficient_funds' },
  expired:      { number: '8600000000000049', meaning: 'has expired', reply: 'failed', code: 'expired_card' },
  approved:     { number: '8600000000000056', meaning: 'must be approved by its holder, who does so on the page in `action_url`, or a minute later', reply: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1 }] },
  notApproved:  { number: '8600000000000064', meaning: 'must be approved by its holder, who declines a minute later', reply: 'pending', callbacks: [{ status: 'failed', code: 'authentication_failed', afterMinutes: 1 }] },
  approvedLate: { number: '8600000000000072', meaning: 'is approved two hours later, when the order is gone: the money goes back', reply: 'pending', callbacks: [{ status: 'captured', afterMinutes: 120 }] },
  repeated:     { number: '8600000000000080', meaning: 'is approved a minute later, and the callback is sent three times', reply: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1, times: 3 }] },
  outOfOrder:   { number: '8600000000000098', meaning: 'is approved, and older callbacks arrive after the approval', reply: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1 }, { status: 'authorised', afterMinutes: 2 }, { status: 'failed', code: 'authentication_failed', afterMinutes: 3 }] },
  lostCharged:  { number: '8600000000000106', meaning: 'is charged, but the reply is lost', reply: 'timeout', isCharged: true },
  lost:         { number: '8600000000000114', meaning: 'is never charged, and no reply comes', reply: 'timeout' },
  noRefund:     { number: '8600000000000122', meaning: 'succeeds, and refuses refunds', reply: 'success', refusesRefunds: true },
} as const satisfies Record<string, Behaviour>

type CardName = keyof typeof testCards
const behaviourOf = (name: string): Behaviour => testCards[name as CardName]
const cardNameOf = (number: string): CardName =>
  (Object.keys(testCards) as CardName[]).find((it) => testCards[it].number === number) ?? 'declined'

export const testAcquirerName = 'test'
/** Where the holder of the card approves a payment. */
export const testBankPath = (paymentId: string): string => `/test-bank/${paymentId}`
/** Not secret: callers of the callback route also need a key of the test environment. */
export const testCallbackSecret = 'test-callback-secret'

export const signatureOf = (bytes: Buffer | string): string =>
  createHmac('sha256', testCallbackSecret).update(bytes).digest('hex')

export function testAcquirer(transactions: Transactions): Acquirer {
  const outcomeOf = (charge: store.TestCharge): Outcome =>
    charge.status === 'pending'
      ? { status: 'pending', actionUrl: testBankPath(charge.paymentId) }
      : charge.status === 'failed'
        ? { status: 'failed', code: behaviourOf(charge.behaviour).code ?? 'authentication_failed' }
        : { status: charge.status }
  const change = async (paymentId: string, from: string, to: 'captured' | 'voided'): Promise<Outcome> => {
    const charge = await transactions.transaction((tx) => store.changeCharge(tx, { paymentId, from, to }))
    return charge ? outcomeOf(charge) : { status: 'failed', code: 'not_possible' }
  }
  return {
    name: testAcquirerName,
    async authorise({ paymentId, amountTiyin, capturesAtOnce, card }) {
      const behaviour = cardNameOf(card.number)
      const { reply, isCharged = false, callbacks = [] } = behaviourOf(behaviour)
      if (reply === 'timeout' && !isCharged) throw new Error('no reply before the timeout')
      const success = capturesAtOnce ? ('captured' as const) : ('authorised' as const)
      const status = reply === 'success' || isCharged ? success : reply === 'pending' ? 'pending' : 'failed'
      const charge = await transactions.transaction(async (tx) => {
        const opened = await store.openCharge(tx, {
          paymentId,
          behaviour,
          status,
          amountTiyin,
          captures: capturesAtOnce,
        })
        if (!opened.isNew) return opened
        for (const { status: callbackStatus, code = null, afterMinutes, times = 1 } of callbacks) {
          const dueAt = new Date(tx.now.getTime() + afterMinutes * 60_000)
          const callback = {
            callbackId: secretUuid(),
            paymentId,
            status: callbackStatus === 'captured' ? success : callbackStatus,
            code,
            dueAt,
          }
          for (let time = 0; time < times; time++) store.planCallback(tx, callback)
        }
        return opened
      })
      if (reply === 'timeout') throw new Error('no reply before the timeout')
      return outcomeOf(charge)
    },
    capture: (paymentId) => change(paymentId, 'authorised', 'captured'),
    void: (paymentId) => change(paymentId, 'authorised', 'voided'),
    async refund(paymentId, { refundId, amountTiyin }) {
      const charge = await transactions.transaction((tx) => store.findCharge(tx, paymentId))
      if (!charge || behaviourOf(charge.behaviour).refusesRefunds)
        return { status: 'failed', code: 'refund_refused' }
      const isDone = await transactions.transaction((tx) =>
        store.refundCharge(tx, { paymentId, refundId, amountTiyin }),
      )
      return isDone ? { status: 'refunded' } : { status: 'failed', code: 'refund_exceeds_charge' }
    },
    async find(paymentId) {
      const charge = await transactions.transaction((tx) => store.findCharge(tx, paymentId))
      return charge && outcomeOf(charge)
    },
    callbackIn: ({ headers, bytes }) => {
      const signed = Buffer.from(String(headers['x-test-signature'] ?? ''))
      const expected = Buffer.from(signatureOf(bytes))
      return signed.length === expected.length && timingSafeEqual(signed, expected)
        ? readCallback(bytes)
        : undefined
    },
  }
}

const outcomes = ['authorised', 'captured', 'failed', 'voided', 'pending']

function readCallback(bytes: Buffer): Callback | undefined {
  const {
    id,
    payment_id: paymentId,
    status,
    code = 'failed',
  } = JSON.parse(bytes.toString()) as Record<string, string>
  if (!id || !paymentId || !uuidPattern.test(paymentId) || !outcomes.includes(status ?? '')) return undefined
  return { id, paymentId, outcome: (status === 'failed' ? { status, code } : { status }) as Outcome }
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
