// The door for those who sell and recommend: offers as they are now, or as this process last knew them; at the prices
// of the caller's instant.

import type { Reader, Tx } from '../base/db.ts'
import { calendarNow, seasonNow, seasonOfPage } from './promotions/season-now.ts'
import { offersInSeason } from './promotions/sheets-in-season.ts'
import { type ListedOffer, moderatedOfferMemory, offerMemory, type OfferSheet } from './sheets.ts'
import * as store from './store/sheets.ts'

export type Offers = Map<number, OfferSheet>

/** Offers as they stand in this very transaction, for judging and selling. Unknown ids are left out. */
export const offersForSale = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : sold(tx, store.loadOfferSheets(tx, ids))

export const moderatedOffersForSale = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : sold(tx, store.loadModeratedSheets(tx, ids))

/**
 * The same, and held for this transaction in the order of their ids: until it ends, nobody else sells them, takes them
 * off sale or gives them another price. Whoever holds ordinary and moderated offers holds the ordinary ones first.
 */
export const offersHeld = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : sold(tx, store.holdOfferSheets(tx, ids))

export const moderatedOffersHeld = (tx: Tx, ids: readonly number[]): Promise<Offers> =>
  ids.length === 0 ? none : sold(tx, store.holdModeratedSheets(tx, ids))

/** Offers for showing: at most a second old. */
export const offersShown = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  shown(
    read,
    read.recall(offerMemory, ids, (missing) => store.loadOfferSheets(read, missing)),
  )

export const moderatedOffersShown = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  shown(
    read,
    read.recall(moderatedOfferMemory, ids, (missing) => store.loadModeratedSheets(read, missing)),
  )

/** Moderated offers by their other names, the UUIDs. */
export const moderatedOffersByUuid = (read: Reader, uuids: readonly string[]): Promise<Offers> =>
  shown(read, store.loadModeratedSheetsByUuid(read, uuids))

const none: Promise<Offers> = Promise.resolve(new Map())

type Listed = Promise<Map<number, ListedOffer>>

async function shown(read: Reader, listed: Listed): Promise<Offers> {
  const [offers, season] = await Promise.all([listed, seasonNow(read)])
  return offersInSeason(offers, season)
}

/** The promotions that this process remembers are good if no page was turned since. */
async function sold(tx: Tx, listed: Listed): Promise<Offers> {
  const [offers, calendar] = await Promise.all([listed, calendarNow(tx)])
  const [first] = offers.values()
  return first ? offersInSeason(offers, await seasonOfPage(tx, calendar, first.bookPage)) : offers
}
