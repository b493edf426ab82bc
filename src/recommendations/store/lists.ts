// Lists that were shown.

import type { Reader, Tx } from '../../base/db.ts'
import { type Asked, type ShownList, type Way, ways } from '../experiments/shown-list.ts'

/** Arrays within arrays must be of one length, so they travel as text. */
const asArray = (values: readonly (number | string)[]) => `{${values.join(',')}}`

export async function insertLists(
  tx: Tx,
  lists: readonly (ShownList & { standsFor: number })[],
): Promise<void> {
  const column = <T>(of: (it: ShownList & { standsFor: number }) => T): T[] => lists.map(of)
  await tx.all(
    `insert into recommendations_lists (id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers,
       ways, ranks_before, ranks_after, asked, took_ms, stands_for)
     select id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers::text[], ways,
       ranks_before::int2[], ranks_after::int2[], asked, took_ms, stands_for
     from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::text[],
       $9::int8[], $10::text[], $11::text[], $12::text[], $13::text[], $14::json[], $15::float4[], $16::float4[])
       as list (id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers, ways, ranks_before,
         ranks_after, asked, took_ms, stands_for)
     on conflict do nothing`,
    [
      column((it) => it.id),
      column((it) => it.at),
      column((it) => it.buyer),
      column((it) => it.channel),
      column((it) => it.layer),
      column((it) => it.source),
      column((it) => it.experimentId),
      column((it) => it.group),
      column((it) => it.modelId),
      column((it) => asArray(it.offers.map((offer) => offer.name))),
      column((it) => it.offers.map((offer) => ways[offer.way]).join('')),
      column((it) => asArray(it.offers.map((offer) => offer.rankBefore))),
      column((it) => asArray(it.offers.map((offer) => offer.rankAfter))),
      column((it) => JSON.stringify(it.asked)),
      column((it) => it.tookMs),
      column((it) => it.standsFor),
    ],
  )
}

interface Row extends Omit<ShownList, 'offers'> {
  names: string[]
  ways: string
  ranksBefore: number[]
  ranksAfter: number[]
  asked: Asked
}

const wayOf = new Map(Object.entries(ways).map(([way, letter]) => [letter as string, way as Way]))

/** A list by its id, which tells when it was shown. */
export async function findList(read: Reader, id: string, at: Date): Promise<ShownList | undefined> {
  const row = await read.maybe<Row>(
    `select id, at, buyer, channel, layer, source, experiment_id as "experimentId", group_name as "group",
       model_id as "modelId", offers as names, ways, ranks_before as "ranksBefore", ranks_after as "ranksAfter", asked,
       took_ms as "tookMs"
     from recommendations_lists where id = $1 and at = $2`,
    [id, at],
  )
  if (!row) return undefined
  const { names, ways: letters, ranksBefore, ranksAfter, ...list } = row
  return {
    ...list,
    offers: names.map((name, place) => ({
      name,
      way: wayOf.get(letters[place]!)!,
      rankBefore: ranksBefore[place]!,
      rankAfter: ranksAfter[place]!,
    })),
  }
}
