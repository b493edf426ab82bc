import type { Database } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { rankerFault } from '../serving/ranker.ts'
import { ModelError } from '../../ml/trees/model-error.ts'
import { parseModel } from '../../ml/trees/parse-model.ts'
import type { ModelRecord } from './store.ts'
import { joinToLive } from './join-to-live.ts'

const maxForestBytes = 64 << 20

/** Combines an uploaded CatBoost ranker with the candidates of the active model. */
export async function uploadRanker(db: Database, source: AsyncIterable<Uint8Array>): Promise<ModelRecord> {
  const ranker = parseForest(await readText(source))
  // Not evaluated yet.
  return joinToLive(db, 'uploaded', (live) => ({
    ...live,
    ranker,
    metrics: { ...live.metrics, ranker: null },
  }))
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxForestBytes) throw refuse('payload_too_large', { limit_bytes: maxForestBytes })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseForest(json: string) {
  const violation = (rule: string, reason: string) =>
    refuse('validation_failed', { fields: [{ path: '', rule }], reason })
  try {
    const forest = parseModel(json)
    const fault = rankerFault(forest)
    if (fault) throw violation('unfit_ranker', fault)
    return forest
  } catch (error) {
    if (error instanceof ModelError || error instanceof SyntaxError)
      throw violation('catboost_json', error.message)
    throw error
  }
}
