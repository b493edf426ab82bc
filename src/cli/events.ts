import type { Event } from '../sdk/index.ts'
import { type Command, environmentOf, table, UsageError, wholeNumber } from './command.ts'
import { clientOf, credentialsFor, explainErrors } from './credentials.ts'
import { followEvents } from './follow-events.ts'

const maxListed = 100
const shownDataLength = 160

export const eventsCommand: Command = {
  usage: 'tail | list | show EVENT_ID [--type FILTER] [--env live|test] [--json]',
  help: `Shows events of a server. Run "bozor login" first.

  tail             follows events as they happen, until Ctrl-C
  list             lists the latest events
  show EVENT_ID    shows one event
  --type FILTER    event names with * as a wildcard, separated by commas: "Order*,cart.*"
  --subject TEXT   the subject, such as offer/1000
  --since EVENT_ID tail: continue behind this event
  --limit N        tail: end after N events; list: how many (default 20)
  --env ENV        live or test (default test)
  --json           print CloudEvents, one JSON document per line`,
  actions: ['tail', 'list', 'show'],
  options: {
    type: { type: 'string' },
    subject: { type: 'string' },
    since: { type: 'string' },
    limit: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [action, eventId] = args.positionals
    const { type, subject, since, limit } = args.flags as Record<string, string | undefined>
    const filter = { ...(type && { type }), ...(subject && { subject }) }
    if (!['tail', 'list', 'show'].includes(action ?? '') || (action === 'show') !== (eventId !== undefined))
      throw new UsageError('use "events tail", "events list" or "events show EVENT_ID"')
    const credentials = credentialsFor(context.config, environmentOf(args))
    const print = (event: Event) => context.print(args.flags['json'] ? JSON.stringify(event) : lineOf(event))
    const bozor = clientOf(credentials)
    return explainErrors(credentials, async () => {
      if (action === 'tail') {
        const bounds = { name: 'limit', usual: Infinity, least: 1, most: Number.MAX_SAFE_INTEGER }
        const most = limit === undefined ? Infinity : wholeNumber(limit, bounds)
        if (!args.flags['json']) context.printStatus('Following events. Ctrl-C stops it.')
        const options = { ...filter, ...(since && { lastEventId: since }), limit: most }
        await followEvents({ context, bozor }, options, print)
      } else if (action === 'list') {
        const perPage = wholeNumber(limit, { name: 'limit', usual: 20, least: 1, most: maxListed })
        const { items } = await bozor.events.list({ ...filter, sort: '-position', per_page: perPage })
        for (const it of items.toReversed()) print(it)
      } else {
        const { event } = await bozor.events.get({ event_id: eventId! })
        context.print(args.flags['json'] ? JSON.stringify(event) : pageOf(event))
      }
      return 0
    })
  },
}

/** One event as a line for people. */
export function lineOf({ time, type, subject, id, data }: Event): string {
  const text = JSON.stringify(data)
  const shown = text.length > shownDataLength ? `${text.slice(0, shownDataLength)}…` : text
  return `${time.slice(11, 19)} ${type}  ${subject}  ${id}  ${shown}`
}

const pageOf = ({ data, ...event }: Event): string =>
  `${table(Object.entries(event).map(([name, value]) => [name, String(value)]))}\n\n${JSON.stringify(data, null, 2)}`
