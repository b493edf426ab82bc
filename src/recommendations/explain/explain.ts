// Explains a list: one that a call would get now, or one that was shown.

import type { Reader } from '../../base/database.ts'
import { instantOfUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Language, LocalizedText } from '../../http/language.ts'
import { findProducts, type OfferDetails } from '../../catalog/index.ts'
import { explorationShareOf } from '../experiments/assignment.ts'
import { findList } from '../experiments/list-store.ts'
import {
  type OfferOrigin,
  offerRefOf,
  type ShownList,
  type ShownOffer,
  shownList,
} from '../experiments/shown-list.ts'
import { findExperiment } from '../experiments/store.ts'
import { interactionKinds, type InteractionKind, interactionWeight } from '../interactions/interaction.ts'
import type { ActiveModel, ServingModel } from '../models/active-model.ts'
import { findModel } from '../models/store.ts'
import type { BuyerContext } from '../serving/buyer-context.ts'
import { recommend, type RecommendDeps } from '../serving/recommend.ts'
import type { RecommendationRequest, Source } from '../serving/request.ts'
import { type ExclusionRule, type RankingReason, Trace } from '../serving/trace.ts'
import { assumedFrom, rebuildList, shownOffers } from './rebuild-list.ts'

export interface Explanation {
  source: Source
  modelId: number | null
  experimentId: number | null
  group: string | null
  at: Date
  offers: (ShownOffer & { reason: RankingReason; offer: OfferDetails | undefined })[]
  excluded: { productId: number; rule: ExclusionRule }[]
  /** The products that are reasons, by id. */
  products: ReadonlyMap<number, ReasonProduct>
  /** Whether rebuilding a past list gave the ranks that were logged; undefined for a new list. */
  isReproduced?: boolean
}

/** What a buyer has to do with a product that is a reason. */
export const relations = ['on_page', ...interactionKinds] as const
type Relation = (typeof relations)[number]

export interface ReasonProduct {
  /** Undefined for a product that is gone. */
  name: LocalizedText | undefined
  /** On the page, else the strongest interaction of the buyer. */
  relation: Relation | null
}

/** Builds the list that a call would get now, and explains it. */
export async function explainRequest(
  read: Reader,
  request: RecommendationRequest,
  deps: RecommendDeps,
): Promise<Explanation> {
  const trace = new Trace()
  const served = await recommend(read, request, { ...deps, trace })
  const list = shownList({ id: '', at: read.now, request, durationMs: 0, ...served })
  const details = new Map(served.offers.map((it) => [offerRefOf(it), it]))
  return explanationOf(read, { list, trace, details, buyer: served.buyer })
}

/**
 * Explains a list that was shown. Its offers, origins and ranks come from the log; sources, features and rules are found
 * by rebuilding it from its model and the buyer's history at that instant. Stock is the present one.
 */
export async function explainList(
  read: Reader,
  id: string,
  deps: RecommendDeps & { models: ActiveModel },
): Promise<Explanation> {
  const at = instantOfUuid(id)
  const list = at && (await findList(read, id, at))
  if (!list) throw refuse('not_found', { resource: 'recommendation', id, path: 'recommendation_id' })
  const details = await shownOffers(read, [list])
  const trace = new Trace()
  const serving = await modelOf(read, list, deps.models)
  const explorationShare = await explorationShareAt(read, list)
  const rebuilt = { ...deps, serving, trace, explorationShare, assumedForSale: assumedFrom(list, details) }
  const { ranking, buyer } = await rebuildList(read, list, rebuilt)
  const rankOf = new Map(ranking.after.map((productId, position) => [productId, position + 1]))
  const isReproduced = list.offers.every(
    (it) => it.origin !== 'candidate' || rankOf.get(details.get(it.ref)?.productId ?? 0) === it.rankAfter,
  )
  return { ...(await explanationOf(read, { list, trace, details, buyer })), isReproduced }
}

async function explorationShareAt(read: Reader, { experimentId, group }: ShownList): Promise<number | null> {
  if (experimentId === null || group === null) return null
  const experiment = await findExperiment(read, experimentId)
  return experiment ? explorationShareOf(experiment, group) : null
}

