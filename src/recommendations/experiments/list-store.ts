// SQL of the lists that were shown.

import type { Reader, Tx } from '../../base/database.ts'
import type { LoggedRequest, OfferOrigin, ShownList } from './shown-list.ts'

/** One letter per offer in the column `origins`. */
const originLetters: Record<OfferOrigin, string> = { candidate: 'c', exploration: 'e', filler: 'f' }
const originOf = new Map(
  Object.entries(originLetters).map(([origin, letter]) => [letter, origin as OfferOrigin]),
)

/** Nested arrays must have equal lengths, so they are sent as text. */
const asArray = (values: readonly (number | string)[]) => `{${values.join(',')}}`

/** A list as it is inserted. It holds texts, not objects: lists wait for their write, and each object costs the collector. */
export interface ListRow extends Omit<Row, 'refs' | 'ranksBefore' | 'ranksAfter' | 'request'> {
  refs: string
  ranksBefore: string
  ranksAfter: string
  request: string
  sampleWeight: number
}

export function rowOf({ offers, request, ...list }: ShownList, sampleWeight: number): ListRow {
  return {
    ...list,
    refs: asArray(offers.map((it) => it.ref)),
    origins: offers.map((it) => originLetters[it.origin]).join(''),
    ranksBefore: asArray(offers.map((it) => it.rankBefore)),
    ranksAfter: asArray(offers.map((it) => it.rankAfter)),
    request: JSON.stringify(request),
    sampleWeight,
  }
}

export async function insertLists(tx: Tx, rows: readonly ListRow[]): Promise<void> {
  const column = <T>(of: (it: ListRow) => T): T[] => rows.map(of)
  await tx.all(
    `insert into recommendations_lists (id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers,
       origins, ranks_before, ranks_after, request, duration_ms, sample_weight)
     select id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers::text[], origins,
       ranks_before::int2[], ranks_after::int2[], request, duration_ms, sample_weight
     from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::text[],
       $9::int8[], $10::text[], $11::text[], $12::text[], $13::text[], $14::json[], $15::float4[], $16::float4[])
       as list (id, at, buyer, channel, layer, source, experiment_id, group_name, model_id, offers, origins, ranks_before,
         ranks_after, request, duration_ms, sample_weight)
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
      column((it) => it.refs),
      column((it) => it.origins),
      column((it) => it.ranksBefore),
      column((it) => it.ranksAfter),
      column((it) => it.request),
      column((it) => it.durationMs),
      column((it) => it.sampleWeight),
    ],
  )
}

interface Row extends Omit<ShownList, 'offers'> {
  refs: string[]
  origins: string
  ranksBefore: number[]
  ranksAfter: number[]
  request: LoggedRequest
}

const listColumns = `id, at, buyer, channel, layer, source, experiment_id as "experimentId", group_name as "group",
  model_id as "modelId", offers as refs, origins, ranks_before as "ranksBefore", ranks_after as "ranksAfter", request,
  duration_ms as "durationMs"`

/** The latest lists of a group with a random order of their first places. */
export const shuffledLists = async (
  read: Reader,
  { experimentId, group, limit }: { experimentId: number; group: string; limit: number },
): Promise<ShownList[]> =>
  (
    await read.all<Row>(
      `select ${listColumns} from recommendations_lists
       where experiment_id = $1 and group_name = $2 and buyer is not null and request -> 'shuffle' is not null
       order by at desc, id limit $3`,
      [experimentId, group, limit],
    )
  ).map(listOf)

/** The offers that buyers clicked or bought after these lists, each as `list offer`. */
export async function offersWith(
  read: Reader,
  kind: 'click' | 'purchase',
  listIds: readonly string[],
): Promise<Set<string>> {
  const rows = await read.all<{ list: string; offer: string }>(
    `select distinct request_id as list, offer from recommendations_interactions
     where request_id = any($1::uuid[]) and kind = $2`,
    [listIds, kind],
  )
  return new Set(rows.map(({ list, offer }) => `${list} ${offer}`))
}

/** Partitions are found by the instant, which the id holds. */
export async function findList(read: Reader, id: string, at: Date): Promise<ShownList | undefined> {
  const row = await read.maybe<Row>(
    `select ${listColumns} from recommendations_lists where id = $1 and at = $2`,
    [id, at],
  )
  return row && listOf(row)
}

function listOf(row: Row): ShownList {
  const { refs, origins, ranksBefore, ranksAfter, ...list } = row
  return {
    ...list,
    offers: refs.map((ref, position) => ({
      ref,
      origin: originOf.get(origins[position]!)!,
      rankBefore: ranksBefore[position]!,
      rankAfter: ranksAfter[position]!,
    })),
  }
}
