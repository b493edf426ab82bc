// SQL of interactions and buyer histories.

import type { Reader, Tx } from '../../base/database.ts'
import {
  type BuyerHistory,
  type PastInteraction,
  historyLength,
  type Interaction,
  interactionKinds,
  sameInteractionSeconds,
  type ObservedInteraction,
  interactionWeight,
} from './interaction.ts'

/** The primary key. */
export type InteractionKey = Pick<Interaction, 'buyer' | 'at' | 'offer' | 'kind'>

const keyColumnsOf = (interactions: readonly InteractionKey[]): unknown[] => [
  interactions.map((it) => it.buyer),
  // Faster than the driver's own conversion of dates, which uses the local zone.
  interactions.map((it) => it.at.toISOString()),
  interactions.map((it) => it.offer),
  interactions.map((it) => it.kind),
]
const columnsOf = (interactions: readonly Interaction[]): unknown[] => [
  ...keyColumnsOf(interactions),
  interactions.map((it) => it.requestId),
  interactions.map((it) => it.source),
]
const interactionRows = `unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::uuid[], $6::text[])`

/** Which of these are stored already. */
export const findReported = (tx: Tx, interactions: readonly InteractionKey[]): Promise<InteractionKey[]> =>
  tx.all<InteractionKey>(
    `select known.buyer, known.at, known.offer, known.kind
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) as given (buyer, at, offer, kind)
     join recommendations_interactions known using (buyer, at, offer, kind)`,
    keyColumnsOf(interactions),
  )

/** Inserts new interactions and returns how many there were. */
export async function insertInteractions(tx: Tx, interactions: readonly Interaction[]): Promise<number> {
  const { added } = await tx.one<{ added: number }>(
    `with added as (
       insert into recommendations_interactions (buyer, at, offer, kind, request_id, source, via, original_buyer)
       select buyer, at, offer, kind, request_id, source, case when request_id is not null then 'reported' end, original_buyer
       from rows from (${interactionRows}, unnest($7::text[])) as interaction (buyer, at, offer, kind, request_id, source, original_buyer)
       on conflict do nothing returning 1)
     select count(*) as added from added`,
    [...columnsOf(interactions), interactions.map((it) => it.originalBuyer)],
  )
  return added
}

/** All aliases of the buyers in a column, as `own (buyer, alias)`. */
const ownAliases = (from: string) => `
  roots as (
    select distinct one.buyer, coalesce(known.buyer, one.buyer) as root
    from ${from} as one left join recommendations_aliases known on known.alias = one.buyer),
  own as (
    select buyer, root as alias from roots
    union select roots.buyer, other.alias from roots join recommendations_aliases other on other.buyer = roots.root)`

const apart = `make_interval(secs => ${sameInteractionSeconds})`

/**
 * Interactions under an alias of `own` in a period. `offset 0` is an optimisation fence: with conditions on offer and kind
 * inside, PostgreSQL prefers the index on `at` and reads all buyers' rows.
 */
const interactionsBetween = (from: string, until: string) => `lateral (
  select * from recommendations_interactions interaction where interaction.buyer = own.alias and interaction.at between ${from} and ${until} offset 0)`

/** Finds the observed interactions that these reports duplicate, adds the reported list to them, and returns the reports' positions. */
export async function mergeReports(tx: Tx, interactions: readonly Interaction[]): Promise<Set<number>> {
  const rows = await tx.all<{ position: number }>(
    `with report as (
       select * from ${interactionRows} with ordinality as interaction (buyer, at, offer, kind, request_id, source, position)),
     ${ownAliases('report')},
     twins as (
       select distinct on (report.position) report.position, report.request_id, report.source, observed.buyer, observed.at, observed.offer, observed.kind
       from report join own on own.buyer = report.buyer
       join ${interactionsBetween(`report.at - ${apart}`, `report.at + ${apart}`)} as observed
         on observed.offer = report.offer and observed.kind = report.kind and observed.origin = 'shop'
       order by report.position, abs(extract(epoch from observed.at - report.at))),
     noted as (
       update recommendations_interactions observed
       set request_id = coalesce(twins.request_id, observed.request_id), source = coalesce(twins.source, observed.source),
         via = case when twins.request_id is null then observed.via else 'reported' end
       from twins
       where observed.buyer = twins.buyer and observed.at = twins.at and observed.offer = twins.offer and observed.kind = twins.kind
         and (twins.request_id is not null or twins.source is not null))
     select position - 1 as position from twins`,
    columnsOf(interactions),
  )
  return new Set(rows.map((it) => it.position))
}

/** Limits the reports that may match one observed interaction. */
const maxReports = 50

