// Transactional outbox: events are written in the transaction of their change and relayed after its commit.

import { type Event, type EventOf, type EventType, subjectOf } from '../events.ts'
import type { PendingEvent, Reader, Tx } from './transaction.ts'
import { type ListRequest, type ListPage, loadPage } from './listing.ts'
import { firstUuidAt, timedUuid } from './random.ts'

/** An event as it is stored in the outbox. */
export interface StoredEvent<E extends Event = Event> {
  id: string
  sequence: number
  subject: string
  occurredAt: Date
  event: E
  /** The trace context of the request that published it, if it had one. */
  traceparent?: string
}

/** An event that the relay has processed: its position orders all events of its environment. */
export interface RelayedEvent extends StoredEvent {
  position: number
}

/** An event handler that runs in a transaction: it gets every event of its types exactly once, in order. */
export interface Reaction {
  name: string
  to: readonly EventType[]
  /** Gets all events of a batch at once, so that many can be handled in few statements. */
  run(tx: Tx, events: readonly StoredEvent[]): Promise<void>
}

export const reaction = <T extends EventType>(
  name: string,
  to: T,
  run: (tx: Tx, event: StoredEvent<EventOf<T>>) => Promise<void>,
): Reaction => ({
  name,
  to: [to],
  run: async (tx, events) => {
    for (const it of events) await run(tx, it as StoredEvent<EventOf<T>>)
  },
})

/** A reaction to several event types that handles a batch at once. */
export const reactionToMany = <T extends EventType>(
  name: string,
  to: readonly T[],
  run: (tx: Tx, events: readonly StoredEvent<EventOf<T>>[]) => Promise<void>,
): Reaction => ({ name, to, run: run as Reaction['run'] })

/** Publishes an event if the transaction commits. All events of a transaction are inserted together before the commit. */
export function publish(tx: Tx, event: Event): void {
  tx.published.push({ id: timedUuid(tx.now), event })
}

/** Publishes events in the given order. */
export function publishAll(tx: Tx, events: readonly Event[]): void {
  for (const event of events) tx.published.push({ id: timedUuid(tx.now), event })
}

const insertOne = `insert into outbox_events (event_id, type, subject, fields, occurred_at, traceparent) values ($1, $2, $3, $4, $5, $6)`
const insertMany = `insert into outbox_events (event_id, type, subject, fields, occurred_at, traceparent)
  select event_id, type, subject, fields, $5::timestamptz, $6::text
  from unnest($1::uuid[], $2::text[], $3::text[], $4::json[]) with ordinality as event (event_id, type, subject, fields, place)
  order by place`

/**
 * Inserts the events of a transaction in order: the last statement before the commit. Most requests publish one event,
 * for which arrays would cost a sixth more than plain values.
 */
export function insertEvents(
  { later, now, traceparent = null }: Pick<Tx, 'later' | 'now'> & { traceparent?: string | null | undefined },
  events: readonly PendingEvent[],
): void {
  const [first] = events
  if (!first) return
  const columns = [
    events.map((it) => it.id),
    events.map((it) => it.event.type),
    events.map((it) => subjectOf(it.event)),
    events.map((it) => fieldsOf(it.event)),
  ]
  if (events.length === 1) later(insertOne, [...columns.map((it) => it[0]), now, traceparent])
  else later(insertMany, [...columns, now, traceparent])
}

function fieldsOf({ type: _type, ...fields }: Event): string {
  return JSON.stringify(fields)
}

export interface DeadLetter {
  sequence: number
  reaction: string
  type: string
  subject: string
  attempts: number
  error: string
  deadAt: Date
}

/** Reactions that failed permanently, oldest first. */
export const deadLetters = (read: Reader): Promise<DeadLetter[]> =>
  read.all<DeadLetter>(
    `select sequence, reaction, type, subject, attempts, error, dead_at as "deadAt"
     from outbox_failures join outbox_events using (sequence) where dead_at is not null order by sequence, reaction limit 1000`,
  )

/** Resets the attempts of a dead letter; false when there is none. */
export const retryDeadLetter = async (
  tx: Tx,
  place: { reaction: string; sequence: number },
): Promise<boolean> =>
  (await tx.maybe(
    `update outbox_failures set attempts = 0, dead_at = null, retry_at = $3
     where reaction = $1 and sequence = $2 and dead_at is not null returning 1`,
    [place.reaction, place.sequence, tx.now],
  )) !== undefined

