// Facts leave the house by one door: written with the change they tell of, handed on after it is committed.

import { type Event, type EventOf, type EventType, subjectOf } from '../events.ts'
import type { Reader, ToldFact, Tx } from './db.ts'
import { type Listing, type Slice, sliceOf } from './listing.ts'
import { firstUuidAt, timedUuid } from './random.ts'

/** A fact as it was written: with its id, its place per subject, and its instant. */
export interface Told<E extends Event = Event> {
  id: string
  sequence: number
  subject: string
  occurredAt: Date
  event: E
}

/** A fact that the relay has handed on: its position is its place among all facts of its environment. */
export interface Placed extends Told {
  position: number
}

/** What a module does when another speaks. Hears every fact once, in the order in which they were told. */
export interface Reaction {
  name: string
  to: readonly EventType[]
  /** What came in together is handed over together, so that much can be worked off in few statements. */
  run(tx: Tx, told: readonly Told[]): Promise<void>
}

export const reaction = <T extends EventType>(
  name: string,
  to: T,
  run: (tx: Tx, told: Told<EventOf<T>>) => Promise<void>,
): Reaction => ({
  name,
  to: [to],
  run: async (tx, told) => {
    for (const it of told) await run(tx, it as Told<EventOf<T>>)
  },
})

/** A reaction to several kinds of facts, which works off many of them at once. */
export const reactionToMany = <T extends EventType>(
  name: string,
  to: readonly T[],
  run: (tx: Tx, told: readonly Told<EventOf<T>>[]) => Promise<void>,
): Reaction => ({ name, to, run: run as Reaction['run'] })

/** Tells a fact. It exists exactly if the transaction commits, which writes all that were told in it at once. */
export async function publish(tx: Tx, event: Event): Promise<void> {
  tx.told.push({ id: timedUuid(tx.now), event })
}

/** Tells many; their places in the outbox follow the order in which they are given. */
export async function publishAll(tx: Tx, facts: readonly Event[]): Promise<void> {
  for (const event of facts) tx.told.push({ id: timedUuid(tx.now), event })
}

const insertOne = `insert into outbox_events (event_id, type, subject, fields, occurred_at) values ($1, $2, $3, $4, $5)`
const insertMany = `insert into outbox_events (event_id, type, subject, fields, occurred_at)
  select event_id, type, subject, fields, $5::timestamptz
  from unnest($1::uuid[], $2::text[], $3::text[], $4::json[]) with ordinality as fact (event_id, type, subject, fields, place)
  order by place`

/**
 * Writes what a transaction has told into the outbox, in its order: the last statement before the commit. For one fact,
 * which is what most requests tell, arrays would cost a sixth more than plain values.
 */
export function writeFacts({ later, now }: Pick<Tx, 'later' | 'now'>, told: readonly ToldFact[]): void {
  const [first] = told
  if (!first) return
  const columns = [
    told.map((it) => it.id),
    told.map((it) => it.event.type),
    told.map((it) => subjectOf(it.event)),
    told.map((it) => fieldsOf(it.event)),
  ]
  if (told.length === 1) void later(insertOne, [...columns.map((it) => it[0]), now])
  else void later(insertMany, [...columns, now])
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

/** Reactions that failed for good, oldest first. */
export const deadLetters = (read: Reader): Promise<DeadLetter[]> =>
  read.all<DeadLetter>(
    `select sequence, reaction, type, subject, attempts, error, dead_at as "deadAt"
     from outbox_failures join outbox_events using (sequence) where dead_at is not null order by sequence, reaction limit 1000`,
  )

/** Gives a dead letter its tries back; false when there is no such letter. */
export const reviveDeadLetter = async (
  tx: Tx,
  place: { reaction: string; sequence: number },
): Promise<boolean> =>
  (await tx.maybe(
    `update outbox_failures set attempts = 0, dead_at = null, retry_at = $3
     where reaction = $1 and sequence = $2 and dead_at is not null returning 1`,
    [place.reaction, place.sequence, tx.now],
  )) !== undefined

/** Makes reactions that wait for their next try due at an instant, if they were not due before. */
export const hastenFailures = async (tx: Tx, at: Date): Promise<void> => {
  tx.later(`update outbox_failures set retry_at = least(retry_at, $1)`, [at])
}

/** How much the relay has before it, and what it has given up. */
export const waitingEvents = (read: Reader): Promise<{ waiting: number; dead: number }> =>
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
}
export const eventColumns = `sequence, event_id as id, type, subject, fields, occurred_at as "occurredAt"`

export const toldOf = (row: EventRow): Told => ({
  id: row.id,
  sequence: row.sequence,
  subject: row.subject,
  occurredAt: row.occurredAt,
  event: { type: row.type, ...row.fields } as Event,
})

const placedOf = (row: EventRow & { position: number }): Placed => ({
  ...toldOf(row),
  position: row.position,
})

/** Facts beyond a position, in order. Whoever keeps his own position misses none. */
export const eventsAfter = async (read: Reader, position: number, limit: number): Promise<Placed[]> => {
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where position > $1 order by position limit $2`,
    [position, limit],
  )
  return rows.map(placedOf)
}

/** The position up to which facts have been handed on. */
export const newestPosition = async (read: Reader): Promise<number> =>
  (await read.one<{ position: number }>(`select position from outbox_relay`)).position

/** Facts that have been handed on, by their ids; what was forgotten is missing. */
export const eventsById = async (read: Reader, ids: readonly string[]): Promise<Placed[]> => {
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where event_id = any($1::uuid[]) and position is not null order by position`,
    [ids],
  )
  return rows.map(placedOf)
}

/** What to look for among told facts; ids grow with time, so a period is a range of them. */
export interface EventFilter {
  types: readonly EventType[] | undefined
  subject: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export const eventSorts = ['position'] as const
const mostCounted = 10_000

export async function listEvents(
  read: Reader,
  filter: EventFilter,
  listing: Listing,
): Promise<Slice<Placed>> {
  const slice = await sliceOf<EventRow & { position: number }>(
    read,
    {
      columns: `position, ${eventColumns}`,
      from: 'outbox_events',
      ...conditionsOf(filter),
      sorts: { position: { by: 'position', type: 'int8' } },
      key: { by: 'position', type: 'int8' },
      mostCounted,
    },
    listing,
  )
  return { ...slice, rows: slice.rows.map(placedOf) }
}

/** Facts of a period in order, at most so many. */
export async function eventsOfPeriod(read: Reader, filter: EventFilter, limit: number): Promise<Placed[]> {
  const { where, values } = conditionsOf(filter)
  const rows = await read.all<EventRow & { position: number }>(
    `select position, ${eventColumns} from outbox_events where ${where.join(' and ')}
     order by position limit $${values.length + 1}`,
    [...values, limit],
  )
  return rows.map(placedOf)
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
