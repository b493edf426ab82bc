// A bank that is none: in the test environment cards are charged here, and the number of the card says what happens.
// It keeps books of its own, as a bank elsewhere would, and knows of orders only what it is told.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretUuid } from '../../base/random.ts'
import * as books from '../store/test-charges.ts'
import type { Acquirer, Callback, Outcome } from './acquirer.ts'
import type { Way } from './desk.ts'

/** What a card does: at once, or by callbacks that come so many minutes later. */
interface Behaviour {
  number: string
  meaning: string
  answer: 'success' | 'failed' | 'pending' | 'timeout'
  code?: string
  /** Whether money is taken though we are left without an answer. */
  charges?: boolean
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
  success:      { number: '8600000000000015', meaning: 'succeeds', answer: 'success' },
  declined:     { number: '8600000000000023', meaning: 'is declined', answer: 'failed', code: 'card_declined' },
  noFunds:      { number: '8600000000000031', meaning: 'has too little money', answer: 'failed', code: 'insufficient_funds' },
  expired:      { number: '8600000000000049', meaning: 'has expired', answer: 'failed', code: 'expired_card' },
  approved:     { number: '8600000000000056', meaning: 'must be approved by its holder, who does so a minute later', answer: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1 }] },
  notApproved:  { number: '8600000000000064', meaning: 'must be approved by its holder, who declines a minute later', answer: 'pending', callbacks: [{ status: 'failed', code: 'authentication_failed', afterMinutes: 1 }] },
  approvedLate: { number: '8600000000000072', meaning: 'is approved two hours later, when the order is gone: the money goes back', answer: 'pending', callbacks: [{ status: 'captured', afterMinutes: 120 }] },
  toldTwice:    { number: '8600000000000080', meaning: 'is approved a minute later, and we are told three times', answer: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1, times: 3 }] },
  outOfOrder:   { number: '8600000000000098', meaning: 'is approved, and we hear of it before we hear that it failed at first', answer: 'pending', callbacks: [{ status: 'captured', afterMinutes: 1 }, { status: 'authorised', afterMinutes: 2 }, { status: 'failed', code: 'authentication_failed', afterMinutes: 3 }] },
  lostCharged:  { number: '8600000000000106', meaning: 'is charged, but the answer is lost', answer: 'timeout', charges: true },
  lost:         { number: '8600000000000114', meaning: 'is never charged, and no answer comes', answer: 'timeout' },
  noRefund:     { number: '8600000000000122', meaning: 'succeeds, and refuses refunds', answer: 'success', refusesRefunds: true },
} as const satisfies Record<string, Behaviour>

type CardName = keyof typeof testCards
const behaviourOf = (name: string): Behaviour => testCards[name as CardName]
const cardNamed = (number: string): CardName =>
  (Object.keys(testCards) as CardName[]).find((it) => testCards[it].number === number) ?? 'declined'

export const testAcquirerName = 'test'
/** Everybody may know it: whoever calls back must also hold a key of the test environment. */
export const testCallbackSecret = 'test-callback-secret'

export const signatureOf = (bytes: Buffer | string): string =>
  createHmac('sha256', testCallbackSecret).update(bytes).digest('hex')

export function testAcquirer(way: Way): Acquirer {
  const outcomeOf = (charge: books.TestCharge): Outcome =>
    charge.status === 'pending'
      ? { status: 'pending', actionUrl: `https://test-acquirer.invalid/approve/${charge.paymentId}` }
      : charge.status === 'failed'
        ? { status: 'failed', code: behaviourOf(charge.behaviour).code ?? 'authentication_failed' }
        : { status: charge.status }
  const change = async (paymentId: string, from: string, to: 'captured' | 'voided'): Promise<Outcome> => {
    const charge = await way.transaction((tx) => books.changeCharge(tx, { paymentId, from, to }))
    return charge ? outcomeOf(charge) : { status: 'failed', code: 'not_possible' }
  }
  return {
    name: testAcquirerName,
    async authorise({ paymentId, amountTiyin, capturesAtOnce, card }) {
      const behaviour = cardNamed(card.number)
      const { answer, charges = false, callbacks = [] } = behaviourOf(behaviour)
      if (answer === 'timeout' && !charges) throw new Error('no answer within the time')
      const good = capturesAtOnce ? ('captured' as const) : ('authorised' as const)
      const status = answer === 'success' || charges ? good : answer === 'pending' ? 'pending' : 'failed'
      const charge = await way.transaction(async (tx) => {
        const kept = await books.openCharge(tx, {
          paymentId,
          behaviour,
          status,
          amountTiyin,
          captures: capturesAtOnce,
        })
        if (!kept.isNew) return kept
        for (const { status: told, code = null, afterMinutes, times = 1 } of callbacks) {
          const dueAt = new Date(tx.now.getTime() + afterMinutes * 60_000)
          const callback = {
            callbackId: secretUuid(),
            paymentId,
            status: told === 'captured' ? good : told,
            code,
            dueAt,
          }
          for (let time = 0; time < times; time++) books.planCallback(tx, callback)
        }
        return kept
      })
      if (answer === 'timeout') throw new Error('no answer within the time')
      return outcomeOf(charge)
    },
    capture: (paymentId) => change(paymentId, 'authorised', 'captured'),
    void: (paymentId) => change(paymentId, 'authorised', 'voided'),
    async refund(paymentId, { refundId, amountTiyin }) {
      const charge = await way.transaction((tx) => books.findCharge(tx, paymentId))
      if (!charge || behaviourOf(charge.behaviour).refusesRefunds)
        return { status: 'failed', code: 'refund_refused' }
      const isDone = await way.transaction((tx) =>
        books.refundCharge(tx, { paymentId, refundId, amountTiyin }),
      )
      return isDone ? { status: 'refunded' } : { status: 'failed', code: 'refund_exceeds_charge' }
    },
    async find(paymentId) {
      const charge = await way.transaction((tx) => books.findCharge(tx, paymentId))
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
  if (!id || !paymentId || !uuidForm.test(paymentId) || !outcomes.includes(status ?? '')) return undefined
  return { id, paymentId, outcome: (status === 'failed' ? { status, code } : { status }) as Outcome }
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
