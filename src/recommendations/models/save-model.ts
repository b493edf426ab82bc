import type { Database, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { Model } from './model.ts'
import { ModelRejected, parseModelFile, modelFileBytes } from './model-file.ts'
import type { ExternalModel } from './external-model.ts'
import { readModel } from './read-model.ts'
import * as store from './store.ts'

const keptModels = 5

/** A model and its bytes, verified by reading them back. Built before the transaction, because it takes long. */
export interface ModelFile {
  model: Model
  bytes: Buffer
}

export function encodeModel(model: Model): ModelFile {
  const bytes = modelFileBytes(model)
  return { model: parseModelFile(bytes), bytes }
}

/** How a model and its ranker were made. */
export interface ModelOrigin {
  origin: store.ModelRecord['origin']
  rankerOrigin: store.ModelRecord['rankerOrigin']
}

/** Stores a model and deletes all but the last few. It does not serve until it is activated. */
export async function saveModel(
  tx: Tx,
  { model, bytes }: ModelFile,
  { origin, rankerOrigin }: ModelOrigin,
): Promise<number> {
  const id = await store.insertModel(tx, {
    origin,
    rankerOrigin: model.ranker ? rankerOrigin : null,
    external: model.external ? externalSummary(model.external) : null,
    trainedUntil: model.until,
    products: model.items.count,
    hasRanker: model.ranker !== undefined,
    metrics: model.metrics,
    bytes,
    checksum: sha256(bytes),
  })
  await store.deleteOld(tx, keptModels)
  return id
}

/** A stored model whose file was read successfully. */
export interface VerifiedModel {
  modelId: number
}

/** Reads a model before the transaction that activates it, because it takes long. */
export async function verifyModel(db: Database, id: number): Promise<VerifiedModel> {
  if (!(await store.findModel(db.read(), id))) throw refuse('not_found')
  try {
    await readModel(db, id)
  } catch (error) {
    if (!(error instanceof ModelRejected)) throw error
    throw conflict('model_unusable', { model_id: String(id), cause: error.message })
  }
  return { modelId: id }
}

/** Activates a model on every node. */
export async function activateModel(tx: Tx, { modelId }: VerifiedModel): Promise<void> {
  const model = await store.findModel(tx, modelId)
  if (!model) throw refuse('not_found')
  await store.makeActive(tx, modelId)
  publish(tx, { type: 'ModelActivated', modelId, checksum: model.checksum })
}

const externalSummary = ({ until, products, content }: ExternalModel): store.ExternalSummary => ({
  kind: content.kind,
  products,
  trainedUntil: until.toISOString(),
  dimensions: content.kind === 'factors' ? content.dimensions : null,
})
