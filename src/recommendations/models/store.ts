// SQL of models, their files in chunks, and trainings.

import type { Reader, Tx } from '../../base/database.ts'
import type { InteractionKind } from '../interactions/interaction.ts'
import type { Metrics } from './model.ts'
import type { ProgressPoint } from './training-progress.ts'

export interface ModelRecord {
  id: number
  /** Trained here, with an uploaded ranker, or with an imported external model. */
  origin: 'trained' | 'uploaded' | 'imported'
  createdAt: Date
  trainedUntil: Date
  /** Hexadecimal. */
  checksum: string
  sizeBytes: number
  products: number
  hasRanker: boolean
  /** Null without a ranker. */
  rankerOrigin: 'trained' | 'uploaded' | null
  external: ExternalSummary | null
  metrics: Metrics
  isActive: boolean
}

export interface ExternalSummary {
  kind: 'neighbours' | 'factors'
  /** How many of the model's products it covers. */
  products: number
  trainedUntil: string
  dimensions: number | null
}

const columns = `id, origin, created_at as "createdAt", trained_until as "trainedUntil", encode(checksum, 'hex') as checksum,
  size_bytes as "sizeBytes", products, has_ranker as "hasRanker", ranker_origin as "rankerOrigin", external, metrics, is_active as "isActive"`
const chunkBytes = 1 << 20

/** Newest first. */
export const listModels = (read: Reader): Promise<ModelRecord[]> =>
  read.all<ModelRecord>(`select ${columns} from recommendations_models order by id desc`)

export const findModel = (read: Reader, id: number): Promise<ModelRecord | undefined> =>
  read.maybe<ModelRecord>(`select ${columns} from recommendations_models where id = $1`, [id])

export const findActive = (read: Reader): Promise<ModelRecord | undefined> =>
  read.maybe<ModelRecord>(`select ${columns} from recommendations_models where is_active`)

/** Locks the active model's row and returns its id. */
export const lockActive = async (tx: Tx): Promise<number | undefined> =>
  (await tx.maybe<{ id: number }>(`select id from recommendations_models where is_active for update`))?.id

