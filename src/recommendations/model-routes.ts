// Models and trainings, for those who run the shop, and why a list is as it is.

import { Type } from 'typebox'
import type pg from 'pg'
import type { Environment } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Catalog } from '../catalog/index.ts'
import { get, post, type Route, upload } from '../http/route.ts'
import { integer, list, nullable, oneOf, strict, text } from '../http/schema.ts'
import { layers } from './ask.ts'
import { unknownFeatures } from './engine/ranker.ts'
import { parseModel } from './ml/trees/parse-model.ts'
import { ModelError } from './ml/trees/model-error.ts'
import type { ModelKeeper } from './model-keeper.ts'
import { recommend } from './recommend.ts'
import * as store from './store/models.ts'
import { Trace } from './trace.ts'
import { activateModel, fileOf, saveModel, switchTo } from './training/save-model.ts'
import { runTraining } from './training/run-training.ts'

const longestForestBytes = 64 << 20
const listLength = 30

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
const training = Type.Object({
  id: Type.String({ examples: ['3'] }),
  started_at: instant,
  finished_at: nullable(instant),
  outcome: oneOf(['running', 'activated', 'kept', 'nothing', 'failed']),
  note: Type.String(),
  model_id: nullable(Type.String()),
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

const trainingView = (it: store.TrainingRecord) => ({
  id: String(it.id),
  started_at: it.startedAt.toISOString(),
  finished_at: it.finishedAt?.toISOString() ?? null,
  outcome: it.outcome,
  note: it.note,
  model_id: it.modelId === null ? null : String(it.modelId),
})

const idParam = { id: Type.String({ pattern: '^[1-9]\\d{0,15}$', examples: ['7'] }) }

export interface Workshop {
  goods: Catalog
  models: Record<Environment, ModelKeeper>
  connection: pg.PoolConfig
  /** Hears how a training that nobody waits for has failed. */
  onFailure: (error: unknown) => void
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
  explainRoute(workshop),
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
      const { serving } = models[environment]
      if (!serving)
        throw refuse('conflict', { reason: 'no model serves yet, so there are no candidates to rank' })
      const forest = forestIn(await wholeText(body))
      const file = fileOf({ ...serving.model, ranker: forest })
      const id = await db.transaction(async (tx) => {
        const saved = await saveModel(tx, file, 'uploaded')
        await switchTo(tx, saved)
        return saved
      })
      return { data: { model: modelView((await store.findModel(db.read(), id))!) } }
    },
  })
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
    refuse('validation_failed', { fields: [{ path: '', rule, message: reason }] })
  try {
    const forest = parseModel(sent)
    const strange = unknownFeatures(forest)
    if (strange.length > 0) throw wrong('unknown_features', strange.join(', ').slice(0, 500))
    return forest
  } catch (error) {
    if (error instanceof ModelError || error instanceof SyntaxError)
      throw wrong('catboost_json', error.message)
    throw error
  }
}

const trainingRoutes = ({ connection, onFailure }: Workshop): Route[] => [
  get('/v1/recommendations/trainings', {
    summary: 'List trainings',
    description: 'The last hundred, newest first; the note of a running one says how far it is.',
    scope: 'admin:read',
    reply: Type.Object({ trainings: Type.Array(training) }),
    run: async ({ read }) => ({ data: { trainings: (await store.listTrainings(read)).map(trainingView) } }),
  }),
  post('/v1/recommendations/trainings', {
    summary: 'Learn now',
    description:
      'Begins to learn from what buyers did, in a process of its own; the list of trainings says how far it is.',
    scope: 'admin:write',
    reply: Type.Object({ started: Type.Boolean() }),
    refusals: ['conflict'],
    run: async ({ tx, environment }) => {
      const running = (await store.listTrainings(tx)).find(
        (it) => it.outcome === 'running' && isYoung(it, tx.now),
      )
      if (running) throw refuse('conflict', { training_id: String(running.id) })
      tx.afterCommit(() => void runTraining({ connection, environment }).catch(onFailure))
      return { data: { started: true } }
    },
  }),
]

const longestTrainingMs = 3_600_000
const isYoung = (it: store.TrainingRecord, now: Date): boolean =>
  now.getTime() - it.startedAt.getTime() < longestTrainingMs

const explained = Type.Object({
  offer_id: Type.String(),
  product_id: Type.String(),
  name: Type.String(),
  sources: Type.Array(Type.Object({ source: Type.String(), score: Type.Number() })),
  rank_before: nullable(Type.Integer()),
  rank_after: nullable(Type.Integer()),
  score: nullable(Type.Number()),
  contributions: Type.Array(Type.Object({ feature: Type.String(), added: Type.Number() })),
})

function explainRoute({ goods, models }: Workshop): Route {
  return post('/v1/recommendations/explain', {
    summary: 'Explain a list',
    description:
      'Makes the list of a question as the calls would, and says of each offer why it stands there and of others why they do not.',
    scope: 'admin:read',
    body: strict({
      user_id: Type.Optional(text({ max: 256, examples: ['1'] })),
      from_layer: Type.Optional(oneOf(layers)),
      offer_ids: Type.Optional(list(text({ max: 36 }), 200)),
      test_group_value: Type.Optional(oneOf(['prod', 'mod_offers', 'cf'])),
      category_id: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)),
    }),
    reply: Type.Object({
      source: Type.String(),
      model_id: nullable(Type.String()),
      offers: Type.Array(explained),
      removed: Type.Array(Type.Object({ product_id: Type.String(), rule: Type.String() })),
    }),
    run: async ({ tx, body, region, environment, language }) => {
      const trace = new Trace()
      const asked = {
        channel: '/v1/recommendations/explain',
        layer: body.offer_ids?.length ? (body.from_layer ?? 'offer_page') : ('main_page' as const),
        buyers: body.user_id ? [body.user_id] : [],
        offers: (body.offer_ids ?? []).map((it) => it.toLowerCase()),
        products: [],
        group: body.test_group_value ?? ('prod' as const),
        experiment: null,
        region,
        place: null,
        categoryId: body.category_id ?? null,
        limit: listLength,
      }
      const { serving } = models[environment]
      const { offers, source, modelId } = await recommend(tx, asked, { goods, environment, serving, trace })
      const shown = new Set(offers.map((it) => it.productId))
      return {
        data: {
          source,
          model_id: modelId === null ? null : String(modelId),
          offers: offers.map((it) => {
            const { rankBefore, rankAfter, ...reason } = trace.reasonOf(it.productId)
            return {
              offer_id: it.moderation?.uuid ?? String(it.id),
              product_id: String(it.productId),
              name: it.name[language] ?? it.name.ru ?? '',
              ...reason,
              rank_before: rankBefore,
              rank_after: rankAfter,
            }
          }),
          removed: [...trace.rules]
            .filter(([id]) => !shown.has(id))
            .map(([id, rule]) => ({ product_id: String(id), rule })),
        },
      }
    },
  })
}
