// The statements of adding an item and of viewing a cart, as the shop sends them, with nothing around them. They are
// copies of those in src/cart/carts/store.ts.

import type pg from 'pg'

const opening = `insert into live.cart_carts as cart (id, client_id, created_at, updated_at) values (gen_random_uuid(), $1, now(), now())
  on conflict (client_id) do update set version = cart.version + 1, updated_at = now()`
const viewing = `select cart.id, cart.version, cart.created_at, cart.updated_at,
    (select json_agg(json_build_array(line.is_moderated, line.offer_id, line.quantity, line.loan_condition_id,
       line.price_at_add_tiyin, line.added_at, line.updated_at, line.reserved_until) order by line.added_at, line.offer_id)
     from live.cart_items line where line.cart_id = cart.id) as lines
  from live.cart_carts cart where cart.client_id = $1`
const offering = `select offer.*, product.name as product_name, product.images, partner.name as partner_name, partner.credit_active
  from live.catalog_offers offer join live.catalog_products product on product.id = offer.product_id
  join live.catalog_partners partner on partner.id = offer.partner_id where offer.id = $1`
const saving = `insert into live.cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
  values ($1, false, $2, 1, 100, now(), now())
  on conflict (cart_id, is_moderated, offer_id) do update set quantity = cart_items.quantity + 1, updated_at = now()`
const publishing = `insert into live.outbox_events (event_id, type, subject, fields, occurred_at)
  values (gen_random_uuid(), 'ItemAddedToCart', $1, $2, now())`

const run = async (client: pg.PoolClient, name: string, text: string, values: unknown[]) =>
  (await client.query({ name, text, values })).rows

/** One item into a cart, one statement after the other. */
export async function addItem(pool: pg.Pool, clientId: number, offerId: number): Promise<unknown> {
  const client = await pool.connect()
  await client.query('begin')
  await run(client, 'opening', opening, [clientId])
  const [cart] = (await run(client, 'viewing', viewing, [clientId])) as { id: string }[]
  await run(client, 'offering', offering, [offerId])
  await run(client, 'saving', saving, [cart!.id, offerId])
  await run(client, 'publishing', publishing, [`cart/${cart!.id}`, '{}'])
  await client.query('commit')
  client.release()
  return cart
}

export const viewCart = async (pool: pg.Pool, clientId: number): Promise<unknown> =>
  (await pool.query({ name: 'viewing', text: viewing, values: [clientId] })).rows[0]
