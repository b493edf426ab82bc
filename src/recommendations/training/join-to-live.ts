import type { Database, Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { Model } from '../engine/model.ts'
import { readModel } from '../read-model.ts'
import * as store from '../store/models.ts'
import { fileOf, type ModelFile, saveModel, activateModel, type Whence } from './save-model.ts'

/** A model made of the one that serves and of what somebody brings. */
export interface Joint extends Whence {
  file: ModelFile
  liveId: number
}

type Change = (live: Model) => Model

const tries = 3

/** Makes the joint before a transaction, because it takes long. */
export async function jointOf(db: Database, origin: Whence['origin'], change: Change): Promise<Joint> {
  const live = await store.findActive(db.read())
  if (!live)
    throw refuse('conflict', {
      reason: 'no model serves yet, so there is nothing that it could be joined to',
    })
  const file = fileOf(change(await readModel(db, live.id)))
  return {
    file,
    liveId: live.id,
    origin,
    rankerOrigin: origin === 'uploaded' ? 'uploaded' : live.rankerOrigin,
  }
}

/** Lets it serve; undefined when another model serves by now, whose parts it would silently take away. */
export async function letServe(
  tx: Tx,
  { file, liveId, ...whence }: Joint,
): Promise<store.ModelRecord | undefined> {
  if ((await store.lockActive(tx)) !== liveId) return undefined
  const id = await saveModel(tx, file, whence)
  await activateModel(tx, { modelId: id })
  return store.findModel(tx, id)
}

/** Makes a joint and lets it serve; when another model was let serve meanwhile, it is made again of that one. */
export async function joinToLive(
  db: Database,
  origin: Whence['origin'],
  change: Change,
): Promise<store.ModelRecord> {
  for (let time = 0; time < tries; time++) {
    const joint = await jointOf(db, origin, change)
    const model = await db.transaction((tx) => letServe(tx, joint))
    if (model) return model
  }
  throw overtaken()
}

export const overtaken = () =>
  refuse('conflict', { reason: 'another model was let serve meanwhile; try again' })
