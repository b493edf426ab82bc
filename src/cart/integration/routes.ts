// HTTP endpoint for events of external producers that are not connected by a bus.

import { Type } from 'typebox'
import { post, type Route } from '../../http/route.ts'
import { list, oneOf, named } from '../../http/schema.ts'
import { acceptableEvents, eventAttributes, receiveEvent, type SentEvent } from './receive-event.ts'

const maxBatch = 100

const event = named('IntegrationEvent', Type.Object(eventAttributes))
const {
  type: _type,
  title: _title,
  ...eventShape
} = event as typeof event & {
  type: string
  title: string
}

/** One event, or a batch of events. */
const body = Type.Unsafe<SentEvent | SentEvent[]>({
  ...eventShape,
  type: ['object', 'array'],
  items: event,
  minItems: 1,
  maxItems: maxBatch,
})

const result = Type.Object({
  id: Type.String(),
  source: Type.String(),
  status: oneOf(['accepted', 'repeated']),
})

export const integrationEventRoutes: Route[] = [
  post('/v1/integration-events', {
    summary: 'Send an event of an external system',
    description: `A CloudEvents 1.0 event, or a batch of at most ${maxBatch}: OfferActivated, OfferDeactivated, OfferPriceChanged, OfferQuantityChanged or OrdersCreated, with the fields of SPEC-2 6.1 in \`data\`. Extension attributes are allowed. An event is accepted once per \`source\` and \`id\`. An event older than the latest of its source and subject, by \`sequence\` or else by \`time\`, is ignored; so is one that is older than a value set here. Unknown types, malformed data and a \`time\` more than five minutes ahead are refused.`,
    scope: 'admin:write',
    accepts: ['application/cloudevents+json', 'application/cloudevents-batch+json'],
    body,
    reply: Type.Object({ event: Type.Optional(result), events: Type.Optional(list(result, maxBatch)) }),
    run: async ({ tx, body: sent }) => {
      const events = []
      for (const it of acceptableEvents([sent].flat(), tx.now))
        events.push({ id: it.id, source: it.source, status: await receiveEvent(tx, it) })
      return { data: Array.isArray(sent) ? { events } : { event: events[0]! } }
    },
  }),
]
