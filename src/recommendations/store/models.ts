// Models and their pieces, and the runs that made them.

import type { Reader, Tx } from '../../base/db.ts'
import type { Metrics } from '../engine/model.ts'

export interface ModelRecord {
  id: number
  /** Learnt here; with a ranker from outside; or with what another engine has learnt. */
  origin: 'trained' | 'uploaded' | 'imported'
  madeAt: Date
  learntUntil: Date
  /** In hexadecimal digits. */
  checksum: string
  sizeBytes: number
  products: number
  hasRanker: boolean
  /** Null without a ranker. */
  rankerOrigin: 'trained' | 'uploaded' | null
  outside: OutsideSummary | null
  metrics: Metrics
  isActive: boolean
}

/** What was brought in from another engine. */
export interface OutsideSummary {
  kind: 'neighbours' | 'factors'
  /** How many of our products it knows. */
  products: number
  learntUntil: string
  dimensions: number | null
}

const columns = `id, origin, made_at as "madeAt", learnt_until as "learntUntil", encode(checksum, 'hex') as checksum,
  size_bytes as "sizeBytes", products, has_ranker as "hasRanker", ranker_origin as "rankerOrigin", outside, metrics, is_active as "isActive"`
const pieceBytes = 1 << 20

/** Newest first. */
export const listModels = (read: Reader): Promise<ModelRecord[]> =>
  read.all<ModelRecord>(`select ${columns} from recommendations_models order by id desc`)

export const findModel = (read: Reader, id: number): Promise<ModelRecord | undefined> =>
  read.maybe<ModelRecord>(`select ${columns} from recommendations_models where id = $1`, [id])

export const findActive = (read: Reader): Promise<ModelRecord | undefined> =>
  read.maybe<ModelRecord>(`select ${columns} from recommendations_models where is_active`)

/** The id of the model that serves, which nobody else changes until this transaction ends. */
export const lockActive = async (tx: Tx): Promise<number | undefined> =>
  (await tx.maybe<{ id: number }>(`select id from recommendations_models where is_active for update`))?.id

export async function insertModel(
  tx: Tx,
  it: Pick<
    ModelRecord,
    'origin' | 'learntUntil' | 'products' | 'hasRanker' | 'rankerOrigin' | 'outside' | 'metrics'
  > & {
    bytes: Buffer
    checksum: Buffer
  },
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(
    `insert into recommendations_models (origin, made_at, learnt_until, checksum, size_bytes, products, has_ranker,
       ranker_origin, outside, metrics)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      it.origin,
      tx.now,
      it.learntUntil,
      it.checksum,
      it.bytes.length,
      it.products,
      it.hasRanker,
      it.rankerOrigin,
      it.outside && JSON.stringify(it.outside),
      JSON.stringify(it.metrics),
    ],
  )
  for (let at = 0; at * pieceBytes < it.bytes.length; at++)
    await tx.all(`insert into recommendations_model_pieces (model_id, place, bytes) values ($1, $2, $3)`, [
      id,
      at,
      it.bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    ])
  return id
}

/** The file of a model, put together again. */
export const readBytes = async (read: Reader, id: number): Promise<Buffer> =>
  Buffer.concat(await readPieces(read, id))

/** The pieces of a model's file, one read after another: a large model is many statements, each short. */
export async function readPieces(read: Reader, id: number): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for (;;) {
    const piece = await read.maybe<{ bytes: Buffer }>(
      `select bytes from recommendations_model_pieces where model_id = $1 and place = $2`,
      [id, pieces.length],
    )
    if (!piece) return pieces
    pieces.push(piece.bytes)
  }
}

export async function makeActive(tx: Tx, id: number): Promise<void> {
  await tx.all(`update recommendations_models set is_active = false where is_active and id <> $1`, [id])
  await tx.all(`update recommendations_models set is_active = true where id = $1`, [id])
}

/** Deletes all but the newest few, the active one, and those that groups of experiments are to be served by. */
export const deleteOld = async (tx: Tx, keep: number): Promise<void> => {
  await tx.all(
    `delete from recommendations_models where not is_active and id not in (
       select id from recommendations_models order by id desc limit $1)
     and id not in (
       select (part ->> 'modelId')::int8 from recommendations_experiments, jsonb_array_elements(groups) as part
       where status <> 'stopped' and part ->> 'modelId' is not null)`,
    [keep],
  )
}

export interface TrainingRecord {
  id: number
  startedAt: Date
  finishedAt: Date | null
  outcome: 'running' | 'activated' | 'kept' | 'nothing' | 'failed'
  note: string
  modelId: number | null
}

const trainingColumns = `id, started_at as "startedAt", finished_at as "finishedAt", outcome, note, model_id as "modelId"`

/** The last hundred, newest first. */
export const listTrainings = (read: Reader): Promise<TrainingRecord[]> =>
  read.all<TrainingRecord>(
    `select ${trainingColumns} from recommendations_trainings order by id desc limit 100`,
  )

/** Whoever orders a training waits for others who do, so that each sees what the one before him has begun. */
export const lockTrainings = (tx: Tx): Promise<unknown> =>
  tx.all(`lock table recommendations_trainings in share row exclusive mode`)

export const insertTraining = async (tx: Tx): Promise<number> =>
  (
    await tx.one<{ id: number }>(
      `insert into recommendations_trainings (started_at, outcome, note) values ($1, 'running', '') returning id`,
      [tx.now],
    )
  ).id

export const noteProgress = async (tx: Tx, id: number, note: string): Promise<void> => {
  await tx.all(`update recommendations_trainings set note = $2 where id = $1 and outcome = 'running'`, [
    id,
    note,
  ])
}

export const finishTraining = async (
  tx: Tx,
  id: number,
  end: Pick<TrainingRecord, 'outcome' | 'note' | 'modelId'>,
): Promise<void> => {
  await tx.all(
    `update recommendations_trainings set finished_at = $2, outcome = $3, note = $4, model_id = $5 where id = $1`,
    [id, tx.now, end.outcome, end.note.slice(0, 500), end.modelId],
  )
}

export interface DeedRow {
  buyer: string
  offer: string
  kind: string
  at: Date
}

/** What was done within a stretch of time, in its order, under the names that buyers are known by now. */
export const deedsWithin = (read: Reader, from: Date, to: Date): Promise<DeedRow[]> =>
  read.all<DeedRow>(
    `select coalesce(known.buyer, deed.buyer) as buyer, deed.offer, deed.kind, deed.at
     from recommendations_interactions deed left join recommendations_names known on known.name = deed.buyer
     where deed.at >= $1 and deed.at < $2 order by deed.at, deed.buyer, deed.offer, deed.kind`,
    [from, to],
  )

/** Where buyers were when they asked for lists within a stretch of time, as they said it last. */
export const placesWithin = (
  read: Reader,
  from: Date,
  to: Date,
): Promise<{ buyer: string; place: string }[]> =>
  read.all(
    `select distinct on (buyer) coalesce(known.buyer, list.buyer) as buyer, list.asked ->> 'place' as place
     from recommendations_lists list left join recommendations_names known on known.name = list.buyer
     where list.at >= $1 and list.at < $2 and list.buyer is not null and list.asked ->> 'place' is not null
     order by buyer, list.at desc, list.id`,
    [from, to],
  )

/** How many deeds the newest model has not learnt from, counted up to a number. */
export const deedsSinceModel = async (read: Reader, most: number): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from (
         select 1 from recommendations_interactions
         where at > coalesce((select max(learnt_until) from recommendations_models where origin = 'trained'), '-infinity')
         limit $1) fresh`,
      [most],
    )
  ).count
