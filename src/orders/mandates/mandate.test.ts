import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../base/clock.ts'
import { brokenByMandate, type Confirmation, type Mandate, type MandatedOrder, unusable } from './mandate.ts'

const now = new Date('2026-11-16T09:00:00Z')
const later = new Date(now.getTime() + hourMs)

const mandate: Mandate = {
  id: 'mandate-1',
  clientId: 1,
  applicationId: 'app-1',
  name: null,
  budgetTiyin: 100_000,
  spentTiyin: 40_000,
  categoryIds: [],
  needsConfirmation: false,
  createdAt: now,
  expiresAt: later,
  revokedAt: null,
}
const order: MandatedOrder = {
  lines: [{ isModerated: false, offerId: 7, categoryId: 3 }],
  totalTiyin: 60_000,
  cartVersion: 5,
  confirmations: [],
  covers: () => true,
}
const confirmation: Confirmation = {
  id: 'confirmation-1',
  mandateId: mandate.id,
  cartVersion: 5,
  totalTiyin: 60_000,
  createdAt: now,
  expiresAt: later,
  checkoutId: null,
}

// oxfmt-ignore
const orders: [name: string, Partial<Mandate>, Partial<MandatedOrder>, codes: string[]][] = [
  ['an order for exactly the rest',            {}, {}, []],
  ['one tiyin more',                           {}, { totalTiyin: 60_001 }, ['mandate_budget_exceeded']],
  ['another category',                         {}, { covers: (id) => id !== 3 }, ['mandate_category_not_allowed']],
  ['another category and too much',            {}, { covers: () => false, totalTiyin: 60_001 }, ['mandate_category_not_allowed', 'mandate_budget_exceeded']],
  ['no confirmation',                          { needsConfirmation: true }, {}, ['confirmation_required']],
  ['too much is not worth a confirmation',     { needsConfirmation: true }, { totalTiyin: 60_001 }, ['mandate_budget_exceeded']],
  ['a confirmation',                           { needsConfirmation: true }, { confirmations: [confirmation] }, []],
  ['a confirmation of another version',        { needsConfirmation: true }, { confirmations: [{ ...confirmation, cartVersion: 4 }] }, ['confirmation_required']],
  ['a confirmation of a smaller total',        { needsConfirmation: true }, { confirmations: [{ ...confirmation, totalTiyin: 59_999 }] }, ['confirmation_required']],
  ['a confirmation that is over',              { needsConfirmation: true }, { confirmations: [{ ...confirmation, expiresAt: now }] }, ['confirmation_required']],
]

for (const [name, limits, wanted, codes] of orders)
  test(`a mandate judges ${name}`, () => {
    const found = brokenByMandate({ ...mandate, ...limits }, { ...order, ...wanted }, now)
    deepEqual(
      found.map((it) => it.code),
      codes,
    )
  })

test('a mandate that is absent, over or revoked cannot be used, and the reason says which', () => {
  equal(unusable(mandate, mandate.id, now), undefined)
  equal(unusable(undefined, 'other', now)?.reason, 'unknown')
  equal(unusable(mandate, mandate.id, later)?.reason, 'expired')
  equal(unusable({ ...mandate, revokedAt: now }, mandate.id, later)?.reason, 'revoked')
})
