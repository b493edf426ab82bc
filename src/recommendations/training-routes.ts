// Learning on demand: what has been learnt when, how far it is, and how it ended.

import { Type } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { get, post, type Route } from '../http/route.ts'
import { flag, nullable, oneOf, strict } from '../http/schema.ts'
import type { Workshop } from './model-routes.ts'
import * as store from './store/models.ts'
import { beginTraining } from './training/begin-training.ts'
import { noteDeath, runTraining, TrainingDied } from './training/run-training.ts'

const instant = Type.String({ format: 'date-time' })
const training = Type.Object({
  id: Type.String({ examples: ['3'] }),
  started_at: instant,
  finished_at: nullable(instant),
  outcome: oneOf(['running', 'activated', 'kept', 'nothing', 'failed']),
  note: Type.String(),
  model_id: nullable(Type.String()),
})

const trainingView = (it: store.TrainingRecord) => ({
  id: String(it.id),
  started_at: it.startedAt.toISOString(),
  finished_at: it.finishedAt?.toISOString() ?? null,
  outcome: it.outcome,
  note: it.note,
  model_id: it.modelId === null ? null : String(it.modelId),
})

export const trainingRoutes = ({ connection, shops, log }: Workshop): Route[] => [
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
      'Begins to learn from what buyers did, in a process of its own; the list of trainings says how far it is. One at a time: while one runs, another is refused. A ranker that was uploaded stays, unless `replaces_ranker` says otherwise.',
    scope: 'admin:write',
    query: strict({ replaces_ranker: Type.Optional(flag) }),
    reply: Type.Object({ started: Type.Boolean(), training_id: Type.String({ examples: ['3'] }) }),
    refusals: ['conflict'],
    run: async ({ tx, environment, query }) => {
      const begun = await beginTraining(tx)
      if ('runningId' in begun) throw refuse('conflict', { training_id: String(begun.runningId) })
      const trainingId = begun.id
      const replacesRanker = query.replaces_ranker ?? false
      tx.afterCommit(() => {
        runTraining({ connection, environment, replacesRanker, trainingId })
          .catch(async (error: unknown) => {
            log.error('a training failed', { environment, error })
            if (error instanceof TrainingDied)
              await shops[environment].db.transaction((late) => noteDeath(late, error))
          })
          .catch((error: unknown) => log.error('a training that died could not be noted', { error }))
      })
      return { data: { started: true, training_id: String(trainingId) } }
    },
  }),
]
