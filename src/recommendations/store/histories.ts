// What each buyer did last.

import type { Reader } from '../../base/db.ts'
import type { History } from '../behaviour/history.ts'
import { type Deed, historyLength } from '../behaviour/interaction.ts'

interface Row {
  asked: string
  buyer: string
  name: string
  decides: boolean
  offer: string | null
  kind: Deed['kind']
  at: Date
}

/** What was done last, or last until an instant, under each name and under the names that turned out to be the same buyer's. */
export async function loadHistories(
  read: Reader,
  names: readonly string[],
  until?: Date,
): Promise<Map<string, History>> {
  const rows = await read.all<Row>(
    `with asked as (
       select asked.name as asked, coalesce(known.buyer, asked.name) as buyer
       from unnest($1::text[]) as asked (name) left join recommendations_names known on known.name = asked.name),
     own as (
       select asked, buyer, buyer as name, false as decides from asked
       union all
       select asked, asked.buyer, other.name, other.decides_groups
       from asked join recommendations_names other on other.buyer = asked.buyer)
     select own.asked, own.buyer, own.name, own.decides, deed.offer, deed.kind, deed.at
     from own left join lateral (
       select offer, kind, at from recommendations_interactions where buyer = own.name and at <= $3
       order by at desc, offer, kind limit $2) as deed on true
     order by deed.at desc nulls last, deed.offer, deed.kind, own.name`,
    [names, historyLength, until ?? 'infinity'],
  )
  const histories = new Map<string, History>(
    names.map((it) => [it, { buyer: it, names: [], lot: it, deeds: [] }]),
  )
  for (const row of rows) addTo(histories.get(row.asked)!, row)
  return histories
}

function addTo(history: History, { buyer, name, decides, offer, kind, at }: Row): void {
  if (history.names.length === 0) history.lot = buyer
  history.buyer = buyer
  if (decides) history.lot = name
  if (!history.names.includes(name)) history.names.push(name)
  if (offer !== null && history.deeds.length < historyLength)
    history.deeds.push({ offer, kind, at, productId: null })
}

/** Those who did something last, as far as so many deeds go back. */
export const latestBuyers = async (read: Reader, deeds: number): Promise<string[]> =>
  (
    await read.all<{ buyer: string }>(
      `select distinct buyer from (select buyer from recommendations_interactions order by at desc limit $1) as latest`,
      [deeds],
    )
  ).map((it) => it.buyer)
