// What happened to a client, under a stable name: the key (campaign, client, occasion) makes a message go out once.

import * as cart from '../../cart/index.ts'

/** A client at an occasion. */
export interface Target {
  clientId: number
  occasion: string
}

export const targetKey = ({ clientId, occasion }: Target): string => `${clientId} ${occasion}`

/** The kinds of data that an occasion can add to a message; `message-data.ts` loads them. */
export type MessageDataName =
  | 'cart'
  | 'cheaper wishlist items'
  | 'available wishlist items'
  | 'order'
  | 'promotion'

/** A cart that is changed and abandoned again is another occasion. */
export const cartOccasion = ({ cartId, changedAt }: Pick<cart.LeftCart, 'cartId' | 'changedAt'>): string =>
  `cart/${cartId}/${changedAt.getTime()}`

/** An offer that is added to the wishlist again is another occasion. */
export const wishlistOccasion = (item: cart.WishlistMatch): string =>
  `wish/${cart.keyOf(item)}/${item.addedAt.getTime()}`

export const orderOccasion = (orderId: number | ''): string => `order/${orderId}`
export const dueOccasion = (due: Date): string => `due/${due.toISOString()}`

/** A promotion that is moved and starts again is another occasion. */
export const promotionOccasion = (promotionId: number, startsAt: Date): string =>
  `promotion/${promotionId}/${startsAt.getTime()}`
