// Why a list is as it is: one that would be shown now, or one that was.

import type { Reader } from '../base/db.ts'
import { instantOfUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { moderatedOffersByUuid, type OfferSheet, offersShown } from '../catalog/index.ts'
import type { About } from './about.ts'
import { type Ask, buyingOf, type Layer, type Source } from './ask.ts'
import { historyUntil } from './behaviour/history.ts'
import { offerName, type ShownList, type ShownOffer, shownList, type Way } from './experiments/shown-list.ts'
import type { ModelKeeper, Serving } from './model-keeper.ts'
import { type Desk, madeList, recommend } from './recommend.ts'
import { findList } from './store/lists.ts'
import { findModel } from './store/models.ts'
import { type Reason, type Rule, Trace } from './trace.ts'

export interface Explained {
  source: Source
  modelId: number | null
  experimentId: number | null
  group: string | null
  at: Date
  offers: (ShownOffer & { reason: Reason; offer: OfferSheet | undefined })[]
  removed: { productId: number; rule: Rule }[]
  /** Whether making a past list again gave the ranks that it had; undefined for one of now. */
  isSame?: boolean
}

/** The list of a question as a call would make it now, and why. */
export async function explainQuestion(read: Reader, asked: Ask, desk: Desk): Promise<Explained> {
  const trace = new Trace()
  const answered = await recommend(read, asked, { ...desk, trace })
  const list = shownList({ id: '', at: read.now, asked, tookMs: 0, ...answered })
  return explained(list, trace, new Map(answered.offers.map((it) => [offerName(it), it])))
}

/**
 * A list that was shown, and why. Its offers, their ways and ranks are as they were written down; sources, features and
 * rules are found by making it once more from its model and what was known then. Stock is that of now.
 */
export async function explainList(
  read: Reader,
  id: string,
  desk: Desk & { models: ModelKeeper },
): Promise<Explained> {
  const at = instantOfUuid(id)
  const list = at && (await findList(read, id, at))
  if (!list) throw refuse('not_found')
  const sheets = await sheetsOf(
    read,
    list.offers.map((it) => it.name),
  )
  const shown = new Set([...sheets.values()].map((it) => it.productId))
  const asked = askOf(list)
  const shelves = desk.goods.shelves[desk.environment]
  const [about, serving, stalls] = await Promise.all([
    aboutThen(read, list),
    servingThen(read, list, desk.models),
    shelves.stalls(buyingOf(asked)),
  ])
  const trace = new Trace()
  const plan = { asked, serving, explorationShare: null, part: undefined }
  const { ranking } = await madeList({ ...read, now: list.at }, plan, {
    shelves,
    trace,
    about,
    stalls,
    soldThen: shown,
  })
  const rankOf = new Map(ranking.after.map((productId, place) => [productId, place + 1]))
  const isSame = list.offers.every(
    (it) => it.way !== 'candidate' || rankOf.get(sheets.get(it.name)?.productId ?? 0) === it.rankAfter,
  )
  return { ...explained(list, trace, sheets), isSame }
}

function explained(list: ShownList, trace: Trace, sheets: ReadonlyMap<string, OfferSheet>): Explained {
  const { source, modelId, experimentId, group, at } = list
  const shown = new Set([...sheets.values()].map((it) => it.productId))
  return {
    source,
    modelId,
    experimentId,
    group,
    at,
    offers: list.offers.map((it) => {
      const offer = sheets.get(it.name)
      return { ...it, offer, reason: trace.reasonOf(offer?.productId ?? 0) }
    }),
    removed: [...trace.rules]
      .filter(([productId]) => !shown.has(productId))
      .map(([productId, rule]) => ({ productId, rule })),
  }
}

/** Why an offer came into a list at all. */
export const whyOf = (way: Way, source: Source): string =>
  way === 'candidate' && source === 'recommendation_service'
    ? 'It is sought after; nothing is known of the buyer, and the page is about nothing.'
    : wayMeanings[way]

const wayMeanings: Record<Way, string> = {
  candidate: 'The model proposed it from what the buyer did and what the page is about.',
  trial: 'It is new and no model has met it; a few places are given to such goods.',
  filling: 'It sells well, near what the page or the buyer is about; the candidates did not fill the list.',
}

async function aboutThen(read: Reader, { buyer, at, asked }: ShownList): Promise<About> {
  const deeds = buyer === null ? [] : (await historyUntil(read, buyer, at)).deeds
  return { buyer, lot: null, deeds, context: asked.context, inCart: new Set(asked.inCart) }
}

/** The model that made it, as far as it is kept; where its ranker was not asked, without it. */
async function servingThen(
  read: Reader,
  { modelId, source }: ShownList,
  models: ModelKeeper,
): Promise<Serving | undefined> {
  if (modelId === null) return undefined
  if (!(await findModel(read, modelId))) return undefined
  const own = await models.kept(modelId)
  return source === 'catboost' ? own : { ...own, ranker: undefined }
}

const askOf = ({ channel, layer, buyer, asked }: ShownList): Ask => ({
  ...asked,
  channel,
  layer: layer as Layer,
  buyers: buyer === null ? [] : [buyer],
  isGroupChosen: true,
  experiment: null,
})

const uuidForm = /-/

async function sheetsOf(read: Reader, names: readonly string[]): Promise<Map<string, OfferSheet>> {
  const [ordinary, moderated] = await Promise.all([
    offersShown(read, names.filter((it) => !uuidForm.test(it)).map(Number)),
    moderatedOffersByUuid(
      read,
      names.filter((it) => uuidForm.test(it)),
    ),
  ])
  return new Map([...ordinary.values(), ...moderated.values()].map((it) => [offerName(it), it]))
}