export async function insertModel(
  tx: Tx,
  it: Pick<
    ModelRecord,
    'origin' | 'trainedUntil' | 'products' | 'hasRanker' | 'rankerOrigin' | 'external' | 'metrics'
  > & {
    bytes: Buffer
    checksum: Buffer
  },
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(
    `insert into recommendations_models (origin, created_at, trained_until, checksum, size_bytes, products, has_ranker,
       ranker_origin, external, metrics)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      it.origin,
      tx.now,
      it.trainedUntil,
      it.checksum,
      it.bytes.length,
      it.products,
      it.hasRanker,
      it.rankerOrigin,
      it.external && JSON.stringify(it.external),
      JSON.stringify(it.metrics),
    ],
  )
  for (let at = 0; at * chunkBytes < it.bytes.length; at++)
    await tx.all(`insert into recommendations_model_chunks (model_id, position, bytes) values ($1, $2, $3)`, [
      id,
      at,
      it.bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
    ])
  return id
}

/** One short statement per chunk, so that a large model blocks nothing for long; one copy, because it takes much memory. */
export async function readBytes(read: Reader, id: number): Promise<Buffer> {
  const { sizeBytes = 0 } = (await findModel(read, id)) ?? {}
  const bytes = Buffer.allocUnsafeSlow(sizeBytes)
  let size = 0
  for (let position = 0; ; position++) {
    const chunk = await read.maybe<{ bytes: Buffer }>(
      `select bytes from recommendations_model_chunks where model_id = $1 and position = $2`,
      [id, position],
    )
    if (!chunk) return bytes.subarray(0, size)
    size += chunk.bytes.copy(bytes, size)
  }
}

export async function makeActive(tx: Tx, id: number): Promise<void> {
  await tx.all(`update recommendations_models set is_active = false where is_active and id <> $1`, [id])
  await tx.all(`update recommendations_models set is_active = true where id = $1`, [id])
}

/** Deletes all models but the newest, the active one and those of unfinished experiments. */
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
  outcome: 'running' | 'activated' | 'rejected' | 'skipped' | 'failed'
  note: string
  modelId: number | null
}

const trainingColumns = `id, started_at as "startedAt", finished_at as "finishedAt", outcome, note, model_id as "modelId"`

const keptTrainings = 100

/** The last hundred, newest first. */
export const listTrainings = (read: Reader): Promise<TrainingRecord[]> =>
  read.all<TrainingRecord>(
    `select ${trainingColumns} from recommendations_trainings order by id desc limit ${keptTrainings}`,
  )

export const findTraining = (
  read: Reader,
  id: number,
): Promise<(TrainingRecord & { progress: ProgressPoint[] }) | undefined> =>
  read.maybe(`select ${trainingColumns}, progress from recommendations_trainings where id = $1`, [id])

/** Serializes the start of trainings. */
export const lockTrainings = (tx: Tx): Promise<unknown> =>
  tx.all(`lock table recommendations_trainings in share row exclusive mode`)

/** Records the start of a training; deletes the records that no list shows any more. */
export const insertTraining = async (tx: Tx): Promise<number> => {
  const { id } = await tx.one<{ id: number }>(
    `insert into recommendations_trainings (started_at, outcome, note) values ($1, 'running', '') returning id`,
    [tx.now],
  )
  await tx.all(
    `delete from recommendations_trainings where outcome <> 'running' and id not in (
       select id from recommendations_trainings order by id desc limit ${keptTrainings})`,
  )
  return id
}

export const saveMeasurements = async (
  tx: Tx,
  id: number,
  points: readonly ProgressPoint[],
): Promise<void> => {
  await tx.all(`update recommendations_trainings set progress = $2 where id = $1`, [
    id,
    JSON.stringify(points),
  ])
}

export const saveProgress = async (tx: Tx, id: number, note: string): Promise<void> => {
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

interface InteractionRow {
  buyer: string
  /** The present buyer of the alias. */
  known: string
  offer: string
  kind: InteractionKind
  atMs: number
  /** With all digits, for the next page. */
  at: string
}

const interactionsPerPage = 20_000

/** Interactions of a period in order of time, with the present buyer of each alias, in pages. */
export async function* interactionsBetween(
  read: Reader,
  { from, to, withRetries }: { from: Date; to: Date; withRetries: <T>(work: () => Promise<T>) => Promise<T> },
): AsyncGenerator<readonly InteractionRow[], undefined> {
  let last: Pick<InteractionRow, 'at' | 'buyer' | 'offer' | 'kind'> | undefined
  do {
    const after = last ?? { at: from.toISOString(), buyer: '', offer: '', kind: '' }
    const page = await withRetries(() =>
      read.all<InteractionRow>(
        `select interaction.buyer, coalesce(known.buyer, interaction.buyer) as known, interaction.offer, interaction.kind,
           (extract(epoch from interaction.at) * 1000)::float8 as "atMs", interaction.at::text as at
         from recommendations_interactions interaction
           left join recommendations_aliases known on known.alias = interaction.buyer
         where interaction.at >= $1 and interaction.at < $2
           and (interaction.at, interaction.buyer, interaction.offer, interaction.kind) > ($1, $3, $4, $5)
         order by interaction.at, interaction.buyer, interaction.offer, interaction.kind limit $6`,
        [after.at, to, after.buyer, after.offer, after.kind, interactionsPerPage],
      ),
    )
    yield page
    last = page.length < interactionsPerPage ? undefined : page.at(-1)
  } while (last)
  return undefined
}

/** Usually all of a day, because a page groups the whole period again. */
const offersPerPage = 100_000

interface OfferBuyers {
  offer: string
  kind: InteractionKind
  buyers: number
}

/** How many buyers had interactions with each offer in a period, by kind, in pages. A buyer counts once, so that no program decides. */
export async function* buyersByOffer(
  read: Reader,
  { from, to, withRetries }: { from: Date; to: Date; withRetries: <T>(work: () => Promise<T>) => Promise<T> },
): AsyncGenerator<readonly OfferBuyers[], undefined> {
  let last: Pick<OfferBuyers, 'offer' | 'kind'> | undefined
  do {
    const after = last ?? { offer: '', kind: '' }
    const page = await withRetries(() =>
      read.all<OfferBuyers>(
        `select offer, kind, count(distinct buyer) as buyers from recommendations_interactions
         where at >= $1 and at < $2 and (offer, kind) > ($3, $4)
         group by offer, kind order by offer, kind limit $5`,
        [from, to, after.offer, after.kind, offersPerPage],
      ),
    )
    yield page
    last = page.length < offersPerPage ? undefined : page.at(-1)
  } while (last)
  return undefined
}

/** The last place and the last device and application that each buyer sent with a request in a period. */
export const segmentsBetween = (
  read: Reader,
  from: Date,
  to: Date,
): Promise<{ buyer: string; place: string | null; platform: string[] | null }[]> =>
  read.all(
    `select coalesce(known.buyer, list.buyer) as buyer,
       (array_agg(list.request ->> 'place' order by list.at desc, list.id)
         filter (where list.request ->> 'place' is not null))[1] as place,
       (array_agg(list.request -> 'platform' order by list.at desc, list.id)
         filter (where json_array_length(list.request -> 'platform') > 0))[1] as platform
     from recommendations_lists list left join recommendations_aliases known on known.alias = list.buyer
     where list.at >= $1 and list.at < $2 and list.buyer is not null
     group by 1 order by 1`,
    [from, to],
  )

/** How many interactions are newer than the newest trained model, counted up to a limit. */
export const interactionsSinceModel = async (read: Reader, max: number): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from (
         select 1 from recommendations_interactions
         where at > coalesce((select max(trained_until) from recommendations_models where origin = 'trained'), '-infinity')
         limit $1) fresh`,
      [max],
    )
  ).count
