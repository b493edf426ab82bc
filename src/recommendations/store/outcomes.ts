// What came of lists: clicks and purchases of what they showed.

import type { Reader, Tx } from '../../base/db.ts'

/** Sums over the buyers of a group, of lists of one source or of all: what intervals are made from. */
export interface GroupSums {
  group: string
  /** Null for all sources together. */
  source: string | null
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

/** What was done with offers of a list because of it, list by list. Deeds count when they name an offer that it showed. */
const outcomes = (shown: string) => `
  outcome as (
    select ${shown}.id, count(distinct deed.offer) filter (where deed.kind = 'click') as clicks,
      count(*) filter (where deed.kind = 'purchase') as purchases,
      count(*) filter (where deed.kind = 'purchase' and deed.via <> 'shown') as after_click,
      count(*) filter (where deed.kind = 'cart') as carts,
      coalesce(sum(deed.amount_tiyin) filter (where deed.kind = 'purchase'), 0)::float8 as revenue
    from ${shown} join recommendations_interactions deed on deed.request_id = ${shown}.id and deed.offer = any(${shown}.offers)
    group by ${shown}.id)`

/** The outcomes of an experiment by group, and by group and source. A buyer counts once under all his names. */
export const sumsOfExperiment = (read: Reader, experimentId: number): Promise<GroupSums[]> =>
  read.all<GroupSums>(
    `with shown as (
       select list.id, list.group_name, list.source, list.offers, coalesce(known.buyer, list.buyer) as buyer
       from recommendations_lists list left join recommendations_names known on known.name = list.buyer
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

/** What lists did on a day; lists that were not written down are stood for by those that were. */
export interface DayFigures {
  lists: number
  buyers: number
  offers: number
  clicks: number
  clickedLists: number
  carts: number
  purchases: number
  convertedLists: number
  revenueTiyin: number
  /** Different offers that were shown. */
  coverage: number
  p50Ms: number
  p90Ms: number
  p99Ms: number
}

export interface Day {
  /** `2026-11-15`. */
  day: string
  /** Empty for all sources together. */
  source: string
  figures: DayFigures
}

const dayOf = `
  with shown as materialized (
    select id, source, offers, buyer, took_ms, stands_for::float8 as stands_for from recommendations_lists
    where at >= ($1::date)::timestamp at time zone $2 and at < ($1::date + 1)::timestamp at time zone $2),
  ${outcomes('shown')},
  covered as (
    select coalesce(source, '') as source, count(distinct offer) as coverage
    from shown cross join unnest(offers) as offer group by grouping sets ((), (source))),
  counted as (
    select coalesce(source, '') as source, sum(stands_for) as lists, count(distinct buyer) as buyers,
      sum(stands_for * cardinality(offers)) as offers, coalesce(sum(stands_for * clicks), 0) as clicks,
      coalesce(sum(stands_for) filter (where clicks > 0), 0) as clicked, coalesce(sum(stands_for * carts), 0) as carts,
      coalesce(sum(stands_for * purchases), 0) as purchases,
      coalesce(sum(stands_for) filter (where purchases > 0), 0) as converted,
      coalesce(sum(stands_for * revenue), 0) as revenue,
      percentile_cont(array[0.5, 0.9, 0.99]) within group (order by took_ms) as took
    from shown left join outcome using (id) group by grouping sets ((), (source)))
  select source, json_build_object('lists', round(lists), 'buyers', buyers, 'offers', round(offers),
    'clicks', round(clicks), 'clickedLists', round(clicked), 'carts', round(carts), 'purchases', round(purchases),
    'convertedLists', round(converted), 'revenueTiyin', round(revenue), 'coverage', coverage,
    'p50Ms', took[1], 'p90Ms', took[2], 'p99Ms', took[3]) as figures
  from counted join covered using (source) where lists > 0`

/** Counts a day of a zone, source by source and all together; nothing for a day without lists. */
export const countDay = async (read: Reader, day: string, zone: string): Promise<Day[]> =>
  (await read.all<Omit<Day, 'day'>>(dayOf, [day, zone])).map((it) => ({ day, ...it }))

export async function saveDays(tx: Tx, days: readonly Day[]): Promise<void> {
  await tx.all(
    `insert into recommendations_days (day, source, figures)
     select unnest($1::date[]), unnest($2::text[]), unnest($3::json[])
     on conflict (day, source) do update set figures = excluded.figures`,
    [days.map((it) => it.day), days.map((it) => it.source), days.map((it) => JSON.stringify(it.figures))],
  )
}

export const findDays = (read: Reader, from: string, to: string): Promise<Day[]> =>
  read.all<Day>(
    `select day::text as day, source, figures from recommendations_days where day >= $1 and day <= $2 order by day, source`,
    [from, to],
  )

export const oldDays = `delete from recommendations_days where (day, source) in (
  select day, source from recommendations_days where day < ($1::timestamptz)::date order by day limit $2) returning 1`
