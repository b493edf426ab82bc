// Received events of external producers.

import type { Tx } from '../../base/database.ts'

/** Records a received event; false when it was received before. */
export const recordIfNew = async (tx: Tx, source: string, eventId: string): Promise<boolean> =>
  (await tx.maybe(
    `insert into cart_incoming_events (source, event_id, received_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    [source, eventId, tx.now],
  )) !== undefined

export interface SubjectUpdate {
  source: string
  /** For example `offer/12/price`. */
  subject: string
  sequence: number | null
  at: Date
}

/**
 * Records the latest event of a subject; false when a later one was recorded before. Compares sequences, else times. Of two
 * events with the same time the one that arrives later counts: many producers write whole seconds.
 */
export const recordIfLatest = async (
  tx: Tx,
  { source, subject, sequence, at }: SubjectUpdate,
): Promise<boolean> =>
  (await tx.maybe(
    `insert into cart_latest_events as latest (source, subject, sequence, at) values ($1, $2, $3, $4)
     on conflict (source, subject) do update set sequence = excluded.sequence, at = excluded.at
     where case when latest.sequence is not null and excluded.sequence is not null
       then excluded.sequence > latest.sequence else excluded.at >= latest.at end
     returning 1`,
    [source, subject, sequence, at],
  )) !== undefined

export const incomingBefore = `delete from cart_incoming_events where (source, event_id) in (
  select source, event_id from cart_incoming_events where received_at < $1 limit $2) returning 1`
