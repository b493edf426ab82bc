import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { delivered, orderAfter, packed, shipped, unpacked } from '../../../test/support/order-values.ts'
import type { Refusal } from '../../base/refusal.ts'
import type { NewEvent } from '../record-events.ts'
import { refuseTooMany } from './fulfil-order.ts'
import { stepsFrom, unitsIn } from './fulfilment.ts'

const created = [packed('f1', { 1: 2 })]

// oxfmt-ignore
const rows: Record<string, [given: NewEvent[], status: string, steps: string[]]> = {
  'a created parcel can be shipped or cancelled': [created, 'created', ['ship', 'cancel']],
  'a shipped parcel can be delivered': [[...created, shipped('f1')], 'shipped', ['deliver']],
  'a delivered parcel allows nothing': [[...created, shipped('f1'), delivered('f1')], 'delivered', []],
  'a cancelled parcel allows nothing': [[...created, unpacked('f1')], 'cancelled', []],
}

for (const [name, [given, status, steps]] of Object.entries(rows))
  test(name, () => {
    const [parcel] = orderAfter(given).progress.fulfilments
    equal(parcel!.status, status)
    deepEqual(stepsFrom(parcel!.status), steps)
  })

test('units are summed by line over the parcels with a status', () => {
  const given = [packed('f1', { 1: 1 }), packed('f2', { 1: 1, 2: 1 }), packed('f3', { 2: 1 }), unpacked('f3')]
  const { fulfilments } = orderAfter([...given, shipped('f1')]).progress
  deepEqual(
    [...unitsIn(fulfilments, ['created'])],
    [
      [1, 1],
      [2, 1],
    ],
  )
  deepEqual(
    [...unitsIn(fulfilments, ['created', 'shipped'])],
    [
      [1, 2],
      [2, 1],
    ],
  )
  deepEqual([...unitsIn(fulfilments, ['delivered'])], [])
})

test('a selection of units names known lines once, and no more units than available', () => {
  const order = orderAfter([])
  const available = [{ line: 1, quantity: 2 }]
  doesNotThrow(() => refuseTooMany(order, [{ line: 1, quantity: 2 }], available))
  const fieldsOf = (lines: { line: number; quantity: number }[]) => {
    let fields: unknown
    throws(
      () => refuseTooMany(order, lines, available),
      (error: Refusal) => ((fields = (error.details as { fields: unknown }).fields), true),
    )
    return fields
  }
  deepEqual(fieldsOf([{ line: 9, quantity: 1 }]), [{ path: 'lines.0.line', rule: 'exists' }])
  deepEqual(
    fieldsOf([
      { line: 1, quantity: 1 },
      { line: 1, quantity: 1 },
    ]),
    [{ path: 'lines.1.line', rule: 'unique' }],
  )
  deepEqual(fieldsOf([{ line: 1, quantity: 3 }]), [{ path: 'lines.0.quantity', rule: 'maximum', limit: 2 }])
  deepEqual(fieldsOf([{ line: 2, quantity: 1 }]), [{ path: 'lines.0.quantity', rule: 'maximum', limit: 0 }])
})
