import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../events.ts'
import { type IndexChanges, type IndexedOffers, noChanges, noteEvent, noteRead } from './index-changes.ts'
import { KnownOffers } from './known-offers.ts'

const quantitySet = (newQuantity: number) =>
  ({ type: 'OfferQuantityChanged', offerId: 7, newQuantity }) as unknown as Event

function openOffers(): IndexedOffers {
  const known: IndexedOffers = { ordinary: new KnownOffers(), moderated: new KnownOffers() }
  known.ordinary.set(7, { productId: 1, inStock: true })
  return known
}

test('an offer that sells out while its refill is being read is read again', () => {
  const known = openOffers()
  const ofFirstRead = noChanges()
  noteEvent(ofFirstRead, quantitySet(0), known)
  deepEqual([...ofFirstRead.offers], [7])
  // The first read has seen a quantity of 0 when the refill is noted.
  const ofSecondRead = noChanges()
  noteEvent(ofSecondRead, quantitySet(5), known)
  noteRead(ofSecondRead.offers, known.ordinary, { id: 7, productId: 1, quantity: 0 })
  // The second read has seen a quantity of 5 when the offer sells out.
  const ofThirdRead = noChanges()
  noteEvent(ofThirdRead, quantitySet(0), known)
  deepEqual([...ofThirdRead.offers], [7])
  noteRead(ofThirdRead.offers, known.ordinary, { id: 7, productId: 1, quantity: 5 })
  equal(known.ordinary.isInStock(7), false)
})

test('other quantities of an offer in stock change nothing, and a read tells what is known', () => {
  const known = openOffers()
  const changed = noChanges()
  noteEvent(changed, quantitySet(4), known)
  equal(changed.offers.size, 0)
  noteRead(changed.offers, known.ordinary, { id: 7, productId: 2, quantity: 0 })
  deepEqual([known.ordinary.productOf(7), known.ordinary.isInStock(7)], [2, false])
})

test('the refill of an offer that sold out while it was first read is read', () => {
  const known: IndexedOffers = { ordinary: new KnownOffers(), moderated: new KnownOffers() }
  // The first read of a new offer has seen a quantity of 5 when the offer sells out.
  const ofSecondRead = noChanges()
  noteEvent(ofSecondRead, quantitySet(0), known)
  deepEqual([...ofSecondRead.offers], [7])
  noteRead(ofSecondRead.offers, known.ordinary, { id: 7, productId: 1, quantity: 5 })
  // The second read has seen a quantity of 0 when the offer is refilled.
  const ofThirdRead = noChanges()
  noteEvent(ofThirdRead, quantitySet(5), known)
  deepEqual([...ofThirdRead.offers], [7])
  noteRead(ofThirdRead.offers, known.ordinary, { id: 7, productId: 1, quantity: 0 })
  noteRead(noChanges().offers, known.ordinary, { id: 7, productId: 1, quantity: 5 })
  deepEqual([known.ordinary.productOf(7), known.ordinary.isInStock(7)], [1, true])
})

test('a moderated offer that sells out while its refill by a save is being read again is read once more', () => {
  const known: IndexedOffers = { ordinary: new KnownOffers(), moderated: new KnownOffers() }
  known.moderated.set(7, { productId: 1, inStock: false })
  const note = (changes: IndexChanges, event: object) =>
    noteEvent(changes, { moderatedOfferId: 7, ...event } as Event, known)
  const ofFirstRead = noChanges()
  note(ofFirstRead, { type: 'ModeratedOfferChanged', productId: 1 })
  deepEqual([...ofFirstRead.products], [1])
  const ofSecondRead = noChanges()
  note(ofSecondRead, { type: 'ModerationDecided', status: 'approved', reason: null })
  noteRead(ofSecondRead.moderatedOffers, known.moderated, { id: 7, productId: 1, quantity: 5 })
  deepEqual([known.moderated.productOf(7), known.moderated.productIds()], [1, [1]])
  // The second read has seen the refill when the offer sells out.
  const ofThirdRead = noChanges()
  note(ofThirdRead, { type: 'ModeratedOfferStockChanged', newQuantity: 0 })
  deepEqual([...ofThirdRead.moderatedOffers], [7])
})

test('an offer that is bought all the time is not read all the time', () => {
  const known: IndexedOffers = { ordinary: new KnownOffers(), moderated: new KnownOffers() }
  let reads = 0
  let changes = noChanges()
  noteEvent(changes, quantitySet(100), known)
  for (let quantity = 99; changes.offers.size > 0; quantity--, reads++) {
    changes = noChanges()
    noteEvent(changes, quantitySet(quantity), known)
    noteRead(changes.offers, known.ordinary, { id: 7, productId: 1, quantity })
  }
  equal(reads, 3)
})
