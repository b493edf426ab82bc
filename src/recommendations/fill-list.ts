// From products in an order to offers on a page, by the shop's rules and its live state: nothing that this buyer cannot
// buy, one offer of a product, not too much of one partner or category while there is anything else.

import type { Reader } from '../base/db.ts'
import {
  moderatedOffersShown,
  type OfferSheet,
  offersShown,
  type Shelves,
  type StallOffer,
  type Stalls,
} from '../catalog/index.ts'
import { type Ask, buyingOf } from './ask.ts'
import { List } from './list.ts'
import type { Rule, Trace } from './trace.ts'

export interface Filling {
  goods: Shelves
  stalls: Stalls
  /** Products that must not appear, whoever proposes them. */
  unwanted: ReadonlyMap<number, Rule>
  /** The category that the page or the buyer is most about, to fill up from. */
  leaning: number | null
  trace: Trace | undefined
}

export async function fillList(
  read: Reader,
  asked: Ask,
  ordered: readonly number[],
  filling: Filling,
): Promise<OfferSheet[]> {
  const list = new List(asked, filling.trace)
  const shown = new Map<number, OfferSheet>()
  const rest = ordered[Symbol.iterator]()
  for (;;) {
    take(list, rest, filling)
    if (!list.isFull) await fillUp(list, asked, filling)
    const offers = list.offers()
    const unseen = offers.filter((it) => !shown.has(it.productId))
    for (const [id, sheet] of await sheetsOf(read, unseen, asked)) shown.set(id, sheet)
    const gone = unseen.filter((it) => !shown.has(it.productId))
    if (gone.length === 0) return offers.map((it) => shown.get(it.productId)!)
    for (const it of gone) list.drop(it)
    filling.trace?.removed(
      gone.map((it) => it.productId),
      () => 'sold_out',
    )
  }
}

/** Takes products into the list as far as they can be bought and there is room. */
function take(list: List, products: Iterable<number>, { stalls, unwanted }: Filling): void {
  for (const id of products) {
    if (!list.has(id) && !unwanted.has(id)) {
      const slot = stalls.slotOf(id)
      if (slot >= 0 && stalls.sells(slot)) list.add(stalls.offerAt(slot))
    }
    // Asked at the end: what comes after the last one that was taken is not lost.
    if (list.isFull) return
  }
}

const firstLook = 60
const widerEachTime = 8
const mostLookedAt = 4_000

/** What is popular, near what the page is about first; then what was held back. */
async function fillUp(list: List, asked: Ask, filling: Filling): Promise<void> {
  const { goods, leaning, unwanted } = filling
  const buying = buyingOf(asked)
  const leanings = leaning === null || buying.categoryId !== null ? [buying.categoryId] : [leaning, null]
  for (const categoryId of leanings)
    for (let look = firstLook; look <= mostLookedAt && !list.isFull; look *= widerEachTime) {
      const limit = look + unwanted.size + list.size
      const popular = await goods.popularProducts({ ...buying, categoryId, limit })
      take(list, popular, filling)
      if (popular.length < limit) break
    }
}

/** By product, as they are this moment, and only what can be bought: what the shelf knows of them may be a moment old. */
async function sheetsOf(
  read: Reader,
  offers: readonly StallOffer[],
  asked: Ask,
): Promise<Map<number, OfferSheet>> {
  const idsOf = (areModerated: boolean) =>
    offers.filter((it) => it.isModerated === areModerated).map((it) => it.offerId)
  const moderatedIds = idsOf(true)
  const [ordinary, sentIn] = await Promise.all([
    offersShown(read, idsOf(false)),
    moderatedIds.length > 0 ? moderatedOffersShown(read, moderatedIds) : undefined,
  ])
  const sheets = new Map<number, OfferSheet>()
  for (const { isModerated, offerId, productId } of offers) {
    const sheet = (isModerated ? sentIn! : ordinary).get(offerId)
    if (sheet && isBuyable(sheet, asked)) sheets.set(productId, sheet)
  }
  return sheets
}

const isBuyable = (it: OfferSheet, { region }: Ask): boolean =>
  it.quantity > 0 &&
  it.isVisible &&
  it.isActive &&
  it.regions.includes(region) &&
  (it.moderation === null || it.moderation.status === 'approved')
