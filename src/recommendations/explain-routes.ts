// Why a list is as it is, for those who run the shop.

import { Type } from 'typebox'
import type { Environment } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Catalog } from '../catalog/index.ts'
import { inLanguage, type Language } from '../http/language.ts'
import { type Circumstances, inquire, type Route } from '../http/route.ts'
import { flag, instant, integer, list, nullable, oneOf, strict, text } from '../http/schema.ts'
import { type Ask, layers, sources } from './ask.ts'
import type { RunningExperiments } from './experiments/running-experiments.ts'
import { type Explained, explainList, explainQuestion, whyOf } from './explain.ts'
import type { ModelKeeper } from './model-keeper.ts'

const listLength = 30

const explained = Type.Object({
  position: Type.Integer(),
  offer_id: Type.String(),
  product_id: nullable(Type.String()),
  name: nullable(Type.String()),
  way: oneOf(['candidate', 'trial', 'filling']),
  why: Type.String({ description: 'The way in a sentence.' }),
  sources: Type.Array(Type.Object({ source: Type.String(), score: Type.Number() }), {
    description: 'Which parts of the model proposed it, the best first.',
  }),
  rank_before: nullable(Type.Integer()),
  rank_after: nullable(Type.Integer()),
  score: nullable(Type.Number()),
  contributions: Type.Array(Type.Object({ feature: Type.String(), added: Type.Number() }), {
    description: 'What moved its score most.',
  }),
})

const body = strict({
  recommendation_id: Type.Optional(
    text({
      max: 36,
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: '`X-Recommendation-Id` of a list that was shown; everything else is left out then.',
      examples: ['019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'],
    }),
  ),
  user_id: Type.Optional(text({ examples: ['1'] })),
  from_layer: Type.Optional(oneOf(layers)),
  offer_ids: Type.Optional(list(text({ max: 36 }), 200)),
  test_group_value: Type.Optional(oneOf(['prod', 'mod_offers', 'cf'])),
  category_id: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)),
  region: Type.Optional(text()),
})
type Body = Type.Static<typeof body>

export interface Explaining {
  goods: Catalog
  models: Record<Environment, ModelKeeper>
  experiments: Record<Environment, RunningExperiments>
}

export const explainRoutes = ({ goods, models, experiments }: Explaining): Route[] => [
  inquire('/v1/recommendations/explain', {
    summary: 'Explain a list',
    description:
      'Says of each offer of a list why it stands there, and of others why they do not: of a list that was shown, by its `X-Recommendation-Id`, or of one that a call would get now. A past list has the offers and ranks that were written down; sources and features are found by making it again from its model and what was known then (`is_same` says whether that gave the same ranks), and rules look at the stock of now.',
    scope: 'admin:read',
    body,
    reply: Type.Object({
      source: oneOf(sources),
      model_id: nullable(Type.String()),
      experiment_id: nullable(Type.String()),
      group: nullable(Type.String()),
      at: instant,
      is_same: nullable(flag),
      offers: Type.Array(explained),
      removed: Type.Array(Type.Object({ product_id: Type.String(), rule: Type.String() })),
    }),
    refusals: ['not_found', 'validation_failed'],
    run: async ({ read, body: sent, region, environment, language }) => {
      const desk = {
        goods,
        environment,
        models: models[environment],
        serving: models[environment].serving,
        experiments: experiments[environment],
      }
      refuseBoth(sent)
      const found =
        sent.recommendation_id === undefined
          ? await explainQuestion(read, questionOf(sent, region), desk)
          : await explainList(read, sent.recommendation_id.toLowerCase(), desk)
      return { data: viewOf(found, language) }
    },
  }),
]

function refuseBoth({ recommendation_id: id, ...question }: Body): void {
  const [path] = Object.keys(question)
  if (id !== undefined && path !== undefined)
    throw refuse('validation_failed', { fields: [{ path, rule: 'absent_with_recommendation_id' }] })
}

const questionOf = (sent: Body, region: Circumstances['region']): Ask => ({
  channel: '/v1/recommendations/explain',
  layer: sent.offer_ids?.length ? (sent.from_layer ?? 'offer_page') : 'main_page',
  buyers: sent.user_id ? [sent.user_id] : [],
  offers: (sent.offer_ids ?? []).map((it) => it.toLowerCase()),
  products: [],
  group: sent.test_group_value ?? 'prod',
  isGroupChosen: sent.test_group_value !== undefined,
  experiment: null,
  region,
  place: sent.region ?? null,
  isCategoriesPage: sent.category_id !== undefined,
  categoryId: sent.category_id ?? null,
  limit: listLength,
})

const idView = (id: number | null) => (id === null ? null : String(id))

const viewOf = (it: Explained, language: Language) => ({
  source: it.source,
  model_id: idView(it.modelId),
  experiment_id: idView(it.experimentId),
  group: it.group,
  at: it.at.toISOString(),
  is_same: it.isSame ?? null,
  offers: it.offers.map(({ name, way, rankBefore, rankAfter, offer, reason }, place) => ({
    position: place + 1,
    offer_id: name,
    product_id: idView(offer?.productId ?? null),
    name: offer ? inLanguage(offer.name, language) : null,
    way,
    why: whyOf(way, it.source),
    sources: reason.sources,
    rank_before: rankBefore || null,
    rank_after: it.source === 'catboost' ? rankAfter || null : null,
    score: reason.score,
    contributions: reason.contributions,
  })),
  removed: it.removed.map(({ productId, rule }) => ({ product_id: String(productId), rule })),
})
