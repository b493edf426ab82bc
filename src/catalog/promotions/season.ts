// Time as promotions divide it. A season is a stretch in which the same promotions run: it begins and ends where one of
// them does, so whatever is worked out in it holds until its end, and nothing has to be told or rewritten there.

import type { ConditionSheet, PromotionSheet } from '../sheets.ts'
import type { MemberField } from './promotion.ts'

/** A promotion as prices are made by it. */
export interface PlannedPromotion {
  sheet: PromotionSheet
  /** Another one when anything else is said of it. */
  version: number
  startsAtMs: number
  /** Infinity while nobody has set an end. */
  endsAtMs: number
  effect: Effect
  /** Categories with all that stands below them. */
  members: Record<MemberField, readonly number[]>
}

export type Effect =
  | { kind: 'discount'; percent: number }
  | { kind: 'price'; priceTiyin: number }
  | { kind: 'conditions'; conditions: readonly GivenCondition[] }

/** A condition holds for its partner's offers alone, whoever else is in the promotion. */
export type GivenCondition = ConditionSheet & { partnerId: number }

/** What tells whether an offer is in a promotion. */
export interface Whereabouts {
  id: number
  isModerated: boolean
  partnerId: number
  /** Its category; those above it may be there too. */
  categoryIds: readonly number[]
  brandId: number | null
}

export class Season {
  readonly fromMs: number
  readonly untilMs: number
  readonly promotions: readonly PlannedPromotion[]
  /** Offers and products as they are sold while it lasts, by what is remembered of them. */
  readonly sold = new WeakMap<object, object>()
  readonly #members: Record<MemberField, Map<number, PlannedPromotion[]>>

  constructor(
    promotions: readonly PlannedPromotion[],
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
  get isQuiet(): boolean {
    return this.promotions.length === 0
  }

  /** The running promotions that an offer is in, each once. */
  of(it: Whereabouts): readonly PlannedPromotion[] {
    if (this.isQuiet) return none
    const { categoryIds, brandIds, partnerIds } = this.#members
    const own = this.#members[it.isModerated ? 'moderatedOfferIds' : 'offerIds'].get(it.id)
    let found = united(own ?? none, partnerIds.get(it.partnerId))
    if (it.brandId !== null) found = united(found, brandIds.get(it.brandId))
    for (const id of it.categoryIds) found = united(found, categoryIds.get(id))
    return found
  }
}

const none: readonly PlannedPromotion[] = []

function indexed(
  promotions: readonly PlannedPromotion[],
  field: MemberField,
): Map<number, PlannedPromotion[]> {
  const index = new Map<number, PlannedPromotion[]>()
  for (const it of promotions)
    for (const id of it.members[field]) {
      const others = index.get(id)
      if (!others) index.set(id, [it])
      else if (others.at(-1) !== it) others.push(it)
    }
  return index
}

const united = (
  some: readonly PlannedPromotion[],
  more: readonly PlannedPromotion[] | undefined,
): readonly PlannedPromotion[] =>
  !more ? some : some.length === 0 ? more : [...some, ...more.filter((it) => !some.includes(it))]

/** All promotions that have not ended, as of a page of the book. */
export class Calendar {
  readonly page: number
  readonly #promotions: readonly PlannedPromotion[]
  /** Where something begins or ends, in order. */
  readonly #turns: readonly number[]
  #season: Season | undefined

  constructor(page: number, promotions: readonly PlannedPromotion[]) {
    this.page = page
    this.#promotions = promotions
    const turns = promotions.flatMap((it) => [it.startsAtMs, it.endsAtMs]).filter(Number.isFinite)
    this.#turns = [...new Set(turns)].sort((a, b) => a - b)
  }

  /** The season of an instant. Those who ask in one season get the same one. */
  at(now: Date): Season {
    const ms = now.getTime()
    const known = this.#season
    if (known && known.fromMs <= ms && ms < known.untilMs) return known
    const next = this.#turns.findIndex((it) => it > ms)
    const running = this.#promotions.filter((it) => it.startsAtMs <= ms && ms < it.endsAtMs)
    const fromMs = (next === -1 ? this.#turns.at(-1) : this.#turns[next - 1]) ?? -Infinity
    const untilMs = next === -1 ? Infinity : this.#turns[next]!
    return (this.#season = new Season(running, { fromMs, untilMs }))
  }
}
