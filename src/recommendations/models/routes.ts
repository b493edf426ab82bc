// Routes of models and trainings, for operators.

import { Type } from 'typebox'
import type { Environment } from '../../base/database.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { Shop } from '../../base/shop.ts'
import { get, post, type Route, upload } from '../../http/route.ts'
import { flag, list, nullable, oneOf, strict, named } from '../../http/schema.ts'
import { beginTraining } from './run-training.ts'
import type { RequestedTrainings } from './requested-trainings.ts'
import { activateModel, verifyModel } from './save-model.ts'
import * as store from './store.ts'
import type { ModelRecord } from './store.ts'
import { maxPoints, stages } from './training-progress.ts'
import { uploadRanker } from './upload-ranker.ts'

const idParam = { id: Type.String({ pattern: '^[1-9]\\d{0,15}$', examples: ['7'] }) }

export interface ModelRouteDeps {
  shops: Record<Environment, Shop>
  trainings: RequestedTrainings
}

export const modelRoutes = (deps: ModelRouteDeps): Route[] => [
  get('/v1/recommendations/models', {
    summary: 'List models',
    description: 'Newest first, each with its metrics on the last week, which was held out from training.',
    scope: 'admin:read',
    reply: Type.Object({ models: list(modelReply, 1000) }),
    run: async ({ read }) => ({ data: { models: (await store.listModels(read)).map(modelView) } }),
  }),
  post('/v1/recommendations/models/{id}/activate', {
    summary: 'Activate a model',
    description:
      'Also used to return to an older model. A damaged file is rejected and the active model stays.',
    scope: 'admin:write',
    params: idParam,
    reply: Type.Object({ model: modelReply }),
    refusals: ['not_found', 'conflict'],
    prepare: ({ environment, params }) => verifyModel(deps.shops[environment].db, Number(params.id)),
    run: async ({ tx, prepared }) => {
      await activateModel(tx, prepared)
      return { data: { model: modelView((await store.findModel(tx, prepared.modelId))!) } }
    },
  }),
  uploadRoute(),
  ...trainingRoutes(deps),
]

const uploadRoute = (): Route =>
  upload('/v1/recommendations/models', {
    summary: 'Upload a ranker',
    description:
      'A CatBoost JSON export whose features have the names of the feature export. It replaces the ranker of the active model at once. Later trainings keep it.',
    scope: 'admin:write',
    accepts: ['application/json'],
    example: '{"oblivious_trees": [], "features_info": {"float_features": []}}',
    reply: Type.Object({ model: modelReply }),
    refusals: ['conflict', 'validation_failed'],
    run: async ({ db, body }) => {
      const joined = await uploadRanker(db, body)
      return { data: { model: modelView(joined) } }
    },
  })

const instant = Type.String({ format: 'date-time' })
const training = named(
  'Training',
  Type.Object({
    id: Type.String({ examples: ['3'] }),
    started_at: instant,
    finished_at: nullable(instant),
    outcome: oneOf(['running', 'activated', 'rejected', 'skipped', 'failed']),
    note: Type.String(),
    model_id: nullable(Type.String()),
  }),
)

const progressPoint = named(
  'TrainingMeasurement',
  Type.Object(
    {
      stage: oneOf(stages),
      seconds: Type.Number({ description: 'Since the training began.', examples: [4.2] }),
      score: nullable(
        Type.Number({
          description:
            'On held-out cases, from 0 to 1; null at the start of a stage. In the search the geometric mean of NDCG@10 and Recall@20, otherwise NDCG@10.',
          examples: [0.2145],
        }),
      ),
      page: nullable(
        Type.String({
          description: 'The page whose cases were held out for the search.',
          examples: ['main_page'],
        }),
      ),
      source: nullable(
        Type.String({
          description:
            'A candidate source, a ranker by its loss, `ranker`, `candidates`, `popularity`, `new_model` or `serving_model`.',
          examples: ['regression'],
        }),
      ),
      family: nullable(Type.String({ description: 'The family of the search.', examples: ['ease'] })),
      trees: nullable(
        Type.Integer({ description: 'The number of trees that the ranker had.', examples: [40] }),
      ),
    },
    { description: 'A measurement of a training, or without a score the start of a stage.' },
  ),
)

