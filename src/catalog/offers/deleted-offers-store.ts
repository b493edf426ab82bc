// What is still shown of deleted offers: carts, wishlists and shared carts keep their lines.

import type { Reader, Tx } from '../../base/database.ts'
import type { OfferDetails } from './offer-details.ts'
import { loadModeratedDetails, loadOfferDetails } from './store.ts'

/** Name and pictures of an offer that was deleted. */
export type DeletedOffer = Pick<
  OfferDetails,
  'name' | 'images' | 'product' | 'path' | 'productId' | 'variantId'
> &
  // Rows from before it was stored lack it.
  Partial<Pick<OfferDetails, 'variantColour'>>

/** Stores what is shown of an offer that is about to be deleted. */
export async function keepDeletedOffer(tx: Tx, kind: 'offer' | 'moderated', offerId: number): Promise<void> {
  const load = kind === 'moderated' ? loadModeratedDetails : loadOfferDetails
  const offer = (await load(tx, [offerId])).get(offerId)
  if (!offer) return
  const { name, images, product, path, productId, variantId, variantColour } = offer
  const kept: DeletedOffer = { name, images, product, path, productId, variantId, variantColour }
  tx.later(
    `insert into catalog_deleted_offers (is_moderated, offer_id, details, deleted_at) values ($1, $2, $3, $4)
     on conflict (is_moderated, offer_id) do update set details = excluded.details, deleted_at = excluded.deleted_at`,
    [kind === 'moderated', offerId, JSON.stringify(kept), tx.now],
  )
}

export interface DeletedOfferRow {
  isModerated: boolean
  offerId: number
  details: DeletedOffer
}

/** The deleted ones of these offers; unknown ids are left out. */
export const findDeletedOffers = (
  read: Reader,
  { ordinaryIds, moderatedIds }: { ordinaryIds: readonly number[]; moderatedIds: readonly number[] },
): Promise<DeletedOfferRow[]> =>
  read.all<DeletedOfferRow>(
    `select is_moderated as "isModerated", offer_id as "offerId", details from catalog_deleted_offers
     where (not is_moderated and offer_id = any($1::int8[])) or (is_moderated and offer_id = any($2::int8[]))`,
    [ordinaryIds, moderatedIds],
  )
