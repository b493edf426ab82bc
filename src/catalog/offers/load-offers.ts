// Offers for sales (uncached, perhaps locked) and for display (cached), at the prices of the caller's instant.

import * as store from './store.ts'
import type { Reader, Tx } from '../../base/database.ts'
import type { Event } from '../../events.ts'
import { currentSchedule, currentWindow, windowOfVersion } from '../promotions/current-schedule.ts'
import { priceOffers } from '../promotions/price-details.ts'
import { moderatedOfferCache, type OfferDetails, offerCache, type UsualOffer } from './offer-details.ts'
import { changeEntity } from '../entities/edit-entities.ts'
import type { Offer } from '../entities/entities.ts'
import { offerKind } from '../entities/entity-kinds.ts'

export type Offers = Map<number, OfferDetails>

/** Ids of ordinary and moderated offers. */
export interface OfferIds {
  ordinaryIds: readonly number[]
  moderatedIds: readonly number[]
}

export interface LoadedOffers {
  ordinary: Offers
  moderated: Offers
}

/** Offers as this transaction sees them, for checks and sales. Unknown ids are left out. */
export const loadOffers = (tx: Tx, { ordinaryIds, moderatedIds }: OfferIds): Promise<LoadedOffers> =>
  pricedForSale(tx, [
    ordinaryIds.length > 0 ? store.loadOfferDetails(tx, ordinaryIds) : none,
    moderatedIds.length > 0 ? store.loadModeratedDetails(tx, moderatedIds) : none,
  ])

/**
 * The same, locked until the transaction ends: ordinary offers first, in the order of their ids. No other transaction can
 * sell, deactivate or reprice them meanwhile.
 */
export const lockOffers = (tx: Tx, { ordinaryIds, moderatedIds }: OfferIds): Promise<LoadedOffers> =>
  pricedForSale(tx, [
    ordinaryIds.length > 0 ? store.lockOfferDetails(tx, ordinaryIds) : none,
    moderatedIds.length > 0 ? store.lockModeratedDetails(tx, moderatedIds) : none,
  ])

/** Offers for display, from the cache: at most a second old. */
export const findOffers = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  pricedForDisplay(
    read,
    read.cached(offerCache, ids, (missing) => store.loadOfferDetails(read, missing)),
  )

export const findModeratedOffers = (read: Reader, ids: readonly number[]): Promise<Offers> =>
  pricedForDisplay(
    read,
    read.cached(moderatedOfferCache, ids, (missing) => store.loadModeratedDetails(read, missing)),
  )

export const findModeratedOffersByUuid = (read: Reader, uuids: readonly string[]): Promise<Offers> =>
  pricedForDisplay(read, store.loadModeratedDetailsByUuid(read, uuids))

type Listed = Promise<Map<number, UsualOffer>>

const none: Listed = Promise.resolve(new Map())

async function pricedForDisplay(read: Reader, listed: Listed): Promise<Offers> {
  const [offers, window] = await Promise.all([listed, currentWindow(read)])
  return priceOffers(offers, window)
}

/**
 * The cached schedule is used if its version is still current. When the version changed between two statements, all offers
 * are priced by the later one, so that an order never mixes prices of two versions.
 */
async function pricedForSale(tx: Tx, listed: [Listed, Listed]): Promise<LoadedOffers> {
  if (listed.every((it) => it === none)) return { ordinary: new Map(), moderated: new Map() }
  const [ordinary, moderated, schedule] = await Promise.all([...listed, currentSchedule(tx)])
  const pages = [...ordinary.values(), ...moderated.values()].map((it) => it.scheduleVersion)
  const window = await windowOfVersion(tx, schedule, Math.max(...pages, schedule.version))
  return { ordinary: priceOffers(ordinary, window), moderated: priceOffers(moderated, window) }
}

/** Values of external systems are not set here. */
const { afterSave: _afterSave, ...externalOfferKind } = offerKind

/** What an external system reports about its change; the events of the catalog pass it on. */
export interface ChangeReport {
  /** Why the offer was deactivated; empty when the producer does not say. */
  reason?: string
  activatedAt?: Date
}

/** Applies what an external system reports of an offer; refuses an unknown offer. */
export const changeOffer = (
  tx: Tx,
  id: number,
  { report = {}, ...input }: OfferChange & { report?: ChangeReport },
): Promise<Offer> =>
  changeEntity(
    tx,
    { ...externalOfferKind, events: (change) => offerKind.events(change).map((it) => reported(it, report)) },
    { id, ifMatch: undefined, input: (before) => ({ ...before, ...input }) },
  )

type OfferChange = Partial<Pick<Offer, 'priceTiyin' | 'quantity' | 'isActive'>>

function reported(event: Event, { reason, activatedAt }: ChangeReport): Event {
  if (event.type === 'OfferDeactivated' && reason) return { ...event, reason }
  if (event.type === 'OfferActivated' && activatedAt)
    return { ...event, activatedAt: activatedAt.toISOString() }
  return event
}
