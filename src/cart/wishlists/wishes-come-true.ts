// Wishes that can be had after all, or for less: what somebody who wrote them down would like to hear.

import type { Reader } from '../../base/db.ts'
import type { OfferSheet } from '../../catalog/index.ts'
import { shownSheets } from '../basket.ts'
import { keyOf, type LineKey } from '../cart.ts'
import { isForSale, isPending } from '../purchase.ts'
import { type ClientsWish, wishesOfClients } from '../store/clients.ts'

export interface TrueWish extends ClientsWish {
  offer: OfferSheet
}

/** What makes a wish come true: a price lowered by so many percent, or stock where there was none. */
export type Turn = { kind: 'cheaper'; percent: number } | { kind: 'back' }

/** Each may have hundreds of wishes, and all of them are looked at. */
const clientsAtOnce = 100

/** Of all that these clients wish for, what can be bought now and has taken the turn. */
export async function wishesComeTrue(
  read: Reader,
  clientIds: readonly number[],
  turn: Turn,
): Promise<TrueWish[]> {
  const found: TrueWish[] = []
  for (let begin = 0; begin < clientIds.length; begin += clientsAtOnce)
    found.push(...(await comeTrue(read, clientIds.slice(begin, begin + clientsAtOnce), turn)))
  return found
}

async function comeTrue(read: Reader, clientIds: readonly number[], turn: Turn): Promise<TrueWish[]> {
  const wishes = await wishesOfClients(read, clientIds, turn.kind === 'back' ? 'in vain' : 'all')
  const sheets = await shownSheets(read, distinct(wishes))
  return wishes.flatMap((wish) => {
    const offer = sheets.get(keyOf(wish))
    return canBeHad(offer) && hasTurned(wish, offer, turn) ? [{ ...wish, offer }] : []
  })
}

/** Whether one unit could be bought now, by whoever comes first. */
export const canBeHad = (offer: OfferSheet | undefined): offer is OfferSheet =>
  isForSale(offer) && !isPending(offer) && offer.quantity > 0

const hasTurned = (wish: ClientsWish, offer: OfferSheet, turn: Turn): boolean =>
  turn.kind === 'back' || offer.priceTiyin * 100 <= wish.priceAtAddTiyin * (100 - turn.percent)

const distinct = (keys: readonly LineKey[]): LineKey[] => [
  ...new Map(keys.map((it) => [keyOf(it), it])).values(),
]
