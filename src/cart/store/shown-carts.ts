import type { Reader } from '../../base/db.ts'
import type { ShownCart } from '../offers-in-cart.ts'

const clientForm = /^[1-9]\d{0,15}$/

/** The cart of every name, or that there is none. */
export async function loadShownCarts(
  read: Reader,
  names: readonly string[],
): Promise<Map<string, ShownCart>> {
  const clients = names.filter((it) => clientForm.test(it))
  const rows = await read.all<{
    buyer: string
    cartId: string
    offerId: number | null
    isModerated: boolean
  }>(
    `select coalesce(cart.client_id::text, cart.session_id) as buyer, cart.id as "cartId", line.offer_id as "offerId",
       line.is_moderated as "isModerated"
     from cart_carts cart left join cart_items line on line.cart_id = cart.id
     where cart.client_id = any($1) or cart.session_id = any($2)`,
    [clients, names.filter((it) => !clientForm.test(it))],
  )
  const carts = new Map<string, ShownCart>(
    names.map((buyer) => [buyer, { buyer, cartId: null, offerIds: [], moderatedOfferIds: [] }]),
  )
  for (const { buyer, cartId, offerId, isModerated } of rows) {
    const cart = carts.get(buyer)
    if (!cart) continue
    cart.cartId = cartId
    if (offerId !== null) (isModerated ? cart.moderatedOfferIds : cart.offerIds).push(offerId)
  }
  return carts
}
