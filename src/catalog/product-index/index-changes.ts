// What events change in the product index.

import type { Event, EventOf } from '../../events.ts'
import type { KnownOffers } from './known-offers.ts'

/** Ids whose products must be read again. */
export interface IndexChanges {
  products: Set<number>
  offers: Set<number>
  moderatedOffers: Set<number>
  brands: Set<number>
  categories: Set<number>
  partners: Set<number>
  /** Codes of attributes. */
  attributes: Set<string>
  /** The popularity of all products was recomputed. */
  popularity: boolean
}

/** All offers in the index. */
export interface IndexedOffers {
  ordinary: KnownOffers
  moderated: KnownOffers
}

export const noChanges = (): IndexChanges => ({
  products: new Set(),
  offers: new Set(),
  moderatedOffers: new Set(),
  brands: new Set(),
  categories: new Set(),
  partners: new Set(),
  attributes: new Set(),
  popularity: false,
})

export const countOf = (it: IndexChanges): number =>
  it.products.size + it.offers.size + it.moderatedOffers.size

export const hasChanges = (it: IndexChanges): boolean =>
  it.popularity ||
  countOf(it) + it.brands.size + it.categories.size + it.partners.size + it.attributes.size > 0

export function mergeChanges(into: IndexChanges, from: IndexChanges): void {
  for (const name of ['products', 'offers', 'moderatedOffers', 'brands', 'categories', 'partners'] as const)
    for (const id of from[name]) into[name].add(id)
  for (const code of from.attributes) into.attributes.add(code)
  into.popularity ||= from.popularity
}

/** Adds what an event changes. A new quantity matters only when an offer sells out or is in stock again. */
export function noteEvent(changes: IndexChanges, event: Event, { ordinary, moderated }: IndexedOffers): void {
  if (event.type === 'PopularityCounted') changes.popularity = true
  else if (event.type === 'OfferQuantityChanged')
    noteQuantity(changes.offers, { id: event.offerId, inStock: event.newQuantity > 0 }, ordinary)
  else if (event.type === 'ModeratedOfferStockChanged')
    noteQuantity(
      changes.moderatedOffers,
      { id: event.moderatedOfferId, inStock: event.newQuantity > 0 },
      moderated,
    )
  else if (/^(ModeratedOffer|ModerationDecided)/.test(event.type))
    noteModerated(changes, event as EventOf<'ModeratedOfferChanged' | 'ModerationDecided'>, moderated)
  else if (event.type === 'BrandChanged') changes.brands.add(event.brandId)
  else if (event.type === 'CategoryChanged') changes.categories.add(event.categoryId)
  else if (event.type === 'AttributeChanged') changes.attributes.add(event.code)
  else if (event.type === 'PartnerChanged') changes.partners.add(event.partnerId)
  else if (/^(Product|Variant|OfferCreated|OfferChanged|OfferDeleted)/.test(event.type)) {
    const { productId, offerId = 0 } = event as { productId: number; offerId?: number }
    changes.products.add(productId)
    // The offer may have moved from another product, which must be read again too.
    const known = ordinary.productOf(offerId)
    if (known !== undefined) changes.products.add(known)
    if (event.type === 'OfferDeleted') ordinary.delete(offerId)
  } else if (event.type.startsWith('Offer')) changes.offers.add((event as { offerId: number }).offerId)
}

function noteModerated(
  changes: IndexChanges,
  event: EventOf<'ModeratedOfferChanged' | 'ModerationDecided'>,
  moderated: KnownOffers,
): void {
  const { moderatedOfferId: id } = event
  // The offer may have moved from another product, or be deleted.
  const known = moderated.productOf(id)
  if (known !== undefined) changes.products.add(known)
  if (!('productId' in event)) return void changes.moderatedOffers.add(id)
  changes.products.add(event.productId)
  // A save changes quantities without an event of the stock.
  if (known !== undefined) moderated.set(id, { productId: known, inStock: undefined })
}

function noteQuantity(
  changed: Set<number>,
  { id, inStock }: { id: number; inStock: boolean },
  offers: KnownOffers,
): void {
  if (offers.isInStock(id) === inStock) return
  changed.add(id)
  // The next change is compared with this one, also while the product is still being read.
  const productId = offers.productOf(id)
  if (productId !== undefined) offers.set(id, { productId, inStock })
}

/**
 * Notes an offer that was read. One that has changed again since its read began keeps the stock of the latest event: the next
 * changes are compared with that, and what was read may be older. Without such an event its stock stays unknown, so that the
 * next quantity counts as a change.
 */
export function noteRead(
  changedSince: ReadonlySet<number>,
  offers: KnownOffers,
  { id, productId, quantity }: { id: number; productId: number; quantity: number },
): void {
  offers.set(id, { productId, inStock: changedSince.has(id) ? offers.isInStock(id) : quantity > 0 })
}
