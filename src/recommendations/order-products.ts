// From what is known to products in an order: candidates, their features, the ranker. No I/O, no waiting.

import type { Stalls } from '../catalog/index.ts'
import type { About } from './about.ts'
import type { Ask, Source } from './ask.ts'
import { sessionGapDays } from './engine/fit-graphs.ts'
import type { Inquiry } from './engine/inquiry.ts'
import { orderOf } from './engine/measure.ts'
import { type Past, pastOf, type Step } from './engine/past.ts'
import { placeKey } from './engine/trends.ts'
import { candidateCount, type Serving } from './model-keeper.ts'
import type { Rule, Trace } from './trace.ts'

export interface Ordered {
  productIds: number[]
  /** In the order of the blend, before the ranker. */
  proposedIds: number[]
  source: Source
}

export interface Known {
  about: About
  /** Products that must not appear. */
  unwanted: ReadonlyMap<number, Rule>
  now: Date
  stalls: Stalls
  /** Products that are held for sale, whatever the shelf says: they were, when the list was made. */
  soldThen?: ReadonlySet<number>
  trace: Trace | undefined
}

const dayMs = 86_400_000

export function orderProducts(serving: Serving | undefined, asked: Ask, known: Known): Ordered {
  if (!serving) return { productIds: [], proposedIds: [], source: 'recommendation_service' }
  const { model, placeOf, ranker, propose, describe } = serving
  const { productIds } = model.items
  const { unwanted, trace } = known
  const inquiry = inquiryOf(serving, asked, known)
  const candidates = propose(inquiry, {
    limit: candidateCount,
    out: [...unwanted.keys()].flatMap((id) => placeOf.get(id) ?? []),
    isForSale: sellerOf(serving, known),
  })
  const isPersonal = inquiry.past.history.length > 0 || inquiry.context.length > 0
  const isRanked = isPersonal && asked.group !== 'cf' && ranker !== undefined && candidates.items.length > 0
  const features = trace
    ? describe(inquiry, candidates)
    : isRanked
      ? describe(inquiry, candidates, serving.columns)
      : undefined
  const scores = isRanked ? ranker.scores(features!, candidates.items.length) : undefined
  const order = orderOf(candidates.items, scores) ?? candidates.items
  trace?.proposed(serving, { candidates, features: features!, scores })
  return {
    productIds: idsOf(order, productIds),
    proposedIds: idsOf(candidates.items, productIds),
    source: !isPersonal ? 'recommendation_service' : scores ? 'catboost' : 'collaborative_filtering',
  }
}

function idsOf(places: Int32Array, productIds: Float64Array): number[] {
  const ids: number[] = []
  for (const place of places) ids.push(productIds[place]!)
  return ids
}

/** Where a product stands on the shelf is remembered by its place in the model, and looked up again when it has moved. */
function sellerOf({ model, slots }: Serving, { stalls, soldThen, trace }: Known): (place: number) => boolean {
  const { productIds } = model.items
  return (place) => {
    const id = productIds[place]!
    let slot = slots[place]!
    if (!stalls.isAt(slot, id)) {
      slot = stalls.slotOf(id)
      slots[place] = slot
    }
    const sells = (slot >= 0 && stalls.sells(slot)) || (soldThen?.has(id) ?? false)
    if (!sells) trace?.removed([id], () => 'not_for_sale')
    return sells
  }
}

function inquiryOf(serving: Serving, { layer, place }: Ask, { about, now }: Known): Inquiry {
  const context = about.context.flatMap((it) => serving.placeOf.get(it) ?? [])
  const asked = { layer: context.length > 0 ? layer : 'main_page', context, day: now.getTime() / dayMs }
  return {
    ...asked,
    past: pastOnPage(serving, about.deeds, asked),
    place: place === null ? null : placeKey(place),
  }
}

/**
 * What is on the page is before the buyer's eyes, whether or not anybody has reported it yet; a model has learnt from
 * visits in which it was.
 */
function pastOnPage(
  serving: Serving,
  deeds: About['deeds'],
  { layer, context, day }: Pick<Inquiry, 'layer' | 'context' | 'day'>,
): Past {
  const past = pastOfDeeds(serving, deeds)
  const unreported = context.filter((it) => (past.touches.get(it)?.lastDay ?? 0) < day - sessionGapDays)
  if (unreported.length === 0) return past
  const kind = layer === 'cart_page' ? 'cart' : 'view'
  const steps = unreported.map((item): Step => ({ item, kind, day }))
  return pastOf(serving.model.items, steps, past)
}

/** Deeds are remembered until somebody hears of more, so what they say need not be found out at every call. */
function pastOfDeeds(serving: Serving, deeds: About['deeds']): Past {
  const known = serving.pasts.get(deeds)
  if (known) return known
  const past = pastOf(serving.model.items, stepsOf(serving, deeds))
  serving.pasts.set(deeds, past)
  return past
}

/** The oldest first. What a buyer did with goods that the model does not know is passed over. */
function stepsOf({ placeOf }: Serving, deeds: About['deeds']): Step[] {
  const steps: Step[] = []
  for (let at = deeds.length - 1; at >= 0; at--) {
    const { productId, kind, at: then } = deeds[at]!
    const item = productId === null ? undefined : placeOf.get(productId)
    if (item !== undefined) steps.push({ item, kind, day: then.getTime() / dayMs })
  }
  return steps
}
