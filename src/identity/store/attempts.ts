// How often somebody has tried, in the database: neither a restart nor another process gives new tries.

import type { Tx } from '../../base/db.ts'

/** Counts one more try and says which one it is in the window that is open now. */
export const countAttempt = (
  tx: Tx,
  subject: Buffer,
  windowSeconds: number,
): Promise<{ count: number; beganAt: Date }> =>
  tx.one(
    `insert into identity_attempts as attempts (subject, began_at, count) values ($1, $2, 1)
     on conflict (subject) do update set
       began_at = case when attempts.began_at <= $3 then excluded.began_at else attempts.began_at end,
       count = case when attempts.began_at <= $3 then 1 else least(attempts.count + 1, 1000000) end
     returning count, began_at as "beganAt"`,
    [subject, tx.now, new Date(tx.now.getTime() - windowSeconds * 1000)],
  )

/** Takes one try back. */
export const uncountAttempt = (tx: Tx, subject: Buffer): Promise<unknown> =>
  tx.later(`update identity_attempts set count = count - 1 where subject = $1 and count > 0`, [subject])

export const forgetAttempts = (tx: Tx, subject: Buffer): Promise<unknown> =>
  tx.later(`delete from identity_attempts where subject = $1`, [subject])

export const overAttempts = {
  days: 1,
  sql: `delete from identity_attempts where began_at < $1 and subject in (
          select subject from identity_attempts where began_at < $1 order by began_at limit $2) returning 1`,
}
