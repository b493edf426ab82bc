// What buyers did, and under which names.

import type { Reader, Tx } from '../../base/db.ts'
import type { History } from '../behaviour/history.ts'
import { type Deed, historyLength, type Interaction, kinds, worth } from '../behaviour/interaction.ts'

/** Adds those that were not told before, and returns how many they are. */
export async function insertInteractions(tx: Tx, them: readonly Interaction[]): Promise<number> {
  const { added } = await tx.one<{ added: number }>(
    `with added as (
       insert into recommendations_interactions (buyer, at, offer, kind, request_id, source)
       select buyer, at, offer, kind, request_id, source
       from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::uuid[], $6::text[])
         as deed (buyer, at, offer, kind, request_id, source)
       on conflict do nothing returning 1)
     select count(*) as added from added`,
    [
      them.map((it) => it.buyer),
      them.map((it) => it.at),
      them.map((it) => it.offer),
      them.map((it) => it.kind),
      them.map((it) => it.requestId),
      them.map((it) => it.source),
    ],
  )
  return added
}

/** What was done last under each name and under the names that turned out to be the same buyer's. */
export async function loadHistories(read: Reader, names: readonly string[]): Promise<Map<string, History>> {
  const rows = await read.all<Omit<Deed, 'productId'> & { asked: string; buyer: string }>(
    `with asked as (
       select asked.name as asked, coalesce(known.buyer, asked.name) as buyer
       from unnest($1::text[]) as asked (name) left join recommendations_names known on known.name = asked.name),
     own as (
       select asked, buyer, buyer as name from asked
       union select asked, asked.buyer, other.name from asked join recommendations_names other on other.buyer = asked.buyer)
     select own.asked, own.buyer, deed.offer, deed.kind, deed.at
     from own cross join lateral (
       select offer, kind, at from recommendations_interactions where buyer = own.name
       order by at desc, offer, kind limit $2) as deed
     order by deed.at desc, deed.offer, deed.kind`,
    [names, historyLength],
  )
  const histories = new Map<string, History>(names.map((it) => [it, { buyer: it, deeds: [] }]))
  for (const { asked, buyer, ...deed } of rows) {
    const history = histories.get(asked)!
    history.buyer = buyer
    if (history.deeds.length < historyLength) history.deeds.push({ ...deed, productId: null })
  }
  return histories
}

/** Notes whose name it is; false when that is known already. */
export const insertName = async (tx: Tx, name: string, buyer: string): Promise<boolean> =>
  (await tx.maybe(
    `insert into recommendations_names (name, buyer, at) values ($1, $2, $3) on conflict (name) do nothing returning 1`,
    [name, buyer, tx.now],
  )) !== undefined

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
    `select buyer, offer, kind, at, request_id as "requestId", source from recommendations_interactions
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

/** Makes room for the deeds of a month, unless it is there. */
export const addMonth = async (tx: Tx, month: string): Promise<void> => {
  const name = `recommendations_interactions_${month.replace('-', '_')}`
  await tx.all(
    `create table if not exists ${name} partition of recommendations_interactions
     for values from ('${month}-01') to ('${nextMonth(month)}-01')`,
  )
}

/** The months that have room of their own, oldest first. */
export const months = async (read: Reader): Promise<string[]> =>
  (
    await read.all<{ month: string }>(
      `select replace(substr(child.relname, length('recommendations_interactions_') + 1), '_', '-') as month
       from pg_inherits join pg_class child on child.oid = inhrelid
       where inhparent = 'recommendations_interactions'::regclass and child.relname ~ '_\\d{4}_\\d\\d$' order by 1`,
    )
  ).map((it) => it.month)

/** Whether deeds of a month stand where the rest stands: then the month cannot be given room of its own. */
export const hasStrays = async (read: Reader, month: string): Promise<boolean> =>
  (await read.maybe(`select 1 from recommendations_interactions_rest where at >= $1 and at < $2 limit 1`, [
    `${month}-01`,
    `${nextMonth(month)}-01`,
  ])) !== undefined

export const dropMonth = async (tx: Tx, month: string): Promise<void> => {
  await tx.all(`drop table if exists recommendations_interactions_${month.replace('-', '_')}`)
}

/** Those that stand in no month of their own and are older than an instant. */
export const overAge = `delete from recommendations_interactions_rest where (buyer, at, offer, kind) in (
  select buyer, at, offer, kind from recommendations_interactions_rest where at < $1 order by at limit $2) returning 1`

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
