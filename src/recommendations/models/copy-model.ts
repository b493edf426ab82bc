import type { Database } from '../../base/database.ts'
import { parseModelFile } from './model-file.ts'
import { activateModel, saveModel } from './save-model.ts'
import * as store from './store.ts'

/**
 * Serves the active model of one environment in another one that has the same products and interactions, so that it is not
 * trained twice. An environment with a model keeps it. Returns whether it has one now.
 */
export async function copyModel(from: Database, to: Database): Promise<boolean> {
  const active = await store.findActive(from.read())
  if (!active) return (await store.findActive(to.read())) !== undefined
  const bytes = await store.readBytes(from.read(), active.id)
  const file = { model: parseModelFile(bytes), bytes }
  await to.transaction(async (tx) => {
    if ((await store.lockActive(tx)) !== undefined) return
    const trainingId = await store.insertTraining(tx)
    const modelId = await saveModel(tx, file, { origin: 'trained', rankerOrigin: active.rankerOrigin })
    await activateModel(tx, { modelId })
    const note = `copied from ${from.environment}, which has the same interactions`
    await store.finishTraining(tx, trainingId, { outcome: 'activated', note, modelId })
  })
  return true
}
