import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Events, shownEvents } from './order-progress.ts'

const event = (type: string, data: Record<string, unknown> = {}) => ({ number: 1, type, at: '', data })

test('an instalment that was paid by card once is shown as paid once', () => {
  const events = [
    event('Placed'),
    event('PaymentCaptured', { paymentId: 'a' }),
    event('InstalmentsPaid', { paymentId: 'a', numbers: [1] }),
    event('InstalmentsPaid', { paymentId: 'b', numbers: [2] }),
    event('SomethingInternal'),
  ] as Events
  deepEqual(
    shownEvents(events).map((it) =>
      `${it.type} ${(it.data as { paymentId?: string }).paymentId ?? ''}`.trim(),
    ),
    ['Placed', 'PaymentCaptured a', 'InstalmentsPaid b'],
  )
})
