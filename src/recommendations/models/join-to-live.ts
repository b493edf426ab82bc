import type { Database, Tx } from '../../base/database.ts'
import { conflict } from '../../base/conflict.ts'
import type { Model } from './model.ts'
import { readModel } from './read-model.ts'
import * as store from './store.ts'
import { encodeModel, type ModelFile, saveModel, activateModel, type ModelOrigin } from './save-model.ts'

/** The serving model joined with an uploaded part. */
export interface JoinedModel extends ModelOrigin {
  file: ModelFile
  liveId: number
}

type Change = (live: Model) => Model

const tries = 3

/** Runs before the transaction, because it takes long. */
export async function joinModels(
  db: Database,
  origin: ModelOrigin['origin'],
  change: Change,
): Promise<JoinedModel> {
  const live = await store.findActive(db.read())
  if (!live) throw conflict('no_active_model', {})
  const file = encodeModel(change(await readModel(db, live.id)))
  return {
    file,
    liveId: live.id,
    origin,
    rankerOrigin: origin === 'uploaded' ? 'uploaded' : live.rankerOrigin,
  }
}

/** Activates it; undefined when another model was activated meanwhile, because its parts would be lost. */
export async function activateJoined(
  tx: Tx,
  { file, liveId, ...origin }: JoinedModel,
): Promise<store.ModelRecord | undefined> {
  if ((await store.lockActive(tx)) !== liveId) return undefined
  const id = await saveModel(tx, file, origin)
  await activateModel(tx, { modelId: id })
  return store.findModel(tx, id)
}

/** Joins and activates; starts over when another model was activated meanwhile. */
export async function joinToLive(
  db: Database,
  origin: ModelOrigin['origin'],
  change: Change,
): Promise<store.ModelRecord> {
  for (let time = 0; time < tries; time++) {
    const joint = await joinModels(db, origin, change)
    const model = await db.transaction((tx) => activateJoined(tx, joint))
    if (model) return model
  }
  throw modelChanged()
}

export const modelChanged = () => conflict('model_changed', {})
