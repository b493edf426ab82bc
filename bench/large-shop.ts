// A synthetic shop of any size for `recommend-scale`: products and buyers follow power laws; buyers have favourite
// categories, a style in each of them and a usual price; visits stay in one category and lead to carts, purchases and
// companions. The same sizes and `until` give the same rows.

import pg from 'pg'
import { dayMs } from '../src/base/clock.ts'
import { seededRandom } from '../src/ml/random.ts'

export interface ShopSize {
  products: number
  interactions: number
}

const days = 180
const productsPerCategory = 150
const interactionsPerBuyer = 12
const styles = 6
const meanVisit = 5
const batchSize = 50_000

export const buyersOf = ({ interactions }: ShopSize): number =>
  Math.max(1_000, Math.round(interactions / interactionsPerBuyer))
const categoriesOf = ({ products }: ShopSize): number =>
  Math.max(20, Math.round(products / productsPerCategory))
const departmentsOf = (size: ShopSize): number => Math.ceil(Math.sqrt(categoriesOf(size)))
/** The id of the category of a product. */
export const categoryOf = (size: ShopSize, product: number): number =>
  departmentsOf(size) + 1 + ((product - 1) % categoriesOf(size))

export async function fillLargeShop(host: string, size: ShopSize, until: number): Promise<void> {
  const client = new pg.Client({ host, user: 'bozor', database: 'bozor' })
  await client.connect()
  await client.query(`set search_path = live, platform; set synchronous_commit = off`)
  await client.query(insertProducts(size))
  for (let ago = 0; ago <= days / 30 + 1; ago++) await client.query(partitionFor(until, ago))
  await insertVisits(client, size, until)
  await client.query('vacuum analyze')
  await client.end()
}

/** Repeats interactions of the last days as those of the last minutes. */
export async function addLaterVisits(host: string, count: number): Promise<void> {
  const client = new pg.Client({ host, user: 'bozor', database: 'bozor' })
  await client.connect()
  await client.query(
    `insert into live.recommendations_interactions (buyer, at, offer, kind)
     select buyer, now() - interval '2 minutes' * random(), offer, kind from live.recommendations_interactions
     where at > now() - interval '2 days' limit $1 on conflict do nothing`,
    [count],
  )
  await client.end()
}

const pick = (words: readonly string[], hash: string): string =>
  `(array[${words.map((it) => `'${it}'`).join(',')}])[1 + (${hash}) % ${words.length}]`

/** A product of number n is in category (n − 1) % categories; its names have a kind, a brand, a model, a size and a colour. */
function insertProducts(size: ShopSize): string {
  const categories = categoriesOf(size)
  const departments = departmentsOf(size)
  const brands = Math.max(50, Math.round(size.products / 100))
  const category = `(n - 1) % ${categories}`
  const price = `(20000::int8 * round(exp(((n * 7919::int8) % 1000) / 1000.0 * 3 + (${category}) % 5)))`
  const colour = pick(['black', 'white', 'blue', 'red', 'green', 'grey'], 'n / 7')
  const kind = pick(['lamp', 'shirt', 'phone', 'bag', 'tyre', 'cream', 'toy', 'drill'], category)
  const name = `'${'Kind'} ' || ${kind} || ' ' || (${category}) || ' Brand' || (1 + (n * 31::int8) % ${brands}) || ' M' || n / 5 || ' ' || (8 << (n % 5)::int) || 'gb ' || ${colour}`
  return `
    insert into catalog_categories (id, parent_id, level, slug, name, created_at, updated_at)
    select n, case when n > ${departments} then 1 + n % ${departments} end, (n > ${departments})::int, 'category-' || n,
      json_build_object('ru', 'Раздел ' || n, 'uz', 'Bo‘lim ' || n, 'en', 'Category ' || n), now(), now()
    from generate_series(1, ${departments + categories}) as n;
    insert into catalog_brands (id, slug, name, created_at, updated_at)
    select n, 'brand-' || n, 'Brand ' || n, now(), now() from generate_series(1, ${brands}) as n;
    insert into catalog_partners (id, slug, name, rating, is_recommended, credit_active, created_at, updated_at)
    select n, 'partner-' || n, 'Partner ' || n, 3 + (n % 20) / 10.0, n % 3 = 0, true, now(), now()
    from generate_series(1, 100) as n;
    insert into catalog_products (id, category_id, brand_id, slug, name, description, images, created_at, updated_at)
    select n, ${departments} + 1 + ${category}, 1 + (n * 31::int8) % ${brands}, 'product-' || n,
      json_build_object('ru', ${name}, 'uz', ${name}, 'en', ${name}), '{"en":"A product."}', '[]', now(), now()
    from generate_series(1, ${size.products}) as n;
    insert into catalog_offers (id, product_id, partner_id, price_tiyin, quantity, is_visible, is_active,
      regions, loan_condition_ids, has_daily_payment, created_at, updated_at)
    select n, n, 1 + n % 100, ${price}, 5, true, true, '{home,global}', '{}', false, now(), now()
    from generate_series(1, ${size.products}) as n;`
}

