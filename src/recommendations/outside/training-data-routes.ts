// What there is to learn from, for engines that learn elsewhere.

import { Type } from 'typebox'
import type { Environment } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { download, type Download, type Route } from '../../http/route.ts'
import { integer, strict } from '../../http/schema.ts'
import { featureNames } from '../engine/features.ts'
import type { Workshop } from '../model-routes.ts'
import { usualThreads } from '../training/run-training.ts'
import { mostDays, usualDays } from './feature-rows.ts'
import { featuresElsewhere } from './features-elsewhere.ts'
import type { FeaturesOrder } from './features-process.ts'
import { interactionRows } from './interaction-rows.ts'
import { type Format, formats, writtenRows } from './written-rows.ts'

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

export const trainingDataRoutes = (workshop: Workshop): Route[] => {
  const works = oneAtATime()
  return formats.flatMap((format) => [interactionsRoute(format), featuresRoute(format, workshop, works)])
}

const interactionsRoute = (format: Format): Route =>
  download(`/v1/recommendations/training-data/interactions.${format}`, {
    summary: `Export interactions as ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
    description:
      'What buyers did, in the order of time, with the product of every offer and what a deed is worth: for an engine that learns elsewhere, such as Spark’s ALS. Buyers go by their client ids or by hashes, each by one name.',
    scope: 'admin:read',
    gives: mediaTypes[format],
    example: examples.interactions[format],
    query: strict({ from: Type.Optional(instantText), to: Type.Optional(instantText) }),
    run: ({ db, query: { from, to } }) =>
      writtenRows(
        interactionRows(db, {
          ...(from !== undefined && { from: instantOf(from, 'from') }),
          ...(to !== undefined && { to: instantOf(to, 'to') }),
        }),
        format,
      ),
  })

const featuresRoute = (format: Format, { connection }: Workshop, works: Works): Route =>
  download(`/v1/recommendations/training-data/features.${format}`, {
    summary: `Export features as ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
    description: `The visits of some days as questions, a row per candidate, as our own ranker is taught: \`query\` groups rows, \`label\` says what came of a candidate (0 nothing, 1 looked at, 2 wished or put into the cart, 3 bought), and the rest are features by the names that an uploaded ranker asks for. Candidates are learnt before those days, which takes from seconds to minutes; one export at a time.`,
    scope: 'admin:read',
    gives: mediaTypes[format],
    example: examples.features[format],
    query: strict({
      days: Type.Optional(integer(1, mostDays, { default: usualDays })),
      until: Type.Optional(instantText),
    }),
    refusals: ['service_unavailable'],
    run: ({ environment, query: { days = usualDays, until }, signal }) =>
      works(
        {
          connection,
          environment,
          format,
          days,
          until: until === undefined ? undefined : instantOf(until, 'until'),
          threads: usualThreads(),
        },
        signal,
      ),
  })

type Works = (order: FeaturesOrder, signal: Download['signal']) => AsyncIterable<Uint8Array>

const busySeconds = 30

/** Each takes as much memory as a training. */
function oneAtATime(): Works {
  const underWay = new Set<Environment>()
  return async function* (order, signal) {
    if (underWay.has(order.environment)) throw refuse('service_unavailable', { retry_after: busySeconds })
    underWay.add(order.environment)
    try {
      yield* featuresElsewhere(order, signal)
    } finally {
      underWay.delete(order.environment)
    }
  }
}