/** Makes failed reactions due at `at`, unless they are due earlier. */
export const makeFailuresDue = (tx: Tx, at: Date): void => {
  tx.later(`update outbox_failures set retry_at = least(retry_at, $1)`, [at])
}

/** How many events wait for the relay, and how many reactions are dead letters. */
export const outboxBacklog = (read: Reader): Promise<{ waiting: number; dead: number }> =>
  read.one(
    `select (select count(*) from outbox_events where position is null) as waiting,
       (select count(*) from outbox_failures where dead_at is not null) as dead`,
  )

export type EventRow = {
  sequence: number
  id: string
  type: EventType
  subject: string
  fields: object
  occurredAt: Date
  traceparent: string | null
}
export const eventColumns = `sequence, event_id as id, type, subject, fields, occurred_at as "occurredAt", traceparent`

export const storedEventFrom = (row: EventRow): StoredEvent => ({
  id: row.id,
  sequence: row.sequence,
  subject: row.subject,
  occurredAt: row.occurredAt,
  event: { type: row.type, ...row.fields } as Event,
  ...(row.traceparent !== null && { traceparent: row.traceparent }),
})

const relayedEventFrom = (row: EventRow & { position: number }): RelayedEvent => ({
  ...storedEventFrom(row),
  position: row.position,
})

/** Events after a position, in order. A consumer that stores its position misses none. */
export const eventsAfter = async (read: Reader, position: number, limit: number): Promise<RelayedEvent[]> => {
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where position > $1 order by position limit $2`,
    [position, limit],
  )
  return rows.map(relayedEventFrom)
}

/** The position of the last relayed event. */
export const newestPosition = async (read: Reader): Promise<number> =>
  (await read.one<{ position: number }>(`select position from outbox_relay`)).position

/** Relayed events by their ids; purged ones are missing. */
export const eventsById = async (read: Reader, ids: readonly string[]): Promise<RelayedEvent[]> => {
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where event_id = any($1::uuid[]) and position is not null order by position`,
    [ids],
  )
  return rows.map(relayedEventFrom)
}

/** A filter of relayed events. Ids grow with time, so a period is a range of ids. */
export interface EventFilter {
  types: readonly EventType[] | undefined
  subject: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export const eventSorts = ['position'] as const

export async function listEvents(
  read: Reader,
  filter: EventFilter,
  listing: ListRequest,
): Promise<ListPage<RelayedEvent>> {
  const slice = await loadPage<EventRow & { position: number }>(
    read,
    {
      columns: `position, ${eventColumns}`,
      from: 'outbox_events',
      ...conditionsOf(filter),
      sorts: { position: { by: 'position', type: 'int8' } },
      key: { by: 'position', type: 'int8' },
    },
    listing,
  )
  return { ...slice, rows: slice.rows.map(relayedEventFrom) }
}

/** Events of a period in order. */
export async function eventsInPeriod(
  read: Reader,
  filter: EventFilter,
  limit: number,
): Promise<RelayedEvent[]> {
  const { where, values } = conditionsOf(filter)
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where ${where.join(' and ')}
     order by position limit $${values.length + 1}`,
    [...values, limit],
  )
  return rows.map(relayedEventFrom)
}

function conditionsOf({ types, subject, from, to }: EventFilter): { where: string[]; values: unknown[] } {
  const given: [string, unknown][] = [
    ['type = any($::text[])', types],
    ['subject = $', subject],
    ['event_id >= $::uuid', from && firstUuidAt(from)],
    ['event_id < $::uuid', to && firstUuidAt(to)],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return {
    where: ['position is not null', ...used.map(([sql], at) => sql.replace('$', `$${at + 1}`))],
    values: used.map(([, value]) => value),
  }
}

/** The events of a type about a subject after an instant. Every type that is queried needs an index. */
export const publishedAfter = async <T extends EventType>(
  read: Reader,
  type: T,
  { subject, at }: { subject: string; at: Date },
): Promise<EventOf<T>[]> =>
  (
    await read.all<{ fields: EventOf<T> }>(
      `select fields from outbox_events where type = $1 and subject = $2 and occurred_at > $3 order by sequence`,
      [type, subject, at],
    )
  ).map((it) => it.fields)
