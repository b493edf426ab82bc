// From ranked products to offers: only what this buyer can buy now, one offer per product, and limits per partner and
// category while there are alternatives.

import type { Reader } from '../../base/database.ts'
import {
  findModeratedOffers,
  type OfferDetails,
  findOffers,
  type ProductIndexReader,
  type BuyableOffer,
  type BuyableOffers,
} from '../../catalog/index.ts'
import { buyableFilter, type RecommendationRequest } from './request.ts'
import type { ExclusionRule, Trace } from './trace.ts'

export interface FillInputs {
  index: ProductIndexReader
  buyable: BuyableOffers
  /** Products that must not appear. */
  excluded: ReadonlyMap<number, ExclusionRule>
  buyerKind: 'known' | 'unknown'
  /** Popular products of this category fill the list first. */
  focusCategoryId: number | null
  /** By product, the offer that an explained list showed: it is used though another one may be better or it is not buyable now. */
  assumedForSale?: ReadonlyMap<number, OfferDetails> | undefined
  trace: Trace | undefined
}

/**
 * The offers of a list are checked at most so often. Without a bound, a list whose offers cannot be read would visit the
 * whole catalog.
 */
const maxChecks = 8

export async function fillList(
  read: Reader,
  request: RecommendationRequest,
  ranked: readonly number[],
  inputs: FillInputs,
): Promise<OfferDetails[]> {
  const soldOut = new Set<number>()
  for (let check = 1; ; check++) {
    // From the start: what was sold out has no share of the limits, so the list is that of the other products.
    const list = new ListBuilder(request, inputs.trace, { buyer: inputs.buyerKind, without: soldOut })
    takeBuyable(list, ranked, inputs)
    if (!list.isFull) await fillWithPopular(list, request, inputs)
    const offers = list.offers()
    const loaded = await loadOfferDetails(read, offers, request)
    const details = offers.map(({ productId }, at) => loaded[at] ?? inputs.assumedForSale?.get(productId))
    const gone = offers.filter((_, at) => details[at] === undefined)
    if (gone.length === 0 || check === maxChecks) return details.filter((it) => it !== undefined)
    for (const it of gone) soldOut.add(it.productId)
    inputs.trace?.exclude(
      gone.map((it) => it.productId),
      'sold_out',
    )
  }
}

function takeBuyable(
  list: ListBuilder,
  products: Iterable<number>,
  { buyable, excluded, assumedForSale }: FillInputs,
): void {
  for (const id of products) {
    if (!list.has(id) && !excluded.has(id)) {
      const assumed = assumedForSale?.get(id)
      const slot = buyable.slotOf(id)
      if (assumed) list.add(placedOffer(assumed))
      else if (slot >= 0 && buyable.has(slot)) list.add(buyable.offerAt(slot))
    }
    if (list.isFull) return
  }
}

const placedOffer = ({ id, moderation, productId, partnerId, categoryId }: OfferDetails): BuyableOffer => ({
  productId,
  offerId: id,
  isModerated: moderation !== null,
  partnerId,
  categoryId,
})

const firstFetch = 60
const fetchGrowth = 8
const maxFetched = 4_000

/** Fills up with popular products, those of the focus category first. */
async function fillWithPopular(
  list: ListBuilder,
  request: RecommendationRequest,
  inputs: FillInputs,
): Promise<void> {
  const { index, focusCategoryId, excluded } = inputs
  const filter = buyableFilter(request)
  const categories =
    focusCategoryId === null || filter.categoryId !== null ? [filter.categoryId] : [focusCategoryId, null]
  for (const categoryId of categories)
    for (let count = firstFetch; count <= maxFetched && !list.isFull; count *= fetchGrowth) {
      const limit = count + excluded.size + list.size
      const popular = await index.popularProducts({ ...filter, categoryId, limit })
      takeBuyable(list, popular, inputs)
      if (popular.length < limit) break
    }
}

/** By offer; undefined for one that cannot be bought: the product index may lag behind the database. */
async function loadOfferDetails(
  read: Reader,
  offers: readonly BuyableOffer[],
  request: RecommendationRequest,
): Promise<(OfferDetails | undefined)[]> {
  const ids: Record<'ordinary' | 'moderated', number[]> = { ordinary: [], moderated: [] }
  for (const { isModerated, offerId } of offers) ids[isModerated ? 'moderated' : 'ordinary'].push(offerId)
  const [ordinary, moderated] = await Promise.all([
    findOffers(read, ids.ordinary),
    ids.moderated.length > 0 ? findModeratedOffers(read, ids.moderated) : undefined,
  ])
  return offers.map(({ isModerated, offerId }) => {
    const details = (isModerated ? moderated! : ordinary).get(offerId)
    return details && isBuyable(details, request) ? details : undefined
  })
}

const isBuyable = (it: OfferDetails, { region }: RecommendationRequest): boolean =>
  it.quantity > 0 &&
  it.isVisible &&
  it.isActive &&
  it.regions.includes(region) &&
  (it.moderation === null || it.moderation.status === 'approved')

const maxPerPartner = 10
/** An unknown buyer sees the breadth of the shop. */
const maxPerCategory = { known: 12, unknown: 3 }

/** A list under construction. Offers over a limit are deferred and used only when nothing else is left. */
export class ListBuilder {
  readonly #limit: number
  /** A page about one category or product has no category limit. */
  readonly #maxPerCategory: number
  readonly #trace: Trace | undefined
  readonly #products: Set<number>
  readonly #partners = new Map<number, number>()
  readonly #categories = new Map<number, number>()
  readonly #accepted: BuyableOffer[] = []
  readonly #deferred: BuyableOffer[] = []

  constructor(
    { limit, categoryId, layer }: RecommendationRequest,
    trace: Trace | undefined,
    { buyer, without }: { buyer: 'known' | 'unknown'; without: ReadonlySet<number> },
  ) {
    this.#products = new Set(without)
    this.#limit = limit
    this.#maxPerCategory = categoryId === null && layer === 'main_page' ? maxPerCategory[buyer] : Infinity
    this.#trace = trace
  }

  get isFull(): boolean {
    return this.#accepted.length >= this.#limit
  }

  /** How many products were added, accepted or deferred, or must not be. */
  get size(): number {
    return this.#products.size
  }

  has(productId: number): boolean {
    return this.#products.has(productId)
  }

  add(offer: BuyableOffer): void {
    if (this.#products.has(offer.productId)) return
    this.#products.add(offer.productId)
    const partner = this.#partners.get(offer.partnerId) ?? 0
    const category = this.#categories.get(offer.categoryId) ?? 0
    if (partner >= maxPerPartner || category >= this.#maxPerCategory) {
      this.#deferred.push(offer)
      this.#trace?.exclude([offer.productId], partner >= maxPerPartner ? 'partner_limit' : 'category_limit')
      return
    }
    this.#partners.set(offer.partnerId, partner + 1)
    this.#categories.set(offer.categoryId, category + 1)
    this.#accepted.push(offer)
  }

  offers(): BuyableOffer[] {
    return [...this.#accepted, ...this.#deferred].slice(0, this.#limit)
  }
}
