import type { Database } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import { rankerFault } from './engine/ranker.ts'
import { ModelError } from './ml/trees/model-error.ts'
import { parseModel } from './ml/trees/parse-model.ts'
import type { ModelRecord } from './store/models.ts'
import { joinToLive } from './training/join-to-live.ts'

const longestForestBytes = 64 << 20

/** Joins a ranker from outside, as CatBoost writes it, to the candidates of the model that serves. */
export async function uploadRanker(db: Database, source: AsyncIterable<Uint8Array>): Promise<ModelRecord> {
  const ranker = forestIn(await wholeText(source))
  // Nobody has measured it yet.
  return joinToLive(db, 'uploaded', (live) => ({
    ...live,
    ranker,
    metrics: { ...live.metrics, ranker: null },
  }))
}

async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longestForestBytes) throw refuse('payload_too_large', { limit_bytes: longestForestBytes })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function forestIn(sent: string) {
  const wrong = (rule: string, reason: string) =>
    refuse('validation_failed', { fields: [{ path: '', rule }], reason })
  try {
    const forest = parseModel(sent)
    const fault = rankerFault(forest)
    if (fault) throw wrong('unfit_ranker', fault)
    return forest
  } catch (error) {
    if (error instanceof ModelError || error instanceof SyntaxError)
      throw wrong('catboost_json', error.message)
    throw error
  }
}
