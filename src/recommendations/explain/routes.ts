// `POST /v1/recommendations/explain`, for operators.

import { Type } from 'typebox'
import type { Environment } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { Catalog } from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { type RequestContext, query, type Route } from '../../http/route.ts'
import { flag, idInput, instant, list, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { categoryBody } from '../channels/bodies.ts'
import { type Channel, channels, type Settings } from '../channels/channels.ts'
import { type RecommendationRequest, layers, sources } from '../serving/request.ts'
import type { ProposingSource } from '../serving/trace.ts'
import { sourceNames } from '../serving/candidates.ts'
import type { RunningExperiments } from '../experiments/running-experiments.ts'
import { offerOrigins } from '../experiments/shown-list.ts'
import { type Explanation, explainList, explainRequest, reasonText, relations } from './explain.ts'
import type { ActiveModel } from '../models/active-model.ts'
import { platformKeys } from '../models/place-trends.ts'

const listLength = 30

const becauseReply = Type.Object({
  product_id: Type.String(),
  name: nullable(Type.String()),
  relation: nullable(
    oneOf(relations, {
      description: 'Where the buyer met it: on this page, else by the strongest of their interactions.',
    }),
  ),
  contribution: Type.Number({
    description:
      'Its part of the score of the source; the parts of all products, also of those not listed, add up to it. Negative where it speaks against the offer.',
  }),
})

const explainedOffer = Type.Object({
  position: Type.Integer(),
  offer_id: Type.String(),
  product_id: nullable(Type.String()),
  name: nullable(Type.String()),
  origin: oneOf(offerOrigins, { description: 'How the offer got into the list.' }),
  reason: Type.String({ description: 'The origin as a sentence.' }),
  sources: Type.Array(
    Type.Object({
      source: oneOf(sourceNames),
      score: Type.Number({ description: 'Relative to the best offer of the source.' }),
      because: Type.Array(becauseReply, {
        description:
          'The products of the buyer’s history and of the page that gave it most of this score, the strongest first; none where the score does not depend on them.',
      }),
    }),
    { description: 'The candidate sources that proposed it, the strongest first.' },
  ),
  rank_before: nullable(Type.Integer()),
  rank_after: nullable(Type.Integer()),
  score: nullable(Type.Number()),
  contributions: Type.Array(Type.Object({ feature: Type.String(), contribution: Type.Number() }), {
    description: 'The features that changed its score most.',
  }),
})

const body = strict({
  recommendation_id: Type.Optional(
    text({
      max: 36,
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: '`X-Recommendation-Id` of a list that was shown; all other fields must be absent then.',
      examples: ['019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'],
    }),
  ),
  user_id: Type.Optional(text({ examples: ['1'] })),
  from_layer: Type.Optional(oneOf(layers)),
  offer_ids: Type.Optional(list(text({ max: 36 }), 200)),
  channel: Type.Optional(
    oneOf(
      channels.map((it) => it.path),
      { description: 'The call to explain; it decides which test groups there are.' },
    ),
  ),
  test_group_value: Type.Optional(oneOf(['prod', 'mod_offers', 'cf'])),
  category_id: Type.Optional(idInput),
  region: Type.Optional(text()),
})
type Body = Type.Static<typeof body>

export interface ExplainDeps {
  catalog: Catalog
  models: Record<Environment, ActiveModel>
  experiments: Record<Environment, RunningExperiments>
  settings: Settings
}

export const explainRoutes = ({ catalog, models, experiments, settings }: ExplainDeps): Route[] => [
  query('/v1/recommendations/explain', {
    summary: 'Explain a list',
    description:
      'Explains each offer of a list, and why other candidates are missing: for a list that was shown, by its `X-Recommendation-Id`, or for the list that a call would get now. A past list has the offers and ranks that were logged; sources and features come from rebuilding it with its model and the buyer’s history at that instant (`is_reproduced` says whether the ranks are equal). Exclusion rules use the present stock.',
    scope: 'admin:read',
    body,
    reply: Type.Object({
      source: oneOf(sources),
      model_id: nullable(Type.String()),
      experiment_id: nullable(Type.String()),
      group: nullable(Type.String()),
      at: instant,
      is_reproduced: nullable(flag),
      offers: Type.Array(explainedOffer),
      excluded: Type.Array(Type.Object({ product_id: Type.String(), rule: Type.String() })),
    }),
    refusals: ['not_found', 'validation_failed'],
    run: async ({ read, body: sent, region, environment, language }) => {
      const deps = {
        catalog,
        environment,
        models: models[environment],
        serving: models[environment].serving,
        experiments: experiments[environment],
      }
      rejectBothForms(sent)
      const found =
        sent.recommendation_id === undefined
          ? await explainRequest(read, requestOf(sent, region, settings), deps)
          : await explainList(read, sent.recommendation_id.toLowerCase(), deps)
      return { data: viewOf(found, language, channelOf(sent)) }
    },
  }),
]

function rejectBothForms({ recommendation_id: id, ...request }: Body): void {
  const [path] = Object.keys(request)
  if (id !== undefined && path !== undefined)
    throw refuse('validation_failed', { fields: [{ path, rule: 'absent_with_recommendation_id' }] })
}

const channelOf = ({ channel: path }: Body): Channel | undefined => channels.find((it) => it.path === path)

/** The group that the channel gives the caller; without a channel, the one that is asked for. */
function groupOf(sent: Body, settings: Settings): Pick<RecommendationRequest, 'group' | 'isGroupChosen'> {
  const given = channelOf(sent)?.group(sent.test_group_value, settings)
  return given
    ? { group: given.group, isGroupChosen: given.isChosen }
    : { group: sent.test_group_value ?? 'prod', isGroupChosen: sent.test_group_value !== undefined }
}

/** The application that the channel sets; that of other calls is unknown here. */
function applicationOf(sent: Body): readonly string[] {
  const fromApp = channelOf(sent)?.fromApp
  return fromApp === undefined ? [] : platformKeys({ from_app: fromApp })
}

const requestOf = (
  sent: Body,
  region: RequestContext['region'],
  settings: Settings,
): RecommendationRequest => ({
  channel: sent.channel ?? '/v1/recommendations/explain',
  layer: sent.offer_ids?.length ? (sent.from_layer ?? 'offer_page') : 'main_page',
  identifiers: sent.user_id ? [sent.user_id] : [],
  offers: (sent.offer_ids ?? []).map((it) => it.toLowerCase()),
  products: [],
  ...groupOf(sent, settings),
  experimentGroup: null,
  region,
  place: sent.region ?? null,
  platform: applicationOf(sent),
  isCategoriesPage: sent.category_id !== undefined || channelOf(sent)?.body === categoryBody,
  categoryId: sent.category_id === undefined ? null : Number(sent.category_id),
  limit: listLength,
})

const idView = (id: number | null) => (id === null ? null : String(id))

const sourceView = (
  { source, score, because }: ProposingSource,
  products: Explanation['products'],
  language: Language,
) => ({
  source,
  score,
  because: because.map(({ productId, added }) => {
    const { name, relation } = products.get(productId)!
    return {
      product_id: String(productId),
      name: name ? inLanguage(name, language) : null,
      relation,
      contribution: added,
    }
  }),
})

const viewOf = (it: Explanation, language: Language, channel: Channel | undefined) => ({
  source: it.source === 'collaborative_filtering' && channel ? channel.cfSource : it.source,
  model_id: idView(it.modelId),
  experiment_id: idView(it.experimentId),
  group: it.group,
  at: it.at.toISOString(),
  is_reproduced: it.isReproduced ?? null,
  offers: it.offers.map(({ ref, origin, rankBefore, rankAfter, offer, reason }, position) => ({
    position: position + 1,
    offer_id: ref,
    product_id: idView(offer?.productId ?? null),
    name: offer ? inLanguage(offer.name, language) : null,
    origin,
    reason: reasonText(origin, it.source, language),
    sources: reason.sources.map((proposed) => sourceView(proposed, it.products, language)),
    rank_before: rankBefore || null,
    rank_after: it.source === 'catboost' ? rankAfter || null : null,
    score: reason.score,
    contributions: reason.contributions.map(({ feature, added }) => ({ feature, contribution: added })),
  })),
  excluded: it.excluded.map(({ productId, rule }) => ({ product_id: String(productId), rule })),
})
