// What outside producers have told.

import type { Tx } from '../../base/db.ts'

/** Notes that an event came in; false when it has come before. */
export const isNewEvent = async (tx: Tx, source: string, eventId: string): Promise<boolean> =>
  (await tx.maybe(
    `insert into cart_incoming_events (source, event_id, received_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    [source, eventId, tx.now],
  )) !== undefined

export interface Word {
  source: string
  /** What it is about, such as `offer/12/price`. */
  subject: string
  sequence: number | null
  at: Date
}

/** Notes the last word on a subject; false when a later one was heard before. Sequences decide, else instants. */
export const isLastWord = async (tx: Tx, { source, subject, sequence, at }: Word): Promise<boolean> =>
  (await tx.maybe(
    `insert into cart_last_words as heard (source, subject, sequence, at) values ($1, $2, $3, $4)
     on conflict (source, subject) do update set sequence = excluded.sequence, at = excluded.at
     where case when heard.sequence is not null and excluded.sequence is not null
       then excluded.sequence > heard.sequence else excluded.at > heard.at end
     returning 1`,
    [source, subject, sequence, at],
  )) !== undefined

export const incomingBefore = `delete from cart_incoming_events where (source, event_id) in (
  select source, event_id from cart_incoming_events where received_at < $1 limit $2) returning 1`