const trainingView = (it: store.TrainingRecord) => ({
  id: String(it.id),
  started_at: it.startedAt.toISOString(),
  finished_at: it.finishedAt?.toISOString() ?? null,
  outcome: it.outcome,
  note: it.note,
  model_id: it.modelId === null ? null : String(it.modelId),
})

export const trainingRoutes = ({ shops, trainings }: ModelRouteDeps): Route[] => [
  get('/v1/recommendations/trainings', {
    summary: 'List trainings',
    description: 'The last hundred, newest first; `note` of a running one is its progress.',
    scope: 'admin:read',
    reply: Type.Object({ trainings: list(training, 100) }),
    run: async ({ read }) => ({ data: { trainings: (await store.listTrainings(read)).map(trainingView) } }),
  }),
  get('/v1/recommendations/trainings/{id}', {
    summary: 'Get a training',
    description:
      'With all measurements so far: trials of the search, the ranker by number of trees, and the figures of the last week. Of a running training the list grows.',
    scope: 'admin:read',
    params: idParam,
    reply: Type.Object({ training, progress: list(progressPoint, maxPoints) }),
    refusals: ['not_found'],
    run: async ({ read, params }) => {
      const found = await store.findTraining(read, Number(params.id))
      if (!found) throw refuse('not_found')
      return { data: { training: trainingView(found), progress: found.progress } }
    },
  }),
  post('/v1/recommendations/trainings', {
    summary: 'Start a training',
    description:
      'Trains a model from the interactions, in a separate process; the list of trainings shows its progress. Only one training runs at a time. An uploaded ranker is kept unless `replaces_ranker` is true.',
    scope: 'admin:write',
    query: strict({ replaces_ranker: Type.Optional(flag) }),
    reply: Type.Object({ started: Type.Boolean(), training_id: Type.String({ examples: ['3'] }) }),
    refusals: ['conflict'],
    run: async ({ tx, environment, query }) => {
      const begun = await beginTraining(tx)
      if ('runningId' in begun) throw conflict('training_running', { training_id: String(begun.runningId) })
      const trainingId = begun.id
      const replacesRanker = query.replaces_ranker ?? false
      const { db } = shops[environment]
      tx.afterCommit(() => trainings.start({ db, environment, replacesRanker, trainingId }))
      return { data: { started: true, training_id: String(trainingId) } }
    },
  }),
]

const figures = named(
  'RankingFigures',
  Type.Object({ ndcg10: Type.Number(), hit10: Type.Number(), recall30: Type.Number() }),
)
export const modelReply = named(
  'Model',
  Type.Object({
    id: Type.String({ examples: ['7'] }),
    origin: oneOf(['trained', 'uploaded', 'imported'], {
      description:
        'Trained here; the previous model with an uploaded ranker; or the previous model with, or without, an external model.',
    }),
    created_at: instant,
    trained_until: instant,
    checksum: Type.String({ description: 'SHA-256 of the file.' }),
    size_bytes: Type.Integer(),
    products: Type.Integer(),
    has_ranker: Type.Boolean(),
    ranker_origin: nullable(oneOf(['trained', 'uploaded'])),
    external: nullable(
      named(
        'ExternalModel',
        Type.Object(
          {
            kind: oneOf(['neighbours', 'factors']),
            products: Type.Integer({ description: 'How many of the model’s products it covers.' }),
            trained_until: instant,
            dimensions: nullable(Type.Integer({ description: 'For factors.' })),
          },
          { description: 'The imported external model.' },
        ),
      ),
    ),
    is_active: Type.Boolean(),
    metrics: named(
      'ModelMetrics',
      Type.Object({
        cases: Type.Integer(),
        ranker: nullable(figures),
        candidates: figures,
        popularity: figures,
      }),
    ),
  }),
)
export const modelView = (it: ModelRecord) => ({
  id: String(it.id),
  origin: it.origin,
  created_at: it.createdAt.toISOString(),
  trained_until: it.trainedUntil.toISOString(),
  checksum: it.checksum,
  size_bytes: it.sizeBytes,
  products: it.products,
  has_ranker: it.hasRanker,
  ranker_origin: it.rankerOrigin,
  external: it.external && {
    kind: it.external.kind,
    products: it.external.products,
    trained_until: it.external.trainedUntil,
    dimensions: it.external.dimensions,
  },
  is_active: it.isActive,
  metrics: it.metrics,
})
