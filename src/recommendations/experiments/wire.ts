// Wire shapes of experiments and their results.

import { Type } from 'typebox'
import {
  idText,
  instant,
  integer,
  list,
  name,
  nullable,
  oneOf,
  slug,
  strict,
  text,
  named,
} from '../../http/schema.ts'
import { type Experiment, experimentLayers, type Group, type Method, methods } from './experiment.ts'
import { sources } from '../serving/request.ts'
import { type Difference, type Estimate } from './intervals.ts'
import { type Figures, type GroupResult, type Measure } from './results.ts'

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [0.5] })
const maxExploration = 0.5
const maxShuffled = 0.5
const usualHarm = 0.1

const group = named(
  'ExperimentGroupInput',
  strict({
    name: text({ max: 50, pattern: '^[A-Za-z0-9_-]+$', examples: ['control'] }),
    share: share('The share of all buyers. Buyers outside all shares do not take part.'),
    method: Type.Optional(
      Type.Unsafe<Method | null>({
        type: ['string', 'null'],
        enum: [...methods, null],
        description: 'How lists are ranked; null keeps the default.',
      }),
    ),
    model_id: Type.Optional(nullable(idText)),
    exploration_share: Type.Optional(
      nullable(Type.Number({ minimum: 0, maximum: maxExploration, examples: [0.1] })),
    ),
    shuffled_share: Type.Optional(
      nullable(
        Type.Number({
          minimum: 0,
          maximum: maxShuffled,
          description:
            'The share of lists whose first six places are in a random order. Off-policy estimates need such lists.',
          examples: [0.1],
        }),
      ),
    ),
  }),
)
type SentGroup = Type.Static<typeof group>

export const planFields = {
  name: name(200, 'Ranker against collaborative filtering'),
  layers: Type.Array(oneOf(experimentLayers), {
    minItems: 1,
    maxItems: experimentLayers.length,
    uniqueItems: true,
    description: 'The pages that the experiment changes.',
  }),
  groups: Type.Array(group, {
    minItems: 2,
    maxItems: 10,
    description: 'The first group is the baseline.',
    examples: [
      [
        { name: 'control', share: 0.5 },
        { name: 'cf', share: 0.5, method: 'cf' },
      ],
    ],
  }),
}
const harm = {
  minimum: 0,
  maximum: 1,
  description:
    'The experiment stops itself when a group certainly loses more than this share of the purchasing buyers of the first group; null for no limit. 0.1 by default.',
  examples: [usualHarm],
}
export const maxHarm = nullable(Type.Number(harm))
export const maxHarmField = Type.Optional(nullable(Type.Number({ ...harm, default: usualHarm })))
/** The default where the field is absent. */
export const maxHarmOf = (sent: number | null | undefined): number | null =>
  sent === undefined ? usualHarm : sent
export const slugField = slug

export const groupOf = (it: SentGroup): Group => ({
  name: it.name,
  share: it.share,
  method: it.method ?? null,
  modelId: it.model_id == null ? null : Number(it.model_id),
  explorationShare: it.exploration_share ?? null,
  shuffledShare: it.shuffled_share ?? null,
})

export const experimentReply = named(
  'Experiment',
  Type.Object({
    id: idText,
    slug: Type.String({ examples: ['ranker-or-cf'] }),
    name: Type.String({ examples: ['Ranker against collaborative filtering'] }),
    status: oneOf(['draft', 'running', 'stopped']),
    layers: list(oneOf(experimentLayers)),
    groups: list(
      named(
        'ExperimentGroup',
        Type.Object({
          name: Type.String({ examples: ['control'] }),
          share: Type.Number({ examples: [0.5] }),
          method: nullable(oneOf(methods)),
          model_id: nullable(Type.String()),
          exploration_share: nullable(Type.Number()),
          shuffled_share: nullable(Type.Number()),
        }),
      ),
    ),
    max_harm: nullable(Type.Number({ examples: [0.1] })),
    stop_reason: nullable(
      oneOf(['operator', 'harm'], { description: '`harm`: a group lost more purchases than `max_harm`.' }),
    ),
    harmed_groups: list(Type.String({ examples: ['treatment'] })),
    created_at: instant,
    updated_at: instant,
    started_at: nullable(instant),
    stopped_at: nullable(instant),
  }),
)

