// Models and trainings, for those who run the shop.

import { Type } from 'typebox'
import type pg from 'pg'
import type { Environment, Reader } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { get, post, type Route, upload } from '../http/route.ts'
import { nullable, oneOf } from '../http/schema.ts'
import type { Model } from './engine/model.ts'
import { readFile } from './engine/model-file.ts'
import { rankerFault } from './engine/ranker.ts'
import { parseModel } from './ml/trees/parse-model.ts'
import { ModelError } from './ml/trees/model-error.ts'
import type { ModelKeeper } from './model-keeper.ts'
import * as store from './store/models.ts'
import { activateModel, fileOf, saveModel, switchTo } from './training/save-model.ts'
import { trainingRoutes } from './training-routes.ts'

const longestForestBytes = 64 << 20

const instant = Type.String({ format: 'date-time' })
const figures = Type.Object({ ndcg10: Type.Number(), hit10: Type.Number(), recall30: Type.Number() })
const model = Type.Object({
  id: Type.String({ examples: ['7'] }),
  origin: oneOf(['trained', 'uploaded']),
  made_at: instant,
  learnt_until: instant,
  checksum: Type.String({ description: 'SHA-256 of the file.' }),
  size_bytes: Type.Integer(),
  products: Type.Integer(),
  has_ranker: Type.Boolean(),
  is_active: Type.Boolean(),
  metrics: Type.Object({
    cases: Type.Integer(),
    ranker: nullable(figures),
    candidates: figures,
    popularity: figures,
  }),
})
const modelView = (it: store.ModelRecord) => ({
  id: String(it.id),
  origin: it.origin,
  made_at: it.madeAt.toISOString(),
  learnt_until: it.learntUntil.toISOString(),
  checksum: it.checksum,
  size_bytes: it.sizeBytes,
  products: it.products,
  has_ranker: it.hasRanker,
  is_active: it.isActive,
  metrics: it.metrics,
})

const idParam = { id: Type.String({ pattern: '^[1-9]\\d{0,15}$', examples: ['7'] }) }

export interface Workshop {
  models: Record<Environment, ModelKeeper>
  shops: Record<Environment, Shop>
  connection: pg.PoolConfig
  log: Log
}

export const modelRoutes = (workshop: Workshop): Route[] => [
  get('/v1/recommendations/models', {
    summary: 'List models',
    description: 'The newest first, each with its figures on the last week, which it did not learn from.',
    scope: 'admin:read',
    reply: Type.Object({ models: Type.Array(model) }),
    run: async ({ read }) => ({ data: { models: (await store.listModels(read)).map(modelView) } }),
  }),
  post('/v1/recommendations/models/{id}/activate', {
    summary: 'Let a model serve',
    description:
      'Also the way back to an older one. A file that is not whole is refused, and what serves goes on.',
    scope: 'admin:write',
    params: idParam,
    reply: Type.Object({ model }),
    refusals: ['not_found', 'conflict'],
    run: async ({ tx, params }) => {
      const id = Number(params.id)
      await activateModel(tx, id)
      return { data: { model: modelView((await store.findModel(tx, id))!) } }
    },
  }),
  uploadRoute(workshop),
  ...trainingRoutes(workshop),
]

function uploadRoute({ models }: Workshop): Route {
  return upload('/v1/recommendations/models', {
    summary: 'Upload a ranker',
    description:
      'A JSON export of CatBoost whose features have our names. It is joined to the candidates of the model that serves, and serves at once.',
    scope: 'admin:write',
    takes: ['application/json'],
    example: '{"oblivious_trees": [], "features_info": {"float_features": []}}',
    reply: Type.Object({ model }),
    refusals: ['conflict', 'validation_failed'],
    run: async ({ db, body, environment }) => {
      const base = models[environment].serving?.model ?? (await activeModel(db.read()))
      if (!base)
        throw refuse('conflict', { reason: 'no model serves yet, so there are no candidates to rank' })
      const forest = forestIn(await wholeText(body))
      const file = fileOf({ ...base, ranker: forest })
      const id = await db.transaction(async (tx) => {
        const saved = await saveModel(tx, file, 'uploaded')
        await switchTo(tx, saved)
        return saved
      })
      return { data: { model: modelView((await store.findModel(db.read(), id))!) } }
    },
  })
}

/** For a process that has not taken it up yet. */
async function activeModel(read: Reader): Promise<Model | undefined> {
  const active = await store.findActive(read)
  return active && readFile(await store.readBytes(read, active.id))
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
