// Where outside producers tell the shop what has happened, when no bus connects them.

import { Type } from 'typebox'
import { post, type Route } from '../../http/route.ts'
import { oneOf, strict } from '../../http/schema.ts'
import { outsideAttributes, outsideEventOf } from '../read-event.ts'
import { receiveEvent } from '../receive-event.ts'

export const integrationEventRoutes: Route[] = [
  post('/v1/integration-events', {
    summary: 'Tell the shop what has happened elsewhere',
    description:
      'A CloudEvents 1.0 event: OfferActivated, OfferDeactivated, OfferPriceChanged, OfferQuantityChanged or OrdersCreated, with the fields of SPEC-2 6.1 in `data`. An event is taken once by its `source` and `id`. What is older than the last word on its subject, by `sequence` and else by `time`, changes nothing. What cannot be understood is tried five times and then kept among the failed reactions.',
    scope: 'admin:write',
    body: strict(outsideAttributes),
    reply: Type.Object({
      event: Type.Object({
        id: Type.String(),
        source: Type.String(),
        status: oneOf(['accepted', 'repeated']),
      }),
    }),
    run: async ({ tx, body }) => {
      const event = outsideEventOf(body)
      const { id, source } = event
      const status = await receiveEvent(tx, event)
      return { data: { event: { id, source, status } } }
    },
  }),
]