/** The guard stores the groups with its reason. */
function stopView({ stopReason }: Experiment) {
  if (stopReason === null) return { stop_reason: null, harmed_groups: [] }
  const [, groups] = /^harm: (.+)$/.exec(stopReason) ?? []
  return groups === undefined
    ? { stop_reason: 'operator' as const, harmed_groups: [] }
    : { stop_reason: 'harm' as const, harmed_groups: groups.split(', ') }
}

export const experimentView = (it: Experiment) => ({
  id: String(it.id),
  slug: it.slug,
  name: it.name,
  status: it.status,
  layers: it.layers,
  groups: it.groups.map((one) => ({
    name: one.name,
    share: one.share,
    method: one.method,
    model_id: one.modelId === null ? null : String(one.modelId),
    exploration_share: one.explorationShare,
    shuffled_share: one.shuffledShare ?? null,
  })),
  max_harm: it.maxHarm,
  ...stopView(it),
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
  started_at: it.startedAt?.toISOString() ?? null,
  stopped_at: it.stoppedAt?.toISOString() ?? null,
})

const count = integer(0, Number.MAX_SAFE_INTEGER)
export const estimate = named(
  'Estimate',
  Type.Object({ value: Type.Number(), low: Type.Number(), high: Type.Number() }),
)
export const difference = named(
  'Difference',
  Type.Object({
    difference: Type.Number(),
    low: Type.Number(),
    high: Type.Number(),
    p_value: Type.Number(),
  }),
)
const measured = {
  ctr: estimate,
  conversion: estimate,
  revenue_per_list: estimate,
  buyers_converted: estimate,
}
const figures = {
  buyers: count,
  lists: count,
  clicks: count,
  purchases: count,
  purchases_after_click: count,
  revenue_tiyin: count,
  ...measured,
}
export const resultsReply = Type.Object({
  confidence: Type.Number({ examples: [0.95] }),
  groups: list(
    Type.Object({
      group: Type.String(),
      ...figures,
      by_source: list(Type.Object({ source: oneOf(sources), ...figures })),
      differences: Type.Unsafe<Record<WireMeasure, ReturnType<typeof differenceView>> | null>({
        ...Type.Object({
          ctr: difference,
          conversion: difference,
          revenue_per_list: difference,
          buyers_converted: difference,
        }),
        type: ['object', 'null'],
        description: 'The difference from the first group with its interval; null for the first group.',
      }),
    }),
  ),
})

type WireMeasure = 'ctr' | 'conversion' | 'revenue_per_list' | 'buyers_converted'

const byMeasure = <I, O>(of: Record<Measure, I>, view: (it: I) => O): Record<WireMeasure, O> => ({
  ctr: view(of.ctr),
  conversion: view(of.conversion),
  revenue_per_list: view(of.revenuePerList),
  buyers_converted: view(of.buyersConverted),
})
export const estimateView = ({ value, low, high }: Estimate) => ({ value, low, high })
export const differenceView = ({ pValue, ...it }: Difference) => ({ ...it, p_value: pValue })

const figuresView = (it: Figures) => ({
  buyers: it.buyers,
  lists: it.lists,
  clicks: it.clicks,
  purchases: it.purchases,
  purchases_after_click: it.purchasesAfterClick,
  revenue_tiyin: it.revenueTiyin,
  ...byMeasure(it, estimateView),
})

export const resultView = (it: GroupResult) => ({
  group: it.group,
  ...figuresView(it.figures),
  by_source: it.bySource.map((one) => ({ source: one.source, ...figuresView(one.figures) })),
  differences: it.differences && byMeasure(it.differences, differenceView),
})
