// SQL of what followed from lists: clicks, purchases and revenue, by experiment group and by day.

import type { Source } from '../serving/request.ts'
import type { Reader, Tx } from '../../base/database.ts'

/** Sums over the buyers of a group, for one source or all: the input of the confidence intervals. */
export interface GroupSums {
  group: string
  /** Null for all sources together. */
  source: Source | null
  buyers: number
  clickers: number
  purchasers: number
  lists: number
  listsSquared: number
  clicked: number
  clickedSquared: number
  listsClicked: number
  converted: number
  convertedSquared: number
  listsConverted: number
  revenueTiyin: number
  revenueSquared: number
  listsRevenue: number
  clicks: number
  purchases: number
  purchasesAfterClick: number
}

/** Outcomes per list. An interaction counts when its offer was in the list. */
const outcomes = (shown: string) => `
  outcome as (
    select ${shown}.id, count(distinct interaction.offer) filter (where interaction.kind = 'click') as clicks,
      count(*) filter (where interaction.kind = 'purchase') as purchases,
      count(*) filter (where interaction.kind = 'purchase' and interaction.via <> 'shown') as after_click,
      count(*) filter (where interaction.kind = 'cart') as carts,
      coalesce(sum(interaction.amount_tiyin) filter (where interaction.kind = 'purchase'), 0)::float8 as revenue
    from ${shown} join recommendations_interactions interaction on interaction.request_id = ${shown}.id and interaction.offer = any(${shown}.offers)
    group by ${shown}.id)`

/** Outcomes of an experiment by group, and by group and source. A buyer counts once under all aliases. */
export const sumsOfExperiment = (read: Reader, experimentId: number): Promise<GroupSums[]> =>
  read.all<GroupSums>(
    `with shown as (
       select list.id, list.group_name, list.source, list.offers, coalesce(known.buyer, list.buyer) as buyer
       from recommendations_lists list left join recommendations_aliases known on known.alias = list.buyer
       where list.experiment_id = $1 and list.buyer is not null),
     ${outcomes('shown')},
     by_buyer as (
       select group_name, source, grouping(source) = 1 as is_all, buyer, count(*)::float8 as lists,
         (count(*) filter (where clicks > 0))::float8 as clicked,
         (count(*) filter (where purchases > 0))::float8 as converted,
         coalesce(sum(revenue), 0) as revenue, coalesce(sum(clicks), 0) as clicks, coalesce(sum(purchases), 0) as purchases,
         coalesce(sum(after_click), 0) as after_click
       from shown left join outcome using (id)
       group by grouping sets ((group_name, buyer), (group_name, source, buyer)))
     select group_name as "group", source, count(*) as buyers,
       count(*) filter (where clicked > 0) as clickers, count(*) filter (where converted > 0) as purchasers,
       sum(lists) as lists, sum(lists * lists) as "listsSquared",
       sum(clicked) as clicked, sum(clicked * clicked) as "clickedSquared", sum(lists * clicked) as "listsClicked",
       sum(converted) as converted, sum(converted * converted) as "convertedSquared", sum(lists * converted) as "listsConverted",
       sum(revenue) as "revenueTiyin", sum(revenue * revenue) as "revenueSquared", sum(lists * revenue) as "listsRevenue",
       sum(clicks)::float8 as clicks, sum(purchases)::float8 as purchases, sum(after_click)::float8 as "purchasesAfterClick"
     from by_buyer group by group_name, source, is_all order by group_name, is_all desc, source`,
    [experimentId],
  )

/** Figures of one day. Where only a sample of lists is logged, the figures are scaled up. */
export interface DailyMetrics {
  lists: number
  buyers: number
  offers: number
  clicks: number
  clickedLists: number
  carts: number
  purchases: number
  convertedLists: number
  revenueTiyin: number
  /** Distinct offers shown. */
  coverage: number
  /** The number of offers that, each shown equally often, would be as diverse: the exponential of the Shannon entropy.
   * Missing in days that were stored before it was computed. */
  diversity?: number
  p50Ms: number
  p90Ms: number
  p99Ms: number
}

export interface DayMetrics {
  /** `2026-11-15`. */
  day: string
  /** Empty for all sources together. */
  source: string
  metrics: DailyMetrics
}

const dayOf = `
  with shown as materialized (
    select id, source, offers, buyer, duration_ms, sample_weight::float8 as sample_weight from recommendations_lists
    where at >= ($1::date)::timestamp at time zone $2 and at < ($1::date + 1)::timestamp at time zone $2),
  ${outcomes('shown')},
  shows as (
    select coalesce(source, '') as source, count(*)::float8 as times
    from shown cross join unnest(offers) as offer group by grouping sets ((offer), (source, offer))),
  covered as (
    select source, count(*) as coverage, exp(ln(sum(times)) - sum(times * ln(times)) / sum(times)) as diversity
    from shows group by source),
  counted as (
    select coalesce(source, '') as source, sum(sample_weight) as lists, count(distinct buyer) as buyers,
      sum(sample_weight * cardinality(offers)) as offers, coalesce(sum(sample_weight * clicks), 0) as clicks,
      coalesce(sum(sample_weight) filter (where clicks > 0), 0) as clicked, coalesce(sum(sample_weight * carts), 0) as carts,
      coalesce(sum(sample_weight * purchases), 0) as purchases,
      coalesce(sum(sample_weight) filter (where purchases > 0), 0) as converted,
      coalesce(sum(sample_weight * revenue), 0) as revenue,
      percentile_cont(array[0.5, 0.9, 0.99]) within group (order by duration_ms) as duration
    from shown left join outcome using (id) group by grouping sets ((), (source)))
  select source, json_build_object('lists', round(lists), 'buyers', buyers, 'offers', round(offers),
    'clicks', round(clicks), 'clickedLists', round(clicked), 'carts', round(carts), 'purchases', round(purchases),
    'convertedLists', round(converted), 'revenueTiyin', round(revenue), 'coverage', coverage, 'diversity', diversity,
    'p50Ms', duration[1], 'p90Ms', duration[2], 'p99Ms', duration[3]) as metrics
  from counted join covered using (source) where lists > 0`

/** Computes one day in a time zone, per source and in total; empty for a day without lists. */
export const computeDay = async (read: Reader, day: string, zone: string): Promise<DayMetrics[]> =>
  (await read.all<Omit<DayMetrics, 'day'>>(dayOf, [day, zone])).map((it) => ({ day, ...it }))

export async function saveDays(tx: Tx, days: readonly DayMetrics[]): Promise<void> {
  await tx.all(
    `insert into recommendations_daily_metrics (day, source, metrics)
     select unnest($1::date[]), unnest($2::text[]), unnest($3::json[])
     on conflict (day, source) do update set metrics = excluded.metrics`,
    [days.map((it) => it.day), days.map((it) => it.source), days.map((it) => JSON.stringify(it.metrics))],
  )
}

export const findDays = (read: Reader, from: string, to: string): Promise<DayMetrics[]> =>
  read.all<DayMetrics>(
    `select day::text as day, source, metrics from recommendations_daily_metrics where day >= $1 and day <= $2 order by day, source`,
    [from, to],
  )

export const expiredDays = `delete from recommendations_daily_metrics where (day, source) in (
  select day, source from recommendations_daily_metrics where day < ($1::timestamptz)::date order by day limit $2) returning 1`
