// From what is known to products in an order: candidates, their features, the ranker. No I/O, no waiting.

import type { Stalls } from '../catalog/index.ts'
import type { About } from './about.ts'
import type { Ask, Source } from './ask.ts'
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
    productIds: Array.from(order, (item) => productIds[item]!),
    proposedIds: Array.from(candidates.items, (item) => productIds[item]!),
    source: !isPersonal ? 'recommendation_service' : scores ? 'catboost' : 'collaborative_filtering',
  }
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
  return {
    layer: context.length > 0 ? layer : 'main_page',
    past: pastOfDeeds(serving, about.deeds),
    context,
    day: now.getTime() / dayMs,
    place: place === null ? null : placeKey(place),
  }
}

/** Deeds are remembered until somebody hears of more, so what they say need not be found out at every call. */
function pastOfDeeds({ pasts, placeOf, model }: Serving, deeds: About['deeds']): Past {
  const known = pasts.get(deeds)
  if (known) return known
  const steps: Step[] = []
  // What a buyer did with goods that the model does not know is passed over.
  for (let at = deeds.length - 1; at >= 0; at--) {
    const { productId, kind, at: then } = deeds[at]!
    const item = productId === null ? undefined : placeOf.get(productId)
    if (item !== undefined) steps.push({ item, kind, day: then.getTime() / dayMs })
  }
  const past = pastOf(model.items, steps)
  pasts.set(deeds, past)
  return past
}
