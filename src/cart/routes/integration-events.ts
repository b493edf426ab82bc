// Where outside producers tell the shop what has happened, when no bus connects them.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { post, type Route } from '../../http/route.ts'
import { integer, oneOf, strict, text } from '../../http/schema.ts'
import { receiveEvent } from '../receive-event.ts'

const attribute = (example: string) => text({ max: 255, examples: [example] })

export const integrationEventRoutes: Route[] = [
  post('/v1/integration-events', {
    summary: 'Tell the shop what has happened elsewhere',
    description:
      'A CloudEvents 1.0 event: OfferActivated, OfferDeactivated, OfferPriceChanged, OfferQuantityChanged or OrdersCreated, with the fields of SPEC-2 6.1 in `data`. An event is taken once by its `source` and `id`. What is older than the last word on its subject, by `sequence` and else by `time`, changes nothing. What cannot be understood is tried five times and then kept among the failed reactions.',
    scope: 'admin:write',
    body: strict({
      specversion: oneOf(['1.0']),
      id: attribute('9f2c1b'),
      source: attribute('/warehouse'),
      type: attribute('OfferQuantityChanged'),
      time: instantText,
      subject: Type.Optional(attribute('offer/1000')),
      sequence: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Grows per subject.' })),
      datacontenttype: Type.Optional(attribute('application/json')),
      dataschema: Type.Optional(text({ max: 1_000 })),
      data: Type.Unknown({ examples: [{ OfferId: 1000, NewQuantity: 5 }] }),
    }),
    reply: Type.Object({
      event: Type.Object({
        id: Type.String(),
        source: Type.String(),
        status: oneOf(['accepted', 'repeated']),
      }),
    }),
    run: async ({ tx, body }) => {
      const time = instantOf(body.time, 'time')
      const { id, source, type, data, sequence = null } = body
      const status = await receiveEvent(tx, { id, source, type, time: time.toISOString(), sequence, data })
      return { data: { event: { id, source, status } } }
    },
  }),
]
