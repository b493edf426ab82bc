// Carts that are ready to be ordered, and the call that orders one.

import type pg from 'pg'
import type { Ours } from './ours.ts'

/** Carts of clients with one unit of each offer, written as rows. */
export async function fillCarts(
  db: pg.Client,
  { first, count, offers }: { first: number; count: number; offers: number[] },
): Promise<void> {
  await db.query(
    `insert into cart_carts (id, client_id, created_at, updated_at)
     select gen_random_uuid(), client, now(), now() from generate_series($1::int8, $1::int8 + $2::int8 - 1) client`,
    [first, count],
  )
  await db.query(
    `insert into cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
     select cart.id, false, offer, 1, 100, now(), now() from cart_carts cart, unnest($3::int8[]) offer
     where cart.client_id between $1::int8 and $1::int8 + $2::int8 - 1`,
    [first, count, offers],
  )
}

export const orderBody = (ClientId: number) =>
  JSON.stringify({ ClientId, PaymentMethodId: 3, DeliveryAddress: 'Toshkent, Amir Temur 1' })

export const orderText = ({ key }: Ours, client: number): string => {
  const body = orderBody(client)
  return `POST /api/cart/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
