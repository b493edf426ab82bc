import type { Database, Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { sha256 } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Model } from '../engine/model.ts'
import { ModelRefused, readFile, writtenFile } from '../engine/model-file.ts'
import type { Outside } from '../engine/outside.ts'
import { readModel } from '../read-model.ts'
import * as store from '../store/models.ts'

const keptModels = 5

/** A model with its bytes, which were read back once: made before a transaction, because it takes long. */
export interface ModelFile {
  model: Model
  bytes: Buffer
}

export function fileOf(model: Model): ModelFile {
  const bytes = writtenFile(model)
  return { model: readFile(bytes), bytes }
}

/** How a model came about, and whose its ranker is, if it has one. */
export interface Whence {
  origin: store.ModelRecord['origin']
  rankerOrigin: store.ModelRecord['rankerOrigin']
}

/** Keeps a model, and the last few before it. It serves nobody until it is activated. */
export async function saveModel(
  tx: Tx,
  { model, bytes }: ModelFile,
  { origin, rankerOrigin }: Whence,
): Promise<number> {
  const id = await store.insertModel(tx, {
    origin,
    rankerOrigin: model.ranker ? rankerOrigin : null,
    outside: model.outside ? outsideSummary(model.outside) : null,
    learntUntil: model.until,
    products: model.items.count,
    hasRanker: model.ranker !== undefined,
    metrics: model.metrics,
    bytes,
    checksum: sha256(bytes),
  })
  await store.deleteOld(tx, keptModels)
  return id
}

/** A model whose file was read, and can serve. */
export interface Proven {
  modelId: number
}

/** Reads a model before a transaction lets it serve, because it takes long. A file that cannot be read is refused. */
export async function provenModel(db: Database, id: number): Promise<Proven> {
  if (!(await store.findModel(db.read(), id))) throw refuse('not_found')
  try {
    await readModel(db, id)
  } catch (error) {
    if (!(error instanceof ModelRefused)) throw error
    throw refuse('conflict', { model_id: String(id), reason: error.message })
  }
  return { modelId: id }
}

/** Lets a model serve on every node. */
export async function activateModel(tx: Tx, { modelId }: Proven): Promise<void> {
  const model = await store.findModel(tx, modelId)
  if (!model) throw refuse('not_found')
  await store.makeActive(tx, modelId)
  await publish(tx, { type: 'ModelActivated', modelId, checksum: model.checksum })
}

const outsideSummary = ({ until, products, learnt }: Outside): store.OutsideSummary => ({
  kind: learnt.kind,
  products,
  learntUntil: until.toISOString(),
  dimensions: learnt.kind === 'factors' ? learnt.dimensions : null,
})
