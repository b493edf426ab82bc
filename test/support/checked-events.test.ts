import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../src/events.ts'
import { faultOf } from './checked-events.ts'

const price = { offerId: 1, oldPrice: 10, newPrice: 9.5 }

test('an event as it is declared has no fault', () => {
  equal(faultOf({ type: 'OfferPriceChanged', fields: price }), undefined)
})

test('a field that is missing, not declared or of another type is a fault', () => {
  const { newPrice: _, ...incomplete } = price
  match(faultOf({ type: 'OfferPriceChanged', fields: incomplete })!, /newPrice/)
  match(faultOf({ type: 'OfferPriceChanged', fields: { ...price, more: 1 } })!, /additional properties/)
  match(faultOf({ type: 'OfferPriceChanged', fields: { ...price, newPrice: '9' } })!, /must be number/)
})

test('a time that is not in UTC is a fault', () => {
  const fields = { offerId: 1, activatedAt: '2026-11-01 09:00:00+05' }
  match(faultOf({ type: 'OfferActivated', fields })!, /format/)
})

test('a type that src/events.ts does not have is a fault', () => {
  match(faultOf({ type: 'OfferPainted' as EventType, fields: {} })!, /not in src\/events.ts/)
})
