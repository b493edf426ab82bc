import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredEvent } from '../../base/outbox.ts'
import { cloudEvent } from './cloud-event.ts'

const stored = (event: object) =>
  ({
    id: 'e-1',
    subject: 'cart/1',
    occurredAt: new Date('2026-11-15T09:00:00Z'),
    sequence: 1,
    event,
  }) as StoredEvent

const fieldsOf = (event: object) => Object.keys(cloudEvent(stored(event), 'test').data)

test('the fields of an event are in the documented order, whatever order they were stored in', () => {
  deepEqual(
    fieldsOf({
      type: 'ItemAddedToCart',
      occurredOn: '',
      quantity: 1,
      offerId: 2,
      cartId: 'c',
      guestCartId: 'g',
    }),
    ['CartId', 'OfferId', 'Quantity', 'OccurredOn', 'GuestCartId'],
  )
  deepEqual(fieldsOf({ type: 'CartCreated', occurredOn: '', buyerId: 's', cartId: 'c' }), [
    'CartId',
    'BuyerId',
    'OccurredOn',
  ])
})

test('fields and events that are no longer documented are sent as they were stored', () => {
  deepEqual(fieldsOf({ type: 'BrandDeleted', oldField: 1, brandId: 2 }), ['BrandId', 'OldField'])
  deepEqual(fieldsOf({ type: 'Forgotten', b: 1, a: 2 }), ['B', 'A'])
})
