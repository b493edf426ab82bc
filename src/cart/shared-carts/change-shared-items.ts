import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { readOffers, priceLines } from '../carts/load-cart.ts'
import { isSameOffer, keyOf, type LineKey, type AddItem, noCartFields } from '../carts/cart.ts'
import { refuseIf, offerNotFound } from '../carts/rules.ts'
import type { Shopper } from '../carts/shopper.ts'
import * as store from './store.ts'
import { sharedCartItemChanged } from './events.ts'
import { withNewVersion, type MemberAccess, lockForMember, type Which } from './manage-shared-cart.ts'
import { brokenWhenShared, nameOf, type SharedLine } from './shared-cart.ts'

/** Adds units of an offer to the member's line in a shared cart. */
export async function addSharedItem(
  tx: Tx,
  shopper: Shopper,
  { item, ...which }: Which & { item: AddItem },
): Promise<MemberAccess> {
  const held = await lockForMember(tx, shopper.buyer, which)
  const own = lineIn(held, item, held.member.place)
  const line: SharedLine = {
    ...noCartFields,
    isModerated: item.isModerated,
    offerId: item.offerId,
    place: held.member.place,
    quantity: item.quantity + (own?.quantity ?? 0),
    priceAtAddTiyin: 0,
    addedAt: own?.addedAt ?? tx.now,
    updatedAt: tx.now,
  }
  return saveGrownLine(tx, shopper, { held, line })
}

interface Chosen extends Which {
  key: LineKey
  /** Owner of the line, as named in the view. Members may change only their own lines, the creator any line. */
  addedBy: number | string | undefined
}

/** Sets the quantity of a member's line. */
export async function changeSharedItem(
  tx: Tx,
  shopper: Shopper,
  { quantity, ...chosen }: Chosen & { quantity: number },
): Promise<MemberAccess> {
  const held = await lockForMember(tx, shopper.buyer, chosen)
  const line = chosenLine(held, chosen)
  if (quantity === line.quantity) return held
  const after = { ...line, quantity, updatedAt: tx.now }
  if (quantity > line.quantity) return saveGrownLine(tx, shopper, { held, line: after })
  return saveLine(tx, shopper, { held, line: after })
}

/** Removes a line from a shared cart; refuses when it is not in it. */
export async function removeSharedItem(tx: Tx, shopper: Shopper, chosen: Chosen): Promise<MemberAccess> {
  const held = await lockForMember(tx, shopper.buyer, chosen)
  const line = chosenLine(held, chosen)
  const cart = withNewVersion({ ...held.cart, lines: held.cart.lines.filter((it) => it !== line) }, tx.now)
  store.deleteSharedLine(tx, cart.id, line)
  store.touchSharedCart(tx, cart)
  publish(tx, sharedCartItemChanged(cart.id, shopper.buyer, { line, quantity: 0, now: tx.now }))
  return { cart, member: held.member }
}

const lineIn = ({ cart }: MemberAccess, key: LineKey, place: number): SharedLine | undefined =>
  cart.lines.find((it) => it.place === place && isSameOffer(it, key))

/** The line that a request names. Lines of other members are `not_found` for a participant. */
function chosenLine(held: MemberAccess, { key, addedBy }: Pick<Chosen, 'key' | 'addedBy'>): SharedLine {
  const { cart, member } = held
  const owner =
    addedBy === undefined ? member : cart.members.find((it) => String(nameOf(it)) === String(addedBy))
  const mayTouch = owner && (owner.place === member.place || member.place === 0)
  const line = mayTouch ? lineIn(held, key, owner.place) : undefined
  if (!line) throw offerNotFound(key, { place: 'shared_cart' })
  return line
}

/** Saves a line that has grown, if the offer is for sale and has enough units. */
async function saveGrownLine(
  tx: Tx,
  shopper: Shopper,
  { held, line }: { held: MemberAccess; line: SharedLine },
): Promise<MemberAccess> {
  const fresh = await readOffers(tx, [line])
  const offer = fresh.get(keyOf(line))
  if (!offer) throw offerNotFound(line)
  const grown = { ...line, priceAtAddTiyin: offer.priceTiyin }
  const priced = await priceLines(tx, shopper, { lines: withLine(held, grown), fresh })
  refuseIf(brokenWhenShared(priced, [grown]))
  return saveLine(tx, shopper, { held, line: grown })
}

function withLine({ cart }: MemberAccess, line: SharedLine): SharedLine[] {
  const at = cart.lines.findIndex((it) => it.place === line.place && isSameOffer(it, line))
  return at < 0 ? [...cart.lines, line] : cart.lines.with(at, line)
}

async function saveLine(
  tx: Tx,
  shopper: Shopper,
  { held, line }: { held: MemberAccess; line: SharedLine },
): Promise<MemberAccess> {
  const cart = withNewVersion({ ...held.cart, lines: withLine(held, line) }, tx.now)
  store.saveSharedLines(tx, cart.id, [line])
  store.touchSharedCart(tx, cart)
  const { quantity } = line
  publish(tx, sharedCartItemChanged(cart.id, shopper.buyer, { line, quantity, now: tx.now }))
  return { cart, member: held.member }
}
