// The promotion schedule. A pricing window is a period in which the same promotions run: it starts and ends where one of
// them does, so prices computed in it hold until its end.

import type { LoanConditionDetails, PromotionDetails } from '../offers/offer-details.ts'
import type { MemberField } from './promotion.ts'

/** A promotion as prices are computed from it. */
export interface ScheduledPromotion {
  details: PromotionDetails
  /** Changes with every change of the promotion. */
  version: number
  startsAtMs: number
  /** Infinity while no end is set. */
  endsAtMs: number
  effect: Effect
  /** Categories include all below them. */
  members: Record<MemberField, readonly number[]>
}

export type Effect =
  | { kind: 'discount'; percent: number }
  | { kind: 'price'; priceTiyin: number }
  | { kind: 'conditions'; conditions: readonly GivenCondition[] }

/** A loan condition holds only for its partner's offers. */
export type GivenCondition = LoanConditionDetails & { partnerId: number }

/** What decides whether an offer is a member of a promotion. */
export interface OfferMembership {
  id: number
  isModerated: boolean
  partnerId: number
  /** Its category, perhaps with its ancestors. */
  categoryIds: readonly number[]
  brandId: number | null
}

export class PricingWindow {
  readonly fromMs: number
  readonly untilMs: number
  readonly promotions: readonly ScheduledPromotion[]
  /** Priced offers and products, by their cached unpriced details. */
  readonly priced = new WeakMap<object, object>()
  readonly #members: Record<MemberField, Map<number, ScheduledPromotion[]>>

  constructor(
    promotions: readonly ScheduledPromotion[],
    { fromMs, untilMs }: { fromMs: number; untilMs: number },
  ) {
    this.fromMs = fromMs
    this.untilMs = untilMs
    this.promotions = promotions
    this.#members = {
      offerIds: indexed(promotions, 'offerIds'),
      moderatedOfferIds: indexed(promotions, 'moderatedOfferIds'),
      categoryIds: indexed(promotions, 'categoryIds'),
      brandIds: indexed(promotions, 'brandIds'),
      partnerIds: indexed(promotions, 'partnerIds'),
    }
  }

  /** No promotion runs. */
  get isEmpty(): boolean {
    return this.promotions.length === 0
  }

  /** The running promotions of an offer, each once. */
  promotionsOf(it: OfferMembership): readonly ScheduledPromotion[] {
    if (this.isEmpty) return none
    const { categoryIds, brandIds, partnerIds } = this.#members
    const own = this.#members[it.isModerated ? 'moderatedOfferIds' : 'offerIds'].get(it.id)
    let found = united(own ?? none, partnerIds.get(it.partnerId))
    if (it.brandId !== null) found = united(found, brandIds.get(it.brandId))
    for (const id of it.categoryIds) found = united(found, categoryIds.get(id))
    return found
  }
}

const none: readonly ScheduledPromotion[] = []

function indexed(
  promotions: readonly ScheduledPromotion[],
  field: MemberField,
): Map<number, ScheduledPromotion[]> {
  const index = new Map<number, ScheduledPromotion[]>()
  for (const it of promotions)
    for (const id of it.members[field]) {
      const others = index.get(id)
      if (!others) index.set(id, [it])
      else if (others.at(-1) !== it) others.push(it)
    }
  return index
}

const united = (
  some: readonly ScheduledPromotion[],
  more: readonly ScheduledPromotion[] | undefined,
): readonly ScheduledPromotion[] =>
  !more ? some : some.length === 0 ? more : [...some, ...more.filter((it) => !some.includes(it))]

/** All promotions that have not ended, at one schedule version. */
export class PromotionSchedule {
  readonly version: number
  readonly promotions: readonly ScheduledPromotion[]
  /** The instants at which a promotion starts or ends, in order. */
  readonly #turns: readonly number[]
  #window: PricingWindow | undefined

  constructor(page: number, promotions: readonly ScheduledPromotion[]) {
    this.version = page
    this.promotions = promotions
    const turns = promotions.flatMap((it) => [it.startsAtMs, it.endsAtMs]).filter(Number.isFinite)
    this.#turns = [...new Set(turns)].sort((a, b) => a - b)
  }

  /** The window of an instant; the same object for all instants of the window. */
  windowAt(now: Date): PricingWindow {
    const ms = now.getTime()
    const known = this.#window
    if (known && known.fromMs <= ms && ms < known.untilMs) return known
    const next = this.#turns.findIndex((it) => it > ms)
    const running = this.promotions.filter((it) => it.startsAtMs <= ms && ms < it.endsAtMs)
    const fromMs = (next === -1 ? this.#turns.at(-1) : this.#turns[next - 1]) ?? -Infinity
    const untilMs = next === -1 ? Infinity : this.#turns[next]!
    return (this.#window = new PricingWindow(running, { fromMs, untilMs }))
  }
}
