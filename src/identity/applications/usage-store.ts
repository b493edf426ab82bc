// SQL of the usage counters.

import type { Reader, Tx } from '../../base/database.ts'
import type { Usage } from './usage.ts'

export async function addUsage(tx: Tx, counted: readonly Usage[]): Promise<void> {
  await tx.all(
    `insert into identity_key_usage as usage (application_id, key_id, day, calls, refused)
     select * from unnest($1::text[], $2::text[], $3::date[], $4::int8[], $5::int8[])
     on conflict (application_id, key_id, day)
     do update set calls = usage.calls + excluded.calls, refused = usage.refused + excluded.refused`,
    [
      counted.map((it) => it.applicationId),
      counted.map((it) => it.keyId),
      counted.map((it) => it.day),
      counted.map((it) => it.calls),
      counted.map((it) => it.refused),
    ],
  )
}

export interface DayOfUsage {
  day: string
  calls: number
  refused: number
}

/** Usage of an application or one of its keys by day; days without calls are left out. */
export const usageByDay = (
  read: Reader,
  applicationId: string,
  { keyId, from, to }: { keyId: string | null; from: string; to: string },
): Promise<DayOfUsage[]> =>
  read.all<DayOfUsage>(
    `select day::text as day, sum(calls)::int8 as calls, sum(refused)::int8 as refused from identity_key_usage
     where application_id = $1 and ($2::text is null or key_id = $2) and day between $3::text::date and $4::text::date
     group by identity_key_usage.day order by identity_key_usage.day`,
    [applicationId, keyId, from, to],
  )

export const usagePurgeSql = `delete from identity_key_usage where (application_id, key_id, day) in (
  select application_id, key_id, day from identity_key_usage where day < $1::timestamptz::date limit $2) returning 1`
