// SQL of the last activity of clients, as recommendations report it.

import type { Reader, Tx } from '../../base/database.ts'

/**
 * Saves at most two times per client and day. Clients whose activity is already recorded are filtered out first,
 * because an insert locks the row that it conflicts with, which is a write too.
 */
export const recordActivity = (tx: Tx, clientIds: readonly number[], at: Date): void => {
  tx.later(
    `insert into marketing_activity as seen (client_id, seen_at)
     select distinct client.id, $2::timestamptz
     from unnest($1::int8[]) as client (id) left join marketing_activity known on known.client_id = client.id
     where known.client_id is null or known.seen_at < $2::timestamptz - interval '12 hours'
     on conflict (client_id) do update set seen_at = excluded.seen_at
       where seen.seen_at < excluded.seen_at - interval '12 hours'`,
    [clientIds, at],
  )
}

/** Which of these clients were active since an instant, to within half a day. */
export const clientsActiveSince = async (
  read: Reader,
  clientIds: readonly number[],
  since: Date,
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select client_id as "clientId" from marketing_activity where client_id = any($1) and seen_at > $2`,
      [clientIds, since],
    )
  ).map((it) => it.clientId)

export const purgeActivity = `delete from marketing_activity where client_id in (
  select client_id from marketing_activity where seen_at < $1 limit $2) returning 1`