/** A report that may match the observed interaction at `position`, counted from 0. */
export interface NearReport {
  position: number
  buyer: string
  at: Date
}

/** Reports that may match these interactions and match none yet, the nearest in time first. */
export const findReports = (read: Reader, interactions: readonly InteractionKey[]): Promise<NearReport[]> =>
  read.all<NearReport>(
    `with observed as (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) with ordinality as interaction (buyer, at, offer, kind, position)),
     ${ownAliases('observed')}
     select position - 1 as position, buyer, at from (
       select observed.position, report.buyer, report.at,
         row_number() over (partition by observed.position order by abs(extract(epoch from report.at - observed.at)), report.at) as nearness
       from observed join own on own.buyer = observed.buyer
       join ${interactionsBetween(`observed.at - ${apart}`, `observed.at + ${apart}`)} as report
         on report.offer = observed.offer and report.kind = observed.kind and report.origin = 'app') as near
     where nearness <= ${maxReports} order by position, nearness`,
    keyColumnsOf(interactions),
  )

/** Saves observed interactions, or marks the reports with the same key as observed. */
export function saveObserved(tx: Tx, interactions: readonly ObservedInteraction[]): void {
  tx.later(
    `insert into recommendations_interactions (buyer, at, offer, kind, origin, units, amount_tiyin)
     select buyer, at, offer, kind, 'shop', units, amount_tiyin
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int4[], $6::int8[])
       as interaction (buyer, at, offer, kind, units, amount_tiyin)
     on conflict (buyer, at, offer, kind) do update set origin = 'shop', units = excluded.units,
       amount_tiyin = excluded.amount_tiyin`,
    [
      ...keyColumnsOf(interactions),
      interactions.map((it) => it.units),
      interactions.map((it) => it.amountTiyin),
    ],
  )
}

/** Deletes observed interactions, under whichever alias and nearby instant they were saved. */
export function deleteObserved(tx: Tx, interactions: readonly ObservedInteraction[]): void {
  tx.later(
    `with gone as (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int4[]) with ordinality
         as interaction (buyer, at, offer, kind, units, position)),
     ${ownAliases('gone')},
     found as (
       select distinct on (gone.position) observed.buyer, observed.at, observed.offer, observed.kind
       from gone join own on own.buyer = gone.buyer
       join ${interactionsBetween(`gone.at - ${apart}`, `gone.at + ${apart}`)} as observed
         on observed.offer = gone.offer and observed.kind = gone.kind and observed.origin = 'shop' and observed.units = gone.units
       order by gone.position, abs(extract(epoch from observed.at - gone.at)), observed.at)
     delete from recommendations_interactions interaction using found
     where interaction.buyer = found.buyer and interaction.at = found.at and interaction.offer = found.offer and interaction.kind = found.kind`,
    [...keyColumnsOf(interactions), interactions.map((it) => it.units)],
  )
}

/** A purchase is attributed to the list it was clicked in, else to the last that showed it, within these days. */
export interface AttributionWindows {
  clickDays: number
  shownDays: number
}

/** Attributes purchases to lists, except those that were reported with one. */
export function attribute(tx: Tx, bought: readonly InteractionKey[], within: AttributionWindows): void {
  tx.later(
    `with bought as (select * from unnest($1::text[], $2::timestamptz[], $3::text[]) as interaction (buyer, at, offer)),
     ${ownAliases('bought')},
     found as (
       select bought.*, clicked.request_id as id, 'click' as via, clicked.at as led_at
       from bought join own using (buyer)
       join ${interactionsBetween('bought.at - make_interval(days => $4)', 'bought.at')} as clicked
         on clicked.offer = bought.offer and clicked.via = 'reported'
       union all
       select bought.*, shown.id, 'shown', shown.at
       from bought join own using (buyer) join lateral (
         select list.id, list.at from recommendations_lists list
         where list.buyer = own.alias and bought.offer = any(list.offers)
           and list.at between bought.at - make_interval(days => $5) and bought.at
         order by list.at desc limit 1) as shown on true),
     best as (
       select distinct on (buyer, at, offer) buyer, at, offer, id, via from found
       order by buyer, at, offer, via = 'click' desc, led_at desc)
     update recommendations_interactions interaction set request_id = best.id, via = best.via from best
     where interaction.buyer = best.buyer and interaction.at = best.at and interaction.offer = best.offer and interaction.kind = 'purchase'
       and interaction.request_id is null`,
    [
      bought.map((it) => it.buyer),
      bought.map((it) => it.at.toISOString()),
      bought.map((it) => it.offer),
      within.clickDays,
      within.shownDays,
    ],
  )
}

export interface InteractionCursor {
  at: string
  buyer: string
  offer: string
  kind: string
}

