import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Basket, entryFrom, openBasket, withLines } from './basket.ts'
import { type Cart, isSameOffer, keyOf, type Wish, withUnits } from './cart.ts'
import { itemAdded } from './facts.ts'
import { reservedUntil } from './reservation.ts'
import { brokenRules, refuseIf } from './rules.ts'
import type { Shopper } from './shopper.ts'
import { saveLine } from './store/items.ts'

/** Puts units of offers into the buyer's cart, opening it on first use. All wishes are granted, or none. */
export async function addItems(
  tx: Tx,
  shopper: Shopper,
  { wishes, ifMatch }: { wishes: readonly Wish[]; ifMatch?: number | undefined },
): Promise<Basket<Cart>> {
  const about = [...new Map(wishes.map((it) => [keyOf(it), it])).values()]
  const before = await openBasket(tx, shopper, { about, ifMatch })
  const { sheets } = before.shelf
  if (about.some((it) => !sheets.has(keyOf(it)))) throw refuse('not_found')

  const lines = wishes.reduce((so, wish) => {
    const { priceTiyin } = sheets.get(keyOf(wish))!
    return withUnits(so, wish, { priceTiyin, now: tx.now })
  }, before.cart.lines)
  const wanted = withLines(before, lines)
  const grown = about.map((it) =>
    entryFrom(
      before.shelf,
      lines.find((line) => isSameOffer(line, it))!,
    ),
  )
  refuseIf(brokenRules(wanted.purchase, { entries: grown, grown }))

  const after = withLines(
    wanted,
    grown.reduce((so, entry) => {
      const until = reservedUntil(entry, { buyer: shopper.buyer, lines: so, now: tx.now })
      return so.map((it) => (isSameOffer(it, entry.line) ? { ...it, reservedUntil: until } : it))
    }, lines),
  )
  for (const it of after.cart.lines)
    if (about.some((key) => isSameOffer(key, it))) saveLine(tx, after.cart.id, it)
  const facts = wishes.map((it) => itemAdded(after.cart.id, it, tx.now))
  await publishAll(tx, facts)
  return after
}
