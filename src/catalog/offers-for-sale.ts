// The door for those who sell and recommend: offers as they are now, or as this process last knew them.

import type { Reader, Tx } from '../base/db.ts'
import { isShown } from './goods.ts'
import { moderatedOfferMemory, moderatedOfProductMemory, offerMemory, type OfferSheet } from './sheets.ts'
import * as store from './store/sheets.ts'

export type Offers = Map<number, OfferSheet>

/** Offers as they stand in this very transaction, for judging and selling. Unknown ids are left out. */
export const offersForSale = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : store.loadOfferSheets(tx, ids)

export const moderatedOffersForSale = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : store.loadModeratedSheets(tx, ids)

/** Offers for showing: at most a second old. */
export const offersShown = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  read.recall(offerMemory, ids, (missing) => store.loadOfferSheets(read, missing))

export const moderatedOffersShown = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  read.recall(moderatedOfferMemory, ids, (missing) => store.loadModeratedSheets(read, missing))

/** The moderated offers of products that have been approved; products without any are left out. */
export async function approvedOffersOf(
  read: Reader,
  productIds: readonly number[],
): Promise<Map<number, OfferSheet[]>> {
  const found = await read.recall(moderatedOfProductMemory, productIds, async (missing) => {
    const offers = await store.loadModeratedSheetsOf(read, missing)
    return new Map(
      missing.map((productId) => [productId, { productId, offers: offers.get(productId) ?? [] }]),
    )
  })
  return new Map(
    [...found.values()]
      .map(({ productId, offers }): [number, OfferSheet[]] => [
        productId,
        offers.filter((it) => it.moderation?.status === 'approved' && isShown(it)),
      ])
      .filter(([, offers]) => offers.length > 0),
  )
}

/** Moderated offers by their other names, the UUIDs. */
export const moderatedOffersByUuid = (read: Reader, uuids: readonly string[]): Promise<Offers> =>
  store.loadModeratedSheetsByUuid(read, uuids)

const none: Promise<Offers> = Promise.resolve(new Map())
