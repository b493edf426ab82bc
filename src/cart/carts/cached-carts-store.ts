import type { Reader } from '../../base/database.ts'
import { guestPublicId } from '../../base/buyer.ts'
import type { CacheKind } from '../../base/cache.ts'
import type { Event } from '../../events.ts'
import { rowsByKeys } from '../../base/rows-by-keys.ts'

const clientForm = /^[1-9]\d{0,15}$/

interface Row {
  buyer: string
  cartId: string
  offerId: number | null
  isModerated: boolean
  /** In a row of its own, for clients who have bought on credit. */
  remainingCreditTiyin: number | null
}

const linesOf = (
  owner: string,
) => `select ${owner}::text as buyer, cart.id as "cartId", line.offer_id as "offerId",
    line.is_moderated as "isModerated", null::int8 as "remainingCreditTiyin"`
const fromCarts = `from cart_carts cart left join cart_items line on line.cart_id = cart.id`

const ofSessions = rowsByKeys<Row>(
  'cart.session_id',
  (condition) => `${linesOf('cart.session_id')} ${fromCarts} where ${condition}`,
)
/** Carts and credit together: they are shown together, and a statement costs more than its rows. */
const ofClients = rowsByKeys<Row>(
  'client_id',
  (condition) => `select buyer, "cartId", "offerId", "isModerated", "remainingCreditTiyin" from (
      ${linesOf('cart.client_id')}, cart.client_id ${fromCarts}
      union all
      select client_id::text, null, null, null, greatest(0, credit_tiyin - outstanding_tiyin), client_id
      from cart_credits, cart_limits) found
    where ${condition}`,
)

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
    names.map((buyer) => [
      buyer,
      { buyer, cartId: null, offerIds: [], moderatedOfferIds: [], remainingCreditTiyin: null },
    ]),
  )
  for (const { buyer, cartId, offerId, isModerated, remainingCreditTiyin } of rows.flat()) {
    const cart = carts.get(buyer)
    if (!cart) continue
    if (cartId === null) cart.remainingCreditTiyin = remainingCreditTiyin
    else cart.cartId = cartId
    if (offerId !== null) (isModerated ? cart.moderatedOfferIds : cart.offerIds).push(offerId)
  }
  return carts
}

/** The offers in a buyer's cart and what is left of their credit, as cached by this process. */
export interface ShownCart {
  buyer: string
  /** Null when the buyer has no cart. */
  cartId: string | null
  offerIds: number[]
  moderatedOfferIds: number[]
  /** Null for guests and for clients who have never bought on credit. */
  remainingCreditTiyin: number | null
}

const cartCache: CacheKind<ShownCart> = {
  max: 50_000,
  // Events of older versions name a guest by a hash of the session, so both names invalidate the entry.
  subjects: (it) => [
    ...(it.cartId === null
      ? [`buyer-without-cart/${it.buyer}`, `buyer-without-cart/${guestPublicId(it.buyer)}`]
      : [`cart/${it.cartId}`]),
    ...(clientForm.test(it.buyer) ? [`credit/${it.buyer}`, everyCredit] : []),
  ],
  alsoAffects: affectedCarts,
}

/** Every entry with credit has this subject. */
const everyCredit = 'credit'

function affectedCarts(event: Event): string[] {
  switch (event.type) {
    case 'CartCreated':
      return [`buyer-without-cart/${event.buyerId}`]
    case 'CartsMerged':
      return [`cart/${event.guestCartId}`]
    case 'OrdersCreated':
    case 'OrderCancelled':
    case 'OrderReturned':
    case 'InstalmentsPaid':
      return creditsOf(event.clientId)
    case 'ClientsMerged':
      return [`credit/${event.clientId}`, `credit/${event.mergedClientId}`]
    case 'LimitsChanged':
      return [everyCredit]
    default:
      return []
  }
}

/** Processes of an earlier version publish events without a client, also during a rolling update: any may be meant. */
const creditsOf = (clientId: number | null | undefined): string[] =>
  clientId === undefined ? [everyCredit] : clientId === null ? [] : [`credit/${clientId}`]

/** The carts and the credit of a buyer with several ids: digits are a client id, anything else is a guest's session id. */
export async function shownCarts(read: Reader, names: readonly string[]): Promise<ShownCart[]> {
  if (names.length === 0) return []
  return [...(await read.cached(cartCache, names, (missing) => loadShownCarts(read, missing))).values()]
}
