// Models and trainings, for those who run the shop.

import { Type } from 'typebox'
import type pg from 'pg'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { get, post, type Route, upload } from '../http/route.ts'
import { modelReply, modelView } from './model-wire.ts'
import { knowledgeRoutes } from './outside/routes.ts'
import { trainingDataRoutes } from './outside/training-data-routes.ts'
import * as store from './store/models.ts'
import { activateModel, provenModel } from './training/save-model.ts'
import { trainingRoutes } from './training-routes.ts'
import { uploadRanker } from './upload-ranker.ts'

const idParam = { id: Type.String({ pattern: '^[1-9]\\d{0,15}$', examples: ['7'] }) }

export interface Workshop {
  shops: Record<Environment, Shop>
  connection: pg.PoolConfig
  log: Log
}

export const modelRoutes = (workshop: Workshop): Route[] => [
  get('/v1/recommendations/models', {
    summary: 'List models',
    description: 'The newest first, each with its figures on the last week, which it did not learn from.',
    scope: 'admin:read',
    reply: Type.Object({ models: Type.Array(modelReply) }),
    run: async ({ read }) => ({ data: { models: (await store.listModels(read)).map(modelView) } }),
  }),
  post('/v1/recommendations/models/{id}/activate', {
    summary: 'Let a model serve',
    description:
      'Also the way back to an older one. A file that is not whole is refused, and what serves goes on.',
    scope: 'admin:write',
    params: idParam,
    reply: Type.Object({ model: modelReply }),
    refusals: ['not_found', 'conflict'],
    prepare: ({ environment, params }) => provenModel(workshop.shops[environment].db, Number(params.id)),
    run: async ({ tx, prepared }) => {
      await activateModel(tx, prepared)
      return { data: { model: modelView((await store.findModel(tx, prepared.modelId))!) } }
    },
  }),
  uploadRoute(),
  ...knowledgeRoutes(workshop),
  ...trainingDataRoutes(workshop),
  ...trainingRoutes(workshop),
]

const uploadRoute = (): Route =>
  upload('/v1/recommendations/models', {
    summary: 'Upload a ranker',
    description:
      'A JSON export of CatBoost whose features have our names. It is joined to the candidates of the model that serves, and serves at once. Trainings leave it in its place.',
    scope: 'admin:write',
    takes: ['application/json'],
    example: '{"oblivious_trees": [], "features_info": {"float_features": []}}',
    reply: Type.Object({ model: modelReply }),
    refusals: ['conflict', 'validation_failed'],
    run: async ({ db, body }) => {
      const joined = await uploadRanker(db, body)
      return { data: { model: modelView(joined) } }
    },
  })
