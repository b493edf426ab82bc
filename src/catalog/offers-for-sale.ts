// The door for those who sell and recommend: offers as they are now, or as this process last knew them.

import type { Reader, Tx } from '../base/db.ts'
import { moderatedOfferMemory, offerMemory, type OfferSheet } from './sheets.ts'
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

/** Moderated offers by their other names, the UUIDs. */
export const moderatedOffersByUuid = (read: Reader, uuids: readonly string[]): Promise<Offers> =>
  store.loadModeratedSheetsByUuid(read, uuids)

const none: Promise<Offers> = Promise.resolve(new Map())
