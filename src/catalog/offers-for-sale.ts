// The door for those who sell and recommend: offers as they are now, or as this process last knew them; at the prices
// of the caller's instant.

import type { Reader, Tx } from '../base/db.ts'
import { calendarNow, seasonNow, seasonOfPage } from './promotions/season-now.ts'
import { offersInSeason } from './promotions/sheets-in-season.ts'
import { type ListedOffer, moderatedOfferMemory, offerMemory, type OfferSheet } from './sheets.ts'
import * as store from './store/sheets.ts'

export type Offers = Map<number, OfferSheet>

/** Offers of both kinds, by their ids. */
export interface WantedOffers {
  ordinaryIds: readonly number[]
  moderatedIds: readonly number[]
}

export interface OffersForSale {
  ordinary: Offers
  moderated: Offers
}

/** Offers as they stand in this very transaction, for judging and selling. Unknown ids are left out. */
export const offersForSale = (tx: Tx, { ordinaryIds, moderatedIds }: WantedOffers): Promise<OffersForSale> =>
  sold(tx, [
    ordinaryIds.length > 0 ? store.loadOfferSheets(tx, ordinaryIds) : none,
    moderatedIds.length > 0 ? store.loadModeratedSheets(tx, moderatedIds) : none,
  ])

/**
 * The same, and held for this transaction, ordinary ones first, in the order of their ids: until it ends, nobody else
 * sells them, takes them off sale or gives them another price.
 */
export const offersHeld = (tx: Tx, { ordinaryIds, moderatedIds }: WantedOffers): Promise<OffersForSale> =>
  sold(tx, [
    ordinaryIds.length > 0 ? store.holdOfferSheets(tx, ordinaryIds) : none,
    moderatedIds.length > 0 ? store.holdModeratedSheets(tx, moderatedIds) : none,
  ])

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

type Listed = Promise<Map<number, ListedOffer>>

const none: Listed = Promise.resolve(new Map())

async function shown(read: Reader, listed: Listed): Promise<Offers> {
  const [offers, season] = await Promise.all([listed, seasonNow(read)])
  return offersInSeason(offers, season)
}

/**
 * The promotions that this process remembers are good if no page was turned since. Where one was turned between two
 * statements, all offers are sold by the later one: nobody buys half before a promotion and half in it.
 */
async function sold(tx: Tx, listed: [Listed, Listed]): Promise<OffersForSale> {
  if (listed.every((it) => it === none)) return { ordinary: new Map(), moderated: new Map() }
  const [ordinary, moderated, calendar] = await Promise.all([...listed, calendarNow(tx)])
  const pages = [...ordinary.values(), ...moderated.values()].map((it) => it.bookPage)
  const season = await seasonOfPage(tx, calendar, Math.max(...pages, calendar.page))
  return { ordinary: offersInSeason(ordinary, season), moderated: offersInSeason(moderated, season) }
}
