// The event log and the live stream.

import { Type } from 'typebox'
import type { Environment } from '../../base/database.ts'
import { eventsById, eventSorts, listEvents } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import type { EventType } from '../../events.ts'
import { malformedHeader } from '../../http/headers.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { download, get, type Route } from '../../http/route.ts'
import { instant, integer, list, named, oneOf, text } from '../../http/schema.ts'
import { cloudEvent } from './cloud-event.ts'
import { filterPattern, matchingAnyOf, refuseEmptyFilters } from './event-filters.ts'
import { streamEvents } from './stream-events.ts'
import type { RecentEvents } from './recent-events.ts'
import { uuid } from '../endpoints/routes.ts'

const eventReply = named(
  'Event',
  Type.Object({
    specversion: oneOf(['1.0']),
    id: uuid,
    source: Type.String({ examples: ['/test/catalog'] }),
    type: Type.String({ examples: ['BrandCreated'] }),
    subject: Type.String({ examples: ['brand/12'] }),
    time: instant,
    sequence: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Increases with every event of the same subject.',
    }),
    datacontenttype: oneOf(['application/json']),
    data: Type.Record(Type.String(), Type.Unknown(), { examples: [{ BrandId: 12, Slug: 'artel' }] }),
  }),
)

const filters = {
  type: Type.Optional(
    text({
      max: 1_000,
      description: 'Event names, separated by commas, with `*` as a wildcard: `Offer*,cart.*`.',
      examples: ['Offer*'],
    }),
  ),
  subject: Type.Optional(
    text({ max: 300, description: 'The subject of the events.', examples: ['offer/1000'] }),
  ),
}

/** Per environment and process. */
const maxStreams = 1_000
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const eventRoutes = (tails: Record<Environment, RecentEvents>): Route[] => [
  get('/v1/events', {
    summary: 'List events',
    description:
      'The events of the last thirty days, in the order in which they were published: the same ids and bodies as in webhooks and in the stream.',
    scope: 'admin:read',
    query: listQuery(eventSorts, {
      ...filters,
      from: Type.Optional(instantText),
      to: Type.Optional(instantText),
    }),
    reply: Type.Object({ events: list(eventReply, 100), pagination }),
    run: async ({ read, query, environment }) => {
      const listing = listingOf(query, 'position')
      const types = wantedTypes(query.type)
      const filter = {
        types: types && [...types],
        subject: query.subject,
        from: query.from === undefined ? undefined : instantOf(query.from, 'from'),
        to: query.to === undefined ? undefined : instantOf(query.to, 'to'),
      }
      const slice = await listEvents(read, filter, listing)
      const events = slice.rows.map((it) => cloudEvent(it, environment, 'admin'))
      return { data: { events, pagination: paginationView(listing, slice) } }
    },
  }),
  streamRoute(tails),
  get('/v1/events/{event_id}', {
    summary: 'Get an event',
    scope: 'admin:read',
    params: { event_id: uuid },
    reply: Type.Object({ event: eventReply }),
    run: async ({ read, params, environment }) => {
      const [event] = await eventsById(read, [params.event_id])
      if (!event) throw refuse('not_found')
      return { data: { event: cloudEvent(event, environment, 'admin') } }
    },
  }),
]

function streamRoute(tails: Record<Environment, RecentEvents>): Route {
  const open = { live: 0, test: 0 }
  return download('/v1/events/stream', {
    summary: 'Follow events as they happen',
    description:
      'Server-sent events: `id`, `event`, and `data` with the same body as in webhooks. Send `Last-Event-ID` to continue where you stopped; without it the stream starts with the next event. After more than thirty days it continues with the oldest event of the log. A comment every fifteen seconds keeps the connection open.',
    scope: 'admin:read',
    query: Type.Object(filters, { additionalProperties: false }),
    produces: 'text/event-stream',
    example:
      'id: 0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d\nevent: BrandCreated\ndata: {"specversion":"1.0","id":"0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d",…}\n\n',
    refusals: ['invalid_header', 'service_unavailable'],
    run: ({ db, query, environment, signal, lastEventId }) => {
      if (lastEventId !== undefined && !uuidForm.test(lastEventId))
        throw malformedHeader('Last-Event-ID', ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'])
      if (open[environment] >= maxStreams) throw refuse('service_unavailable', { retry_after: 5 })
      const filter = { types: wantedTypes(query.type), subject: query.subject, lastEventId }
      // A client that has disconnected already takes no slot, because nothing would release it.
      if (!signal.aborted) open[environment]++
      signal.addEventListener('abort', () => void open[environment]--, { once: true })
      return streamEvents(tails[environment], { filter, read: db.read(), signal })
    },
  })
}

function wantedTypes(given: string | undefined): Set<EventType> | undefined {
  if (given === undefined) return undefined
  const names = given.split(',').map((it) => it.trim())
  if (!names.every((it) => new RegExp(filterPattern).test(it)))
    throw refuse('validation_failed', { fields: [{ path: 'type', rule: 'format', limit: 'Offer*,cart.*' }] })
  refuseEmptyFilters(names, () => 'type')
  return matchingAnyOf(names)
}
