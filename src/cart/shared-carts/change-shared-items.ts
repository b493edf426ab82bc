import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { freshSheets } from '../basket.ts'
import { isSameOffer, keyOf, type LineKey, type Wish } from '../cart.ts'
import { judgedLines } from '../judge-lines.ts'
import { refuseIf } from '../rules.ts'
import type { Shopper } from '../shopper.ts'
import * as store from '../store/shared-carts.ts'
import { sharedCartItemChanged } from './facts.ts'
import { changed, type Held, holdSharedCart, type Which } from './hold-shared-cart.ts'
import { brokenWhenShared, nameOf, type SharedLine } from './shared-cart.ts'

/** Puts units of an offer into a shared cart, to those that the member has put there already. */
export async function addSharedItem(
  tx: Tx,
  shopper: Shopper,
  { wish, ...which }: Which & { wish: Wish },
): Promise<Held> {
  const held = await holdSharedCart(tx, shopper.buyer, which)
  const own = lineIn(held, wish, held.member.place)
  const line: SharedLine = {
    isModerated: wish.isModerated,
    offerId: wish.offerId,
    place: held.member.place,
    quantity: wish.quantity + (own?.quantity ?? 0),
    loanConditionId: null,
    priceAtAddTiyin: 0,
    addedAt: own?.addedAt ?? tx.now,
    updatedAt: tx.now,
    reservedUntil: null,
  }
  return withGrown(tx, shopper, { held, line })
}

interface Chosen extends Which {
  key: LineKey
  /** Whose line, as the view names him: a member has his own, the creator any. */
  addedBy: number | string | undefined
}

/** Sets how many units of an offer a member wants. */
export async function changeSharedItem(
  tx: Tx,
  shopper: Shopper,
  { quantity, ...chosen }: Chosen & { quantity: number },
): Promise<Held> {
  const held = await holdSharedCart(tx, shopper.buyer, chosen)
  const line = chosenLine(held, chosen)
  if (quantity === line.quantity) return held
  const after = { ...line, quantity, updatedAt: tx.now }
  if (quantity > line.quantity) return withGrown(tx, shopper, { held, line: after })
  return saved(tx, shopper, { held, line: after })
}

/** Takes a line out of a shared cart; refuses when it is not in it. */
export async function removeSharedItem(tx: Tx, shopper: Shopper, chosen: Chosen): Promise<Held> {
  const held = await holdSharedCart(tx, shopper.buyer, chosen)
  const line = chosenLine(held, chosen)
  const cart = changed({ ...held.cart, lines: held.cart.lines.filter((it) => it !== line) }, tx.now)
  store.deleteSharedLine(tx, cart.id, line)
  store.touchSharedCart(tx, cart)
  await publish(tx, sharedCartItemChanged(cart.id, shopper.buyer, { line, quantity: 0, now: tx.now }))
  return { cart, member: held.member }
}

const lineIn = ({ cart }: Held, key: LineKey, place: number): SharedLine | undefined =>
  cart.lines.find((it) => it.place === place && isSameOffer(it, key))

/** The line that a call means. Another's is as absent to a participant as one that never was. */
function chosenLine(held: Held, { key, addedBy }: Pick<Chosen, 'key' | 'addedBy'>): SharedLine {
  const { cart, member } = held
  const owner =
    addedBy === undefined ? member : cart.members.find((it) => String(nameOf(it)) === String(addedBy))
  const mayTouch = owner && (owner.place === member.place || member.place === 0)
  const line = mayTouch ? lineIn(held, key, owner.place) : undefined
  if (!line) throw refuse('not_found')
  return line
}

/** Saves a line that has grown, if the offer has the units and may be sold. */
async function withGrown(
  tx: Tx,
  shopper: Shopper,
  { held, line }: { held: Held; line: SharedLine },
): Promise<Held> {
  const fresh = await freshSheets(tx, [line])
  const offer = fresh.get(keyOf(line))
  if (!offer) throw refuse('not_found')
  const priced = { ...line, priceAtAddTiyin: offer.priceTiyin }
  const purchase = await judgedLines(tx, shopper, { lines: withLine(held, priced), fresh })
  refuseIf(brokenWhenShared(purchase, [priced]))
  return saved(tx, shopper, { held, line: priced })
}

function withLine({ cart }: Held, line: SharedLine): SharedLine[] {
  const at = cart.lines.findIndex((it) => it.place === line.place && isSameOffer(it, line))
  return at < 0 ? [...cart.lines, line] : cart.lines.with(at, line)
}

async function saved(
  tx: Tx,
  shopper: Shopper,
  { held, line }: { held: Held; line: SharedLine },
): Promise<Held> {
  const cart = changed({ ...held.cart, lines: withLine(held, line) }, tx.now)
  store.saveSharedLines(tx, cart.id, [line])
  store.touchSharedCart(tx, cart)
  const { quantity } = line
  await publish(tx, sharedCartItemChanged(cart.id, shopper.buyer, { line, quantity, now: tx.now }))
  return { cart, member: held.member }
}
