import { dayMs } from './clock.ts'
import type { Job, JobContext } from './jobs.ts'

const batchRows = 1_000
const keepEventsDays = 30
const keepRunsDays = 90

/** Deletes old events, inbox rows and job runs, so that no table grows without limit. */
export const purgeOldEvents: Job = {
  name: 'housekeeping',
  cron: '0 30 3 * * ?',
  isPurge: true,
  description: `Deletes events after ${keepEventsDays} days and job runs after ${keepRunsDays}.`,
  run: async (work) => {
    const events = await deleteInBatches(work, {
      days: keepEventsDays,
      // Ids hold the time and are indexed; sequences do not follow the time after a move of the test clock.
      sql: `delete from outbox_events where sequence in (
              select sequence from outbox_events
              where event_id < (lpad(to_hex((extract(epoch from $1::timestamptz) * 1000)::int8), 12, '0') || '70000000000000000000')::uuid
                and position is not null
                and not exists (select 1 from outbox_failures where outbox_failures.sequence = outbox_events.sequence)
              order by event_id limit $2) returning 1`,
    })
    const inbox = await deleteInBatches(work, {
      days: keepEventsDays,
      sql: `delete from outbox_inbox where (reaction, event_id) in (
              select reaction, event_id from outbox_inbox where at < $1 limit $2) returning 1`,
    })
    const runs = await deleteInBatches(work, {
      days: keepRunsDays,
      sql: `delete from job_runs where id in (select id from job_runs where finished_at < $1 order by id limit $2) returning 1`,
    })
    return `deleted ${events} events, ${inbox} inbox rows and ${runs} job runs`
  },
}

/** Deletes rows older than some days in small batches, so that locks are held briefly. */
export async function deleteInBatches(
  work: JobContext,
  { days, sql }: { days: number; sql: string },
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await work.packet((tx) =>
      tx.all(sql, [new Date(tx.now.getTime() - days * dayMs), batchRows]),
    )
    total += deleted.length
    if (deleted.length < batchRows) return total
  }
}
