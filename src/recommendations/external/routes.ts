// Routes that import external models and export training data.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { Type } from 'typebox'
import type { Environment } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { del, download, type Download, type Route, upload } from '../../http/route.ts'
import { integer, strict } from '../../http/schema.ts'
import { featureNames } from '../serving/features.ts'
import { modelReply, modelView, type ModelRouteDeps } from '../models/routes.ts'
import { joinModels, activateJoined, modelChanged } from '../models/join-to-live.ts'
import { defaultThreads } from '../models/run-training.ts'
import { maxDays, defaultDays } from './feature-rows.ts'
import type { FeatureExportOrder } from './features-process.ts'
import { importExternalModel, withoutExternalModel } from './import-external-model.ts'
import { maxDimensions, maxNeighbours } from './read-external-model.ts'
import { type Format, formats, interactionRows, formatRows } from './rows.ts'

const count = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description })

export const externalModelRoutes = ({ shops }: Pick<ModelRouteDeps, 'shops'>): Route[] => [
  importRoute(),
  removeRoute(shops),
]

const importRoute = (): Route =>
  upload('/v1/recommendations/models/external', {
    summary: 'Import factors or neighbours',
    description: `One line per product: item factors, \`{"id":10,"features":[0.1,…]}\`, up to ${maxDimensions} numbers and equally many in every line, as Spark writes those of its ALS, also one Parquet file with the columns \`id\` and \`features\`; or neighbours, \`{"id":10,"neighbours":[{"id":11,"score":0.8},…]}\`, up to ${maxNeighbours}. Ids are product ids. It becomes the candidate source \`external\` of a new model, which is activated at once and replaces an earlier external model; trainings keep it. Products that the model does not know are counted and ignored; one invalid line rejects the import. It takes no \`Idempotency-Key\` and no dry run.`,
    scope: 'admin:write',
    accepts: ['application/x-ndjson', 'application/jsonl', 'application/vnd.apache.parquet'],
    example: '{"id":10,"features":[0.12,-0.5]}\n{"id":11,"features":[0.2,0.01]}\n',
    query: strict({
      trained_until: Type.Optional(instantText),
      alpha: Type.Optional(
        Type.Number({
          minimum: 0.001,
          maximum: 1e6,
          description: 'For factors: the confidence of an interaction; 1 by default, as in Spark.',
        }),
      ),
      regularisation: Type.Optional(
        Type.Number({
          minimum: 1e-6,
          maximum: 1e6,
          description: 'For factors: 0.1 by default, as in Spark.',
        }),
      ),
    }),
    reply: Type.Object({
      model: modelReply,
      read: count('Non-empty lines, or rows.'),
      known: count('Lines or rows of products in the model.'),
      unknown: count('Lines or rows of other products.'),
      unknown_neighbours: count('Ignored neighbours that are not in the model.'),
    }),
    refusals: ['conflict', 'validation_failed'],
    run: async ({ db, body, query: { trained_until: until, ...options } }) => {
      const { model, report } = await importExternalModel(db, body, {
        ...options,
        ...(until !== undefined && { until: instantOf(until, 'trained_until') }),
      })
      const { unknownNeighbours, ...counts } = report
      return { data: { model: modelView(model), ...counts, unknown_neighbours: unknownNeighbours } }
    },
  })

const removeRoute = (shops: ModelRouteDeps['shops']): Route =>
  del('/v1/recommendations/models/external', {
    summary: 'Remove the external model',
    description: 'A model without it becomes active. To restore it, activate the previous model.',
    scope: 'admin:write',
    reply: Type.Object({ model: modelReply }),
    refusals: ['conflict', 'not_found'],
    prepare: ({ environment }) => joinModels(shops[environment].db, 'imported', withoutExternalModel),
    run: async ({ tx, prepared }) => {
      const model = await activateJoined(tx, prepared)
      if (!model) throw modelChanged()
      return { data: { model: modelView(model) } }
    },
  })