interface Explained {
  list: ShownList
  trace: Trace
  details: ReadonlyMap<string, OfferDetails>
  buyer: BuyerContext
}

async function explanationOf(read: Reader, { list, trace, details, buyer }: Explained): Promise<Explanation> {
  const { source, modelId, experimentId, group, at } = list
  const shown = new Set([...details.values()].map((it) => it.productId))
  const offers = list.offers.map((it) => {
    const offer = details.get(it.ref)
    return { ...it, offer, reason: trace.reasonOf(offer?.productId ?? 0) }
  })
  const reasonIds = offers.flatMap(({ reason }) =>
    reason.sources.flatMap(({ because }) => because.map((it) => it.productId)),
  )
  return {
    source,
    modelId,
    experimentId,
    group,
    at,
    offers,
    products: await reasonProducts(read, new Set(reasonIds), buyer),
    excluded: [...trace.rules]
      .filter(([productId]) => !shown.has(productId))
      .map(([productId, rule]) => ({ productId, rule })),
  }
}

async function reasonProducts(
  read: Reader,
  ids: ReadonlySet<number>,
  { interactions, pageProductIds }: BuyerContext,
): Promise<Map<number, ReasonProduct>> {
  const products = await findProducts(read, [...ids])
  const kinds = new Map<number, InteractionKind>()
  for (const { productId, kind } of interactions) {
    const known = productId === null ? undefined : kinds.get(productId)
    if (productId !== null && (!known || interactionWeight[kind] > interactionWeight[known]))
      kinds.set(productId, kind)
  }
  const relationOf = (id: number) => (pageProductIds.includes(id) ? 'on_page' : (kinds.get(id) ?? null))
  return new Map(
    Array.from(ids, (id) => [id, { name: products.get(id)?.name, relation: relationOf(id) }] as const),
  )
}

/** Why an offer is in a list at all. */
export const reasonText = (origin: OfferOrigin, source: Source, language: Language): string =>
  (origin === 'candidate' && source === 'recommendation_service' ? unknownBuyer : originTexts[origin])[
    language
  ]

const unknownBuyer: Record<Language, string> = {
  en: 'It is popular; neither the buyer nor the page gave the model anything to start from.',
  ru: 'Это популярно; ни покупатель, ни страница не дали модели, от чего оттолкнуться.',
  uz: 'Bu ommabop; modelga na xaridor, na sahifa tayanadigan ma’lumot bergan.',
}

const originTexts: Record<OfferOrigin, Record<Language, string>> = {
  candidate: {
    en: 'The model proposed it from the buyer’s history and the page.',
    ru: 'Модель предложила это по истории покупателя и странице.',
    uz: 'Model buni xaridor tarixi va sahifaga qarab taklif qilgan.',
  },
  exploration: {
    en: 'It is new and the model has not seen it; a few positions are reserved for such products.',
    ru: 'Это новинка, модель её ещё не видела; для таких товаров оставлено несколько мест.',
    uz: 'Bu yangi, model uni hali ko‘rmagan; bunday mahsulotlarga bir necha o‘rin ajratilgan.',
  },
  filler: {
    en: 'It is popular near the page’s or the buyer’s focus; the candidates did not fill the list.',
    ru: 'Это популярно рядом с темой страницы или интересами покупателя; кандидатов не хватило на весь список.',
    uz: 'Bu sahifa yoki xaridor qiziqishiga yaqin ommabop; nomzodlar ro‘yxatga yetmagan.',
  },
}

/** The model that built the list, if it is still stored; without its ranker where the ranker was not used. */
async function modelOf(
  read: Reader,
  { modelId, source }: ShownList,
  models: ActiveModel,
): Promise<ServingModel | undefined> {
  if (modelId === null) return undefined
  if (!(await findModel(read, modelId))) return undefined
  const model = await models.load(modelId)
  return source === 'catboost' ? model : { ...model, ranker: undefined }
}
