import { guestName } from '../base/buyer.ts'
import type { Reader } from '../base/db.ts'
import type { MemoryKind } from '../base/memory.ts'
import * as store from './store/shown-carts.ts'

/** What lies in a buyer's cart, as this process last knew it. */
export interface ShownCart {
  buyer: string
  /** Null while he has none. */
  cartId: string | null
  offerIds: number[]
  moderatedOfferIds: number[]
}

const cartMemory: MemoryKind<ShownCart> = {
  max: 50_000,
  // A guest is told of by another name than his session.
  subjects: (it) =>
    it.cartId === null
      ? [`buyer-without-cart/${it.buyer}`, `buyer-without-cart/${guestName(it.buyer)}`]
      : [`cart/${it.cartId}`],
  touches: (event) =>
    event.type === 'CartCreated'
      ? [`buyer-without-cart/${event.buyerId}`]
      : event.type === 'CartsMerged'
        ? [`cart/${event.guestCartId}`]
        : [],
}

/** The offers in the carts of a buyer who goes by several names: digits name a client, anything else a guest's session. */
export async function offersInCart(read: Reader, names: readonly string[]): Promise<ShownCart[]> {
  if (names.length === 0) return []
  const carts = await read.recall(cartMemory, names, (missing) => store.loadShownCarts(read, missing))
  return [...carts.values()].filter((it) => it.cartId !== null)
}