/** Interactions after a cursor, in order of time. */
export const interactionsAfter = (
  read: Reader,
  after: InteractionCursor | null,
  limit: number,
): Promise<Interaction[]> =>
  read.all<Interaction>(
    `select buyer, original_buyer as "originalBuyer", offer, kind, at, request_id as "requestId", source from recommendations_interactions
     where $1::timestamptz is null or (at, buyer, offer, kind) > ($1::timestamptz, $2, $3, $4)
     order by at, buyer, offer, kind limit $5`,
    [after?.at ?? null, after?.buyer ?? '', after?.offer ?? '', after?.kind ?? '', limit],
  )

export const hasInteractions = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from recommendations_interactions limit 1`)) !== undefined

/** Sums of weights by offer since an instant, with an exponential decay. */
export const sumByOffer = (
  read: Reader,
  { since, halfLifeDays }: { since: Date; halfLifeDays: number },
): Promise<{ offer: string; score: number }[]> =>
  read.all(
    `select interaction.offer, sum(kind.worth * 0.5 ^ (greatest(0, extract(epoch from $2::timestamptz - interaction.at))::float8 / 86400 / $3)) as score
     from recommendations_interactions interaction join unnest($4::text[], $5::float8[]) as kind (kind, worth) using (kind)
     where interaction.at >= $1 group by interaction.offer`,
    [since, read.now, halfLifeDays, interactionKinds, interactionKinds.map((it) => interactionWeight[it])],
  )

// What each buyer did last.
interface Row {
  key: string
  buyer: string
  /** Beside the buyer's key. */
  aliases: string[]
  /** The alias that decides the experiment groups. */
  deciding: string | null
  /** A line per interaction, the newest first: milliseconds of the epoch, kind, offer. */
  latest: string
}

/**
 * One row per key, whose interactions are one text: fifty rows cost the driver twice as much as all the rest of a buyer's
 * first list. An offer is any text that a caller reported, so a line break in it becomes a space: it names no product anyway.
 */
const selectHistories = `
  select wanted.key, wanted.buyer, known.aliases, known.deciding, array_to_string(array(
      select floor(extract(epoch from at) * 1000)::int8 || ' ' || kind || ' ' || translate(offer, e'\\n', ' ')
      from (select wanted.buyer as alias
            union all select alias from recommendations_aliases where buyer = wanted.buyer) as own
        cross join lateral (
          select offer, kind, at from recommendations_interactions where buyer = own.alias and at <= $3
          order by at desc, offer, kind limit $2) as interaction
      order by at desc, offer, kind, alias limit $2), e'\\n') as latest
  from (select one.key, coalesce(alias.buyer, one.key) as buyer
        from unnest($1::text[]) as one (key) left join recommendations_aliases alias on alias.alias = one.key) as wanted
    cross join lateral (
      select coalesce(array_agg(alias order by alias), '{}') as aliases, min(alias) filter (where decides_groups) as deciding
      from recommendations_aliases where buyer = wanted.buyer) as known`

/** The last interactions of each buyer, under all aliases, optionally up to an instant. */
export async function loadHistories(
  read: Reader,
  keys: readonly string[],
  until?: Date,
): Promise<Map<string, BuyerHistory>> {
  const rows = await read.all<Row>(selectHistories, [keys, historyLength, until ?? 'infinity'])
  return new Map(rows.map((row) => [row.key, historyOf(row)]))
}

const historyOf = ({ buyer, aliases, deciding, latest }: Row): BuyerHistory => ({
  buyer,
  aliases: [buyer, ...aliases],
  experimentKey: deciding ?? buyer,
  interactions: latest === '' ? [] : latest.split('\n').map(pastInteraction),
})

function pastInteraction(line: string): PastInteraction {
  const afterTime = line.indexOf(' ')
  const afterKind = line.indexOf(' ', afterTime + 1)
  const kind = line.slice(afterTime + 1, afterKind)
  return {
    offer: ownText(line.slice(afterKind + 1)),
    // Our own text of the kind: a new one for every line would be kept as long as the history.
    kind: interactionKinds.find((it) => it === kind)!,
    atMs: Number(line.slice(0, afterTime)),
    productId: null,
  }
}

/** V8 keeps a slice of thirteen characters and more as a part of the whole text, which would stay with the history. */
const ownText = (slice: string): string => (slice.length < 13 ? slice : Buffer.from(slice).toString())

/** Buyers of the latest interactions. */
export const latestBuyers = async (read: Reader, interactions: number): Promise<string[]> =>
  (
    await read.all<{ buyer: string }>(
      `select distinct buyer from (select buyer from recommendations_interactions order by at desc limit $1) as latest`,
      [interactions],
    )
  ).map((it) => it.buyer)
