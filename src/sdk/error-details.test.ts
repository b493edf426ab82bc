import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { ConflictDetails } from '../base/conflict.ts'
import { refusals } from '../http/refusals.ts'
import { ruleFigures } from '../../test/support/refused.ts'
import { BozorError, type ConflictReasons } from './index.ts'

const errorOf = (code: keyof typeof refusals, details: object): BozorError =>
  new BozorError(
    { error: { code, message: 'x', type: refusals[code].type, details } },
    { status: refusals[code].status },
  )

const stock = errorOf('stock_exceeded', {
  violations: [
    { code: 'offer_unavailable', offer_id: 6, remedy: { action: 'remove' } },
    {
      code: 'stock_exceeded',
      message: 'Only 3',
      offer_id: 7,
      requested: 5,
      available: 3,
      remedy: { action: 'set_quantity', quantity: 3 },
    },
  ],
})

test('the code of an error decides the figures of its details', () => {
  try {
    throw stock
  } catch (e) {
    if (!(e instanceof BozorError) || e.code !== 'stock_exceeded') throw e
    const available: number = e.details.available
    equal(available, 3)
    equal(e.details.requested - e.details.available, 2)
    equal(e.details.violations.length, 2)
    deepEqual(e.details.remedy, { action: 'set_quantity', quantity: 3 })
    // @ts-expect-error the daily limit is not a matter of stock
    equal(e.details.used, undefined)
  }
})

test('a rule without violations has its own details and an empty list', () => {
  const error = errorOf('coupon_unknown', { coupon: 'SPRING' })
  if (error.code !== 'coupon_unknown') throw error
  deepEqual(error.details, { coupon: 'SPRING', violations: [] })
})

test('the reason of a conflict and of two-step sign-in decides what to do', () => {
  const said = (error: BozorError): string | number => {
    if (error.code === 'two_step_required') {
      const reason: 'missing' | 'wrong' = error.details.reason
      return reason
    }
    if (error.code !== 'conflict') return ''
    const { details } = error
    // @ts-expect-error not every conflict has a limit
    if (details.limit === 0) return 0
    switch (details.reason) {
      case 'in_use':
        return details.used_by
      case 'queue_full':
        return details.available
      default:
        return details.reason
    }
  }
  equal(said(errorOf('conflict', { reason: 'in_use', id: '5', used_by: 'offers' })), 'offers')
  equal(said(errorOf('conflict', { reason: 'queue_full', limit: 9, available: 2 })), 2)
  equal(said(errorOf('two_step_required', { reason: 'missing' })), 'missing')
})

type Same<A, B> = [A, B] extends [B, A] ? true : false

test('the types know every rule and every conflict of the server', () => {
  const isEachConflict: Same<ConflictReasons, ConflictDetails> = true
  equal(isEachConflict, true)
  deepEqual(
    Object.entries(refusals).flatMap(([code, it]) => (it.type === 'business_rule_violation' ? [code] : [])),
    Object.keys(ruleFigures),
  )
})
