// SQL of the usage counters.

import type { Reader, Tx } from '../../base/database.ts'
import type { HourOfUsage, Usage } from './usage.ts'

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

export async function addHourlyUsage(tx: Tx, counted: readonly HourOfUsage[]): Promise<void> {
  await tx.all(
    `insert into identity_hourly_usage as usage (application_id, hour, calls, limited, peak_share)
     select * from unnest($1::text[], $2::timestamptz[], $3::int8[], $4::int8[], $5::float8[])
     on conflict (application_id, hour)
     do update set calls = usage.calls + excluded.calls, limited = usage.limited + excluded.limited,
       peak_share = greatest(usage.peak_share, excluded.peak_share)`,
    [
      counted.map((it) => it.applicationId),
      counted.map((it) => it.hour),
      counted.map((it) => it.calls),
      counted.map((it) => it.limited),
      counted.map((it) => it.peakShare),
    ],
  )
}

export interface UsedHour {
  applicationId: string
  /** Null when the application is unknown; deleted ones keep their name. */
  name: string | null
  rateLimit: string | null
  hour: Date
  calls: number
  limited: number
  peakShare: number
}

/** The hours of the applications with the most calls since an instant. */
export const usageByHour = (
  read: Reader,
  { from, applications }: { from: Date; applications: number },
): Promise<UsedHour[]> =>
  read.all<UsedHour>(
    `with busiest as (
       select application_id, sum(calls) as calls from identity_hourly_usage where hour >= $1
       group by application_id order by 2 desc, 1 limit $2)
     select usage.application_id as "applicationId", application.name, application.rate_limit as "rateLimit", hour,
       usage.calls, limited, peak_share as "peakShare"
     from busiest join identity_hourly_usage usage using (application_id)
     left join identity_applications application on application.application_id = usage.application_id
     where hour >= $1 order by busiest.calls desc, usage.application_id, hour`,
    [from, applications],
  )

export const hourlyUsagePurgeSql = `delete from identity_hourly_usage where (application_id, hour) in (
  select application_id, hour from identity_hourly_usage where hour < $1 limit $2) returning 1`
