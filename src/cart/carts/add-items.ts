import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { type OfferDetails, openConditions } from '../../catalog/index.ts'
import {
  type AddItem,
  addUnits,
  type Cart,
  findLine,
  isSameOffer,
  keyOf,
  noCartFields,
  type PricedCart,
  reservedUntil,
  withLines,
} from './cart.ts'
import { itemAdded } from './events.ts'
import { lockOrCreateCart, priceLines, readOffers } from './load-cart.ts'
import { type LeftLine, nothingOrderable, splitAddable } from './order-rules.ts'
import { brokenRules, refuseIf, offerNotFound, violated } from './rules.ts'
import type { Shopper } from './shopper.ts'
import { saveLine } from './store.ts'
import type { IfMatch } from '../../http/version.ts'

/** Adds units of offers to the buyer's cart, which is created on first use. Either all items are added or none. */
export async function addItems(
  tx: Tx,
  shopper: Shopper,
  { items, ifMatch }: { items: readonly AddItem[]; ifMatch?: IfMatch | undefined },
): Promise<PricedCart<Cart>> {
  const about = [...new Map(items.map((it) => [keyOf(it), it])).values()]
  const before = await lockOrCreateCart(tx, shopper, { about, ifMatch })
  const { details } = before.offers
  const position = items.findIndex((it) => !details.has(keyOf(it)))
  if (position >= 0) throw offerNotFound(items[position]!, items.length > 1 ? { position } : {})

  const lines = items.reduce((so, item) => {
    const { priceTiyin } = details.get(keyOf(item))!
    return addUnits(so, item, { priceTiyin, now: tx.now })
  }, before.cart.lines)
  const wanted = withLines(before, lines)
  const grown = about.map((it) => findLine(wanted, it)!)
  refuseIf(brokenRules(wanted, { changed: grown, grown }))

  const after = withLines(
    wanted,
    grown.reduce((so, { line, ...priced }) => {
      const until = reservedUntil({ line, ...priced }, { buyer: shopper.buyer, lines: so, now: tx.now })
      return so.map((it) => (isSameOffer(it, line) ? { ...it, reservedUntil: until } : it))
    }, lines),
  )
  for (const it of after.cart.lines)
    if (about.some((key) => isSameOffer(key, it))) saveLine(tx, after.cart.id, it)
  publishAll(
    tx,
    items.map((it) => itemAdded(after.cart.id, it, tx.now)),
  )
  return after
}

/**
 * Of items to be added, those that can be bought now, without loan conditions that cannot be chosen now; the others are left
 * out with the reason. Refuses when none can. Shared carts and cancelled orders, whose items were chosen earlier, use it.
 */
export async function splitItems(
  tx: Tx,
  shopper: Shopper,
  items: readonly AddItem[],
): Promise<{ items: AddItem[]; left: LeftLine[] }> {
  const fresh = await readOffers(tx, items)
  const at = { priceAtAddTiyin: 0, addedAt: tx.now, updatedAt: tx.now }
  const lines = items.map(({ isModerated, offerId, quantity }) => ({
    ...noCartFields,
    isModerated,
    offerId,
    quantity,
    ...at,
  }))
  const priced = await priceLines(tx, shopper, { lines, fresh })
  const { added, left } = splitAddable(priced.lines)
  if (added.length === 0) throw violated(nothingOrderable(left))
  const offers = new Map(added.map((it) => [keyOf(it.line), it.offer]))
  return {
    items: items.flatMap((it) => {
      const offer = offers.get(keyOf(it))
      return offer ? [withOpenCondition(it, offer)] : []
    }),
    left,
  }
}

const withOpenCondition = (item: AddItem, offer: OfferDetails): AddItem =>
  openConditions(offer).some((it) => it.id === item.loanConditionId)
    ? item
    : { ...item, loanConditionId: undefined }
