// How far an order is, and what has happened to it.

import { html, type Html } from '../../../http/html.ts'
import type { Order } from '../../../sdk/index.ts'
import { icon, type IconName } from '../icons.ts'
import type { TextKey } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export type Events = Awaited<ReturnType<Visit['bozor']['orders']['listEvents']>>['events']

const eventTexts: Record<string, TextKey> = {
  Placed: 'event_placed',
  PaymentStarted: 'event_payment_started',
  PaymentCaptured: 'event_paid',
  PaymentAuthorised: 'event_authorised',
  InstalmentsPaid: 'event_paid',
  PaymentFailed: 'event_payment_failed',
  PaymentRefunded: 'event_refunded',
  FulfilmentCreated: 'event_preparing',
  FulfilmentShipped: 'event_shipped',
  FulfilmentDelivered: 'event_delivered',
  ReturnRequested: 'event_return_requested',
  ReturnReceived: 'event_return_received',
  ReturnRejected: 'event_return_rejected',
  Cancelled: 'event_cancelled',
}

/** An instalment that was paid by card has two events; those that staff recorded have one. */
const isShownBefore = ({ type, data }: Events[number], events: Events): boolean =>
  type === 'InstalmentsPaid' &&
  events.some((it) => it.type === 'PaymentCaptured' && paymentIn(it.data) === paymentIn(data))

const paymentIn = (data: unknown): unknown => (data as { paymentId?: string }).paymentId

/** What a buyer is shown of the events of an order: one line for each thing that happened. */
export const shownEvents = (events: Events): Events =>
  events.filter((it) => Object.hasOwn(eventTexts, it.type) && !isShownBefore(it, events))

export function timeline(visit: Visit, events: Events): Html {
  return html`<div class="panel">
    <h2 class="small-title">${visit.texts.timeline}</h2>
    <ol class="timeline">
      ${shownEvents(events).map(
        (it) =>
          html`<li>
            <span>${visit.texts[eventTexts[it.type]!]}</span>
            <time datetime="${it.at}">${visit.format.dateTime(it.at)}</time>
          </li>`,
      )}
    </ol>
  </div>`
}

const steps: { symbol: IconName; text: TextKey }[] = [
  { symbol: 'check', text: 'event_placed' },
  { symbol: 'card', text: 'status_confirmed' },
  { symbol: 'truck', text: 'event_shipped' },
  { symbol: 'box', text: 'event_delivered' },
]

/** Four steps, of which the first ones are done. A cancelled order has none. */
export function progress({ texts }: Visit, { status }: Order, events: Events): Html | false {
  if (status === 'cancelled') return false
  const has = (type: string) => events.some((it) => it.type === type)
  const isDelivered = status === 'delivered' || status === 'completed'
  const isShipped = isDelivered || has('FulfilmentShipped')
  const done = isDelivered ? 4 : isShipped ? 3 : status === 'awaiting_payment' ? 1 : 2
  return html`<ol class="progress">
    ${steps.map(
      ({ symbol, text }, at) =>
        html`<li class="${at < done && 'done'}" ${at === done - 1 && html`aria-current="step"`}>
          <span>${icon(symbol)}</span>${texts[text]}
        </li>`,
    )}
  </ol>`
}
