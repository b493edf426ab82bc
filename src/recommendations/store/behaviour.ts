// What buyers did.

import type { Reader, Tx } from '../../base/db.ts'
import { type Interaction, kinds, sameDeedSeconds, type SeenDeed, worth } from '../behaviour/interaction.ts'

/** Where a deed stands. */
export type DeedKey = Pick<Interaction, 'buyer' | 'at' | 'offer' | 'kind'>

const keyColumnsOf = (them: readonly DeedKey[]): unknown[] => [
  them.map((it) => it.buyer),
  // The driver would write each instant part by part in the local zone.
  them.map((it) => it.at.toISOString()),
  them.map((it) => it.offer),
  them.map((it) => it.kind),
]
const columnsOf = (them: readonly Interaction[]): unknown[] => [
  ...keyColumnsOf(them),
  them.map((it) => it.requestId),
  them.map((it) => it.source),
]
const asDeeds = `unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::uuid[], $6::text[])`

/** Adds those that were not told before, and returns how many they are. */
export async function insertInteractions(tx: Tx, them: readonly Interaction[]): Promise<number> {
  const { added } = await tx.one<{ added: number }>(
    `with added as (
       insert into recommendations_interactions (buyer, at, offer, kind, request_id, source, via, spelled)
       select buyer, at, offer, kind, request_id, source, case when request_id is not null then 'said' end, spelled
       from rows from (${asDeeds}, unnest($7::text[])) as deed (buyer, at, offer, kind, request_id, source, spelled)
       on conflict do nothing returning 1)
     select count(*) as added from added`,
    [...columnsOf(them), them.map((it) => it.spelled)],
  )
  return added
}

/** All names of whoever goes by one of the names in a column, as `own (buyer, name)`. */
const ownNames = (from: string) => `
  roots as (
    select distinct one.buyer, coalesce(known.buyer, one.buyer) as root
    from ${from} as one left join recommendations_names known on known.name = one.buyer),
  own as (
    select buyer, root as name from roots
    union select roots.buyer, other.name from roots join recommendations_names other on other.buyer = roots.root)`

const apart = `make_interval(secs => ${sameDeedSeconds})`

/**
 * What was done under a name of `own` in a stretch of time. `offset 0` fences it off: with conditions on offer and kind
 * inside, the database takes the index of instants for cheaper, and reads what everybody did.
 */
const doneWithin = (from: string, until: string) => `lateral (
  select * from recommendations_interactions deed where deed.buyer = own.name and deed.at between ${from} and ${until} offset 0)`

/**
 * Finds what the shop has seen itself of what is reported now, and adds to it which list led there. Returns the places of
 * those reports, from nought.
 */
export async function noteReports(tx: Tx, them: readonly Interaction[]): Promise<Set<number>> {
  const rows = await tx.all<{ place: number }>(
    `with said as (
       select * from ${asDeeds} with ordinality as deed (buyer, at, offer, kind, request_id, source, place)),
     ${ownNames('said')},
     twins as (
       select distinct on (said.place) said.place, said.request_id, said.source, seen.buyer, seen.at, seen.offer, seen.kind
       from said join own on own.buyer = said.buyer
       join ${doneWithin(`said.at - ${apart}`, `said.at + ${apart}`)} as seen
         on seen.offer = said.offer and seen.kind = said.kind and seen.origin = 'shop'
       order by said.place, abs(extract(epoch from seen.at - said.at))),
     noted as (
       update recommendations_interactions seen
       set request_id = coalesce(twins.request_id, seen.request_id), source = coalesce(twins.source, seen.source),
         via = case when twins.request_id is null then seen.via else 'said' end
       from twins
       where seen.buyer = twins.buyer and seen.at = twins.at and seen.offer = twins.offer and seen.kind = twins.kind
         and (twins.request_id is not null or twins.source is not null))
     select place - 1 as place from twins`,
    columnsOf(them),
  )
  return new Set(rows.map((it) => it.place))
}

/** Of reports that may be one deed, so many are looked at: more of one kind are not seen together. */
const mostReports = 50

/** A report that may tell of the deed at a place, from nought. */
export interface NearReport {
  place: number
  buyer: string
  at: Date
}

/** What was reported of these deeds and is not seen yet, the nearest in time first. */
export const reportsOf = (read: Reader, deeds: readonly DeedKey[]): Promise<NearReport[]> =>
  read.all<NearReport>(
    `with seen as (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) with ordinality as deed (buyer, at, offer, kind, place)),
     ${ownNames('seen')}
     select place - 1 as place, buyer, at from (
       select seen.place, said.buyer, said.at,
         row_number() over (partition by seen.place order by abs(extract(epoch from said.at - seen.at)), said.at) as nearness
       from seen join own on own.buyer = seen.buyer
       join ${doneWithin(`seen.at - ${apart}`, `seen.at + ${apart}`)} as said
         on said.offer = seen.offer and said.kind = seen.kind and said.origin = 'app') as near
     where nearness <= ${mostReports} order by place, nearness`,
    keyColumnsOf(deeds),
  )

