// A shop of the size that recommendations are designed for: 40 000 offers and a million interactions of buyers with preferences.

import pg from 'pg'
import { dayMs } from '../src/base/clock.ts'
import { interactionKinds } from '../src/recommendations/interactions/interaction.ts'
import { partitionFor } from './large-shop.ts'
import { seededRandom } from '../src/ml/random.ts'

/** Each product is sold by the offer of the same number, a ninth of them by one more offer. */
const productCount = 36_000
const offerCount = 40_000
const buyerCount = 20_000
const interactionCount = 1_000_000

const departments = 10
const categories = 200
const days = 120
const visitLength = 5
const batchSize = 20_000

/** Stores everything where an import would store it. The same `until` gives the same data. */
export async function fillBusyShop(host: string, until: number): Promise<void> {
  const client = new pg.Client({ host, user: 'bozor', database: 'bozor' })
  await client.connect()
  await client.query(`set search_path = live, platform`)
  await client.query(insertProducts)
  for (let ago = 0; ago <= 5; ago++) await client.query(partitionFor(until, ago))
  await behave(client, until)
  await client.query('analyze')
  await client.end()
}

const inCategory = `(n * 7919) % ${categories}`
const price = `100000::int8 * (1 + (n * 37) % 5000)`
const insertProducts = `
  insert into catalog_categories (id, parent_id, level, slug, name, created_at, updated_at)
  select n, case when n > ${departments} then 1 + n % ${departments} end, (n > ${departments})::int, 'category-' || n,
    json_build_object('ru', 'Раздел ' || n, 'uz', 'Bo‘lim ' || n, 'en', 'Category ' || n), now(), now()
  from generate_series(1, ${departments + categories}) as n;
  insert into catalog_brands (id, slug, name, created_at, updated_at)
  select n, 'brand-' || n, 'Brand ' || n, now(), now() from generate_series(1, 400) as n;
  insert into catalog_partners (id, slug, name, rating, is_recommended, credit_active, created_at, updated_at)
  select n, 'partner-' || n, 'Partner ' || n, 3 + (n % 20) / 10.0, n % 3 = 0, true, now(), now()
  from generate_series(1, 100) as n;
  insert into catalog_loan_conditions (id, partner_id, duration, commission, is_active, created_at, updated_at)
  select n, 1 + n % 100, 3 * (1 + n % 8), n % 40, true, now(), now() from generate_series(1, 300) as n;
  insert into catalog_products (id, category_id, brand_id, slug, name, description, images, created_at, updated_at)
  select n, ${departments} + 1 + ${inCategory}, 1 + (n * 31) % 400, 'product-' || n,
    json_build_object('ru', 'Товар номер ' || n || ' чёрный', 'uz', 'Mahsulot ' || n || ' qora', 'en', 'Product number ' || n || ' black'),
    '{"ru":"Хороший товар для дома и семьи.","en":"A good thing for home and family."}',
    json_build_array(json_build_object('lgPath', 'https://cdn.example/l/' || n || '.webp', 'mdPath',
      'https://cdn.example/m/' || n || '.webp', 'smPath', 'https://cdn.example/s/' || n || '.webp')), now(), now()
  from generate_series(1, ${productCount}) as n;
  insert into catalog_offers (id, product_id, partner_id, price_tiyin, old_price_tiyin, quantity, is_visible, is_active,
    regions, loan_condition_ids, has_daily_payment, created_at, updated_at)
  select n, case when n > ${productCount} then (n - ${productCount}) * 9 else n end, 1 + n % 100, ${price},
    case when n % 5 = 0 then ${price} * 5 / 4 end, case when n % 20 = 0 then 0 else 5 end, n % 50 <> 0, true, '{home,global}',
    array[1 + n % 300], false, now(), now()
  from generate_series(1, ${offerCount}) as n;
  insert into catalog_moderated_offers (uuid, status, product_id, partner_id, price_tiyin, quantity, is_visible, is_active,
    regions, loan_condition_ids, has_daily_payment, created_at, updated_at)
  select gen_random_uuid(), case when n % 4 = 0 then 'pending' else 'approved' end, n * 40, 1 + n % 100, ${price} / 2 + 1, 5,
    true, true, '{home}', '{}', false, now(), now()
  from generate_series(1, ${productCount} / 40) as n;
  insert into cart_carts (id, client_id, created_at, updated_at)
  select gen_random_uuid(), n * 4, now(), now() from generate_series(1, ${buyerCount} / 4) as n;
  insert into cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
  select id, false, 1 + (client_id * 17 + line * 1009) % ${offerCount}, 1, 100000, now(), now()
  from cart_carts, generate_series(1, 3) as line;`

/** Buyers visit from time to time and view one of their three favourite categories, mostly its popular products. */
async function behave(client: pg.Client, until: number): Promise<void> {
  const random = seededRandom(11)
  const inside = productsByCategory()
  const columns: [string[], string[], string[], string[]] = [[], [], [], []]
  const flush = async () => {
    await client.query(
      `insert into recommendations_interactions (buyer, at, offer, kind)
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) on conflict do nothing`,
      columns,
    )
    for (const it of columns) it.length = 0
  }
  for (let visit = 0; visit < interactionCount / visitLength; visit++) {
    const buyer = 1 + (visit % buyerCount)
    const favourite = (buyer * 7 + Math.floor(random() * 3) * 61) % categories
    const choice = inside[favourite]!
    const begin = until - random() * days * dayMs
    for (let look = 0; look < visitLength; look++) {
      const product = choice[Math.floor(choice.length * random() ** 2.5)]!
      columns[0].push(String(buyer))
      columns[1].push(new Date(begin + look * 40_000).toISOString())
      columns[2].push(String(product))
      columns[3].push(kindOf(random()))
    }
    if (columns[0].length >= batchSize) await flush()
  }
  await flush()
}

function productsByCategory(): number[][] {
  const inside: number[][] = Array.from({ length: categories }, () => [])
  for (let product = 1; product <= productCount; product++)
    inside[(product * 7919) % categories]!.push(product)
  return inside
}

const shares = [0.7, 0.85, 0.9, 0.96, 1]
const kindOf = (chance: number): string => interactionKinds[shares.findIndex((it) => chance < it)]!

/** A pattern of twenty calls: half of them for main pages, a quarter with moderated offers. */
export function pageRequest(number: number): string {
  const buyer = 1 + ((number * 7919) % activeBuyers)
  const offer = (at: number) => `"${1 + ((number * 31 + at * 1009) % productCount)}"`
  const page =
    number % 4 < 2
      ? `"from_layer":"main_page"`
      : number % 4 === 2
        ? `"from_layer":"offer_page","offer_ids":[${offer(0)}]`
        : `"from_layer":"cart_page","offer_ids":[${offer(0)},${offer(1)},${offer(2)}]`
  const group = number % 5 === 0 ? 'mod_offers' : 'prod'
  return post(
    '/offers/recommended/v3',
    `{"user_id":"${buyer}","from_app":"bench","test_group_value":"${group}",${page}}`,
  )
}

/** Buyers who visit at the same time; their data is cached. */
export const activeBuyers = 5_000

export const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
