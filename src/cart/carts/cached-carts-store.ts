import type { Reader } from '../../base/database.ts'
import { guestPublicId } from '../../base/buyer.ts'
import type { CacheKind } from '../../base/cache.ts'
import { rowsByKeys } from '../../base/rows-by-keys.ts'

const clientForm = /^[1-9]\d{0,15}$/

interface Row {
  buyer: string
  cartId: string
  offerId: number | null
  isModerated: boolean
}

const selectBy = (column: string) =>
  rowsByKeys<Row>(
    column,
    (condition) => `select coalesce(cart.client_id::text, cart.session_id) as buyer, cart.id as "cartId",
       line.offer_id as "offerId", line.is_moderated as "isModerated"
     from cart_carts cart left join cart_items line on line.cart_id = cart.id where ${condition}`,
  )
const ofClients = selectBy('cart.client_id')
const ofSessions = selectBy('cart.session_id')

/** The cart of every buyer; buyers without a cart get an empty one with a null id. */
async function loadShownCarts(read: Reader, names: readonly string[]): Promise<Map<string, ShownCart>> {
  const clients = names.filter((it) => clientForm.test(it))
  const sessions = names.filter((it) => !clientForm.test(it))
  // Each by a statement of its own: PostgreSQL would plan one for both on every call.
  const rows = await Promise.all([
    clients.length > 0 ? ofClients(read, clients) : [],
    sessions.length > 0 ? ofSessions(read, sessions) : [],
  ])
  const carts = new Map<string, ShownCart>(
    names.map((buyer) => [buyer, { buyer, cartId: null, offerIds: [], moderatedOfferIds: [] }]),
  )
  for (const { buyer, cartId, offerId, isModerated } of rows.flat()) {
    const cart = carts.get(buyer)
    if (!cart) continue
    cart.cartId = cartId
    if (offerId !== null) (isModerated ? cart.moderatedOfferIds : cart.offerIds).push(offerId)
  }
  return carts
}

/** The offers in a buyer's cart, as cached by this process. */
export interface ShownCart {
  buyer: string
  /** Null when the buyer has no cart. */
  cartId: string | null
  offerIds: number[]
  moderatedOfferIds: number[]
}

const cartCache: CacheKind<ShownCart> = {
  max: 50_000,
  // Events of older versions name a guest by a hash of the session, so both names invalidate the entry.
  subjects: (it) =>
    it.cartId === null
      ? [`buyer-without-cart/${it.buyer}`, `buyer-without-cart/${guestPublicId(it.buyer)}`]
      : [`cart/${it.cartId}`],
  alsoAffects: (event) =>
    event.type === 'CartCreated'
      ? [`buyer-without-cart/${event.buyerId}`]
      : event.type === 'CartsMerged'
        ? [`cart/${event.guestCartId}`]
        : [],
}

/** The offers in the carts of a buyer with several ids: digits are a client id, anything else is a guest's session id. */
export async function offersInCart(read: Reader, names: readonly string[]): Promise<ShownCart[]> {
  if (names.length === 0) return []
  const carts = await read.cached(cartCache, names, (missing) => loadShownCarts(read, missing))
  return [...carts.values()].filter((it) => it.cartId !== null)
}