/** Creates the partition of interactions for a month before `until`. */
export function partitionFor(until: number, ago: number): string {
  const month = (back: number) => {
    const now = new Date(until)
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10)
  }
  const name = month(ago).slice(0, 7).replace('-', '_')
  return `create table if not exists recommendations_interactions_${name} partition of recommendations_interactions
    for values from ('${month(ago)}') to ('${month(ago - 1)}')`
}

/** Numbers below `count`, the first ones most often. */
const powerLaw = (random: () => number, count: number, steepness: number): number =>
  Math.min(count - 1, Math.floor(count * random() ** steepness))

async function insertVisits(client: pg.Client, size: ShopSize, until: number): Promise<void> {
  const random = seededRandom(17)
  const simulated = simulator(size, random)
  const columns: [string[], string[], string[], string[]] = [[], [], [], []]
  const flush = async () => {
    await client.query(
      `insert into recommendations_interactions (buyer, at, offer, kind)
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) on conflict do nothing`,
      columns,
    )
    for (const it of columns) it.length = 0
  }
  for (let count = 0; count < size.interactions;) {
    // More visits in later months, and more in the evening.
    const day = Math.floor(days * random() ** 0.8)
    const begin = until - (days - day) * dayMs + (0.3 + 0.6 * random() ** 0.7) * dayMs
    if (begin >= until) continue
    const { buyer, steps } = simulated(day)
    steps.forEach(({ product, kind }, step) => {
      columns[0].push(String(buyer))
      columns[1].push(new Date(Math.min(until - 1, begin + step * 45_000)).toISOString())
      columns[2].push(String(product))
      columns[3].push(kind)
    })
    count += steps.length
    if (columns[0].length >= batchSize) await flush()
  }
  await flush()
}

interface Step {
  product: number
  kind: string
}

/** One visit of one buyer on a day. */
function simulator(size: ShopSize, random: () => number): (day: number) => { buyer: number; steps: Step[] } {
  const [buyers, categories] = [buyersOf(size), categoriesOf(size)]
  const perCategory = Math.floor(size.products / categories)
  const perStyle = Math.max(1, Math.floor(perCategory / styles))
  const hash = (a: number, b: number) => (Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)) >>> 0
  const productOf = (category: number, place: number) => 1 + category + (place % perCategory) * categories
  /** What is popular in a style moves over the months. */
  const chosen = (category: number, style: number, day: number) => {
    const place = powerLaw(random, perStyle, 3)
    return productOf(category, style + styles * ((place + Math.floor(day / 20)) % perStyle))
  }
  return (day) => {
    const buyer = 1 + powerLaw(random, buyers, 1.6)
    const favourite = Math.floor(random() * 4)
    const isUsual = random() < 0.8
    const category = isUsual
      ? Math.floor(categories * (hash(buyer, favourite) / 2 ** 32) ** 2)
      : powerLaw(random, categories, 2)
    const own = hash(buyer, category) % styles
    const steps: Step[] = []
    const looks = 1 + Math.floor(-Math.log(1 - random()) * (meanVisit - 1))
    for (let look = 0; look < Math.min(looks, 60); look++) {
      const style = random() < 0.75 ? own : Math.floor(random() * styles)
      const product = chosen(category, style, day)
      steps.push({ product, kind: random() < 0.1 ? 'click' : 'view' })
      const chance = random()
      if (chance < 0.03) steps.push({ product, kind: 'wishlist' })
      else if (chance < 0.15) {
        steps.push({ product, kind: 'cart' })
        if (random() < 0.4) steps.push({ product, kind: 'purchase' })
        const companion = (category * 7 + 1) % categories
        if (random() < 0.3) steps.push({ product: chosen(companion, own, day), kind: 'view' })
      }
    }
    return { buyer, steps }
  }
}