/** Keeps what the shop has seen, each under its own key: new, or in a report that stands there. */
export function saveSeen(tx: Tx, deeds: readonly SeenDeed[]): void {
  tx.later(
    `insert into recommendations_interactions (buyer, at, offer, kind, origin, units, amount_tiyin)
     select buyer, at, offer, kind, 'shop', units, amount_tiyin
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int4[], $6::int8[])
       as deed (buyer, at, offer, kind, units, amount_tiyin)
     on conflict (buyer, at, offer, kind) do update set origin = 'shop', units = excluded.units,
       amount_tiyin = excluded.amount_tiyin`,
    [...keyColumnsOf(deeds), deeds.map((it) => it.units), deeds.map((it) => it.amountTiyin)],
  )
}

/** Takes back what the shop had seen, wherever it was kept: the nearest of so many units for each. */
export function deleteSeen(tx: Tx, deeds: readonly SeenDeed[]): void {
  tx.later(
    `with gone as (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int4[]) with ordinality
         as deed (buyer, at, offer, kind, units, place)),
     ${ownNames('gone')},
     found as (
       select distinct on (gone.place) seen.buyer, seen.at, seen.offer, seen.kind
       from gone join own on own.buyer = gone.buyer
       join ${doneWithin(`gone.at - ${apart}`, `gone.at + ${apart}`)} as seen
         on seen.offer = gone.offer and seen.kind = gone.kind and seen.origin = 'shop' and seen.units = gone.units
       order by gone.place, abs(extract(epoch from seen.at - gone.at)), seen.at)
     delete from recommendations_interactions deed using found
     where deed.buyer = found.buyer and deed.at = found.at and deed.offer = found.offer and deed.kind = found.kind`,
    [...keyColumnsOf(deeds), deeds.map((it) => it.units)],
  )
}

/** A purchase belongs to the list from which it was clicked, else to the last that showed it, within these days. */
export interface Windows {
  clickDays: number
  shownDays: number
}

/** Finds the lists that purchases came from, unless they were said. */
export function attribute(tx: Tx, bought: readonly DeedKey[], within: Windows): void {
  tx.later(
    `with bought as (select * from unnest($1::text[], $2::timestamptz[], $3::text[]) as deed (buyer, at, offer)),
     ${ownNames('bought')},
     found as (
       select bought.*, clicked.request_id as id, 'click' as via, clicked.at as led_at
       from bought join own using (buyer)
       join ${doneWithin('bought.at - make_interval(days => $4)', 'bought.at')} as clicked
         on clicked.offer = bought.offer and clicked.via = 'said'
       union all
       select bought.*, shown.id, 'shown', shown.at
       from bought join own using (buyer) join lateral (
         select list.id, list.at from recommendations_lists list
         where list.buyer = own.name and bought.offer = any(list.offers)
           and list.at between bought.at - make_interval(days => $5) and bought.at
         order by list.at desc limit 1) as shown on true),
     best as (
       select distinct on (buyer, at, offer) buyer, at, offer, id, via from found
       order by buyer, at, offer, via = 'click' desc, led_at desc)
     update recommendations_interactions deed set request_id = best.id, via = best.via from best
     where deed.buyer = best.buyer and deed.at = best.at and deed.offer = best.offer and deed.kind = 'purchase'
       and deed.request_id is null`,
    [
      bought.map((it) => it.buyer),
      bought.map((it) => it.at.toISOString()),
      bought.map((it) => it.offer),
      within.clickDays,
      within.shownDays,
    ],
  )
}

export interface InteractionPlace {
  at: string
  buyer: string
  offer: string
  kind: string
}

/** Deeds after a place, in the order of time. */
export const interactionsAfter = (
  read: Reader,
  after: InteractionPlace | null,
  limit: number,
): Promise<Interaction[]> =>
  read.all<Interaction>(
    `select buyer, spelled, offer, kind, at, request_id as "requestId", source from recommendations_interactions
     where $1::timestamptz is null or (at, buyer, offer, kind) > ($1::timestamptz, $2, $3, $4)
     order by at, buyer, offer, kind limit $5`,
    [after?.at ?? null, after?.buyer ?? '', after?.offer ?? '', after?.kind ?? '', limit],
  )

export const hasInteractions = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from recommendations_interactions limit 1`)) !== undefined

/** How much was done with each offer since an instant; a deed counts half after so many days. */
export const sumByOffer = (
  read: Reader,
  { since, halfLifeDays }: { since: Date; halfLifeDays: number },
): Promise<{ offer: string; score: number }[]> =>
  read.all(
    `select deed.offer, sum(kind.worth * 0.5 ^ (greatest(0, extract(epoch from $2::timestamptz - deed.at))::float8 / 86400 / $3)) as score
     from recommendations_interactions deed join unnest($4::text[], $5::float8[]) as kind (kind, worth) using (kind)
     where deed.at >= $1 group by deed.offer`,
    [since, read.now, halfLifeDays, kinds, kinds.map((it) => worth[it])],
  )