const mediaTypes: Record<Format, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const examples = {
  interactions: {
    csv: 'buyer,product_id,offer_id,kind,weight,at\n17,10,1000,view,1,2026-11-01T09:00:00.000Z\n',
    ndjson:
      '{"buyer":"17","product_id":10,"offer_id":"1000","kind":"view","weight":1,"at":"2026-11-01T09:00:00.000Z"}\n',
  },
  features: {
    csv: `query,at,product_id,label,${featureNames.slice(0, 2).join(',')},…\n1,2026-11-01T09:00:00.000Z,10,2,0.5,1,…\n`,
    ndjson: '{"query":1,"at":"2026-11-01T09:00:00.000Z","product_id":10,"label":2,"ease_history":0.5}\n',
  },
}

export const trainingDataRoutes = (connection: pg.PoolConfig): Route[] => {
  const exportFeatures = oneAtATime()
  return formats.flatMap((format) => [
    interactionsRoute(format),
    featuresRoute(format, connection, exportFeatures),
  ])
}

const interactionsRoute = (format: Format): Route =>
  download(`/v1/recommendations/training-data/interactions.${format}`, {
    summary: `Export interactions as ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
    description:
      'Interactions in order of time, with the product of every offer and the weight of the interaction: for external engines such as Spark’s ALS. Each buyer has one key: the client id or a hash.',
    scope: 'admin:read',
    produces: mediaTypes[format],
    example: examples.interactions[format],
    query: strict({ from: Type.Optional(instantText), to: Type.Optional(instantText) }),
    run: ({ db, query: { from, to } }) =>
      formatRows(
        interactionRows(db, {
          ...(from !== undefined && { from: instantOf(from, 'from') }),
          ...(to !== undefined && { to: instantOf(to, 'to') }),
        }),
        format,
      ),
  })

const featuresRoute = (format: Format, connection: pg.PoolConfig, exportFeatures: FeatureExport): Route =>
  download(`/v1/recommendations/training-data/features.${format}`, {
    summary: `Export features as ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
    description: `Visits of some days as queries, one row per candidate, as our own ranker is trained: \`query\` groups rows, \`label\` is the outcome (0 none, 1 view or click, 2 wishlist or cart, 3 purchase), and the other columns are features with the names that an uploaded ranker uses. Candidates come from a model trained before those days, which takes seconds to minutes; one export at a time.`,
    scope: 'admin:read',
    produces: mediaTypes[format],
    example: examples.features[format],
    query: strict({
      days: Type.Optional(integer(1, maxDays, { default: defaultDays })),
      until: Type.Optional(instantText),
    }),
    refusals: ['service_unavailable'],
    run: ({ environment, query: { days = defaultDays, until }, signal }) =>
      exportFeatures(
        {
          connection,
          environment,
          format,
          days,
          until: until === undefined ? undefined : instantOf(until, 'until'),
          threads: defaultThreads(),
        },
        signal,
      ),
  })

type FeatureExport = (order: FeatureExportOrder, signal: Download['signal']) => AsyncIterable<Uint8Array>

const retryAfterSeconds = 30

/** An export uses as much memory as a training. */
function oneAtATime(): FeatureExport {
  const running = new Set<Environment>()
  return async function* (order, signal) {
    if (running.has(order.environment))
      throw refuse('service_unavailable', { retry_after: retryAfterSeconds })
    running.add(order.environment)
    try {
      yield* streamFeatures(order, signal)
    } finally {
      running.delete(order.environment)
    }
  }
}

/** Streams the lines of the export process, which is stopped when the reader is gone. */
export async function* streamFeatures(
  order: FeatureExportOrder,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const child = fork(new URL('./features-process.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop)
  const ended = once(child, 'exit') as Promise<[code: number | null]>
  try {
    child.send(order)
    yield* child.stdout! as AsyncIterable<Uint8Array>
    const [code] = await ended
    // The reply is cut off, so that the client notices that it is incomplete.
    if (code !== 0) throw new Error(`the feature export process ended with ${code ?? 'a signal'}`)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
