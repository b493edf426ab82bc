// Cost of lists, details and search in shops of a thousand and of a hundred thousand products.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { load } from './load.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const warmUp = 1.5

export async function bench(): Promise<Row[]> {
  const small = await inShopOf(1_000)
  const large = await inShopOf(100_000)
  return small.flatMap((it, at) => [
    { ...it, name: `${it.name}, 1 000 products` },
    {
      ...large[at]!,
      name: `${it.name}, 100 000 products`,
      note: [large[at]!.note, `${(large[at]!.ours / it.ours).toFixed(2)} × the small shop`]
        .filter(Boolean)
        .join('; '),
    },
  ])
}

async function inShopOf(products: number): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  try {
    const empty = await startOurs(dataDir)
    await fill(dataDir, products)
    await stop(empty.child)
    const ours = await startOurs(dataDir)
    try {
      return await measureAll(ours, { dataDir, products })
    } finally {
      await stop(ours.child)
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAll(
  ours: Ours,
  { dataDir, products }: { dataDir: string; products: number },
): Promise<Row[]> {
  const pids = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  const cost = async (path: (number: number) => string) => {
    const request = (number: number) =>
      `GET /v1/catalog/${path(number)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\n\r\n`
    const options = { url: ours.url, connections: 16, request, expect: 200 }
    await load({ ...options, seconds: warmUp })
    const watched = pids()
    const before = cpuSeconds(watched)
    const result = await load({ ...options, request: (number) => request(number + 1_000_000), seconds })
    return { ...result, cpuMs: (1000 * (cpuSeconds(watched) - before)) / result.requests }
  }
  const row = async (name: string, bar: string, path: (number: number) => string): Promise<Row> => {
    const { cpuMs, p99Ms, perSecond } = await cost(path)
    return {
      name,
      ours: cpuMs,
      unit: 'ms CPU',
      bar,
      note: `${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms`,
    }
  }
  const query = (number: number) => encodeURIComponent(queries[number % queries.length]!)
  return [
    await row('the first page', '≤ 0.5', () => 'products?per_page=20'),
    await row('a list that is not cached', '≤ 0.5', (at) => `products?per_page=20&price_min=${at}`),
    await row('the next of a thousand details', '≤ 0.4', (at) => `products/${1 + (at % 1_000)}`),
    await row('a detail of any product', '≤ 0.4', (at) => `products/${1 + ((at * 7919) % products)}`),
    await row('a search', '≤ 5', (at) => `products/search?q=${query(at)}&price_min=${at % 9_973}`),
    await row(
      'a hostile search',
      '≤ 5',
      (at) => `products/search?q=${hostile[at % hostile.length]}&price_min=${at}`,
    ),
    {
      name: 'server memory',
      ours: residentMegabytes(ours.child.pid!),
      unit: 'MB',
      bar: '≤ 250 for the demo',
    },
  ]
}

const queries = [
  'смартфон',
  'холодилник artel',
  'smartfon qora',
  'смартфон қора',
  'washing machine',
  'наушники',
  'shirt blue',
  'televizor 55',
  'чайник белый',
  'xolodilnik',
]
const hostile = [
  '%25'.repeat(85),
  encodeURIComponent('%_\\'.repeat(80)),
  encodeURIComponent('(a+)+$'.repeat(40)),
  encodeURIComponent('ა'.repeat(200)),
  encodeURIComponent('a '.repeat(120)),
  encodeURIComponent('‮💥é'.repeat(60)),
]

/** Products in batches of a thousand, stored as the importer stores them. */
export async function fill(dataDir: string, products: number): Promise<void> {
  const host = readFileSync(pidFile(dataDir), 'utf8').split('\n')[4]!
  const client = new pg.Client({ host, user: 'bozor', database: 'bozor' })
  await client.connect()
  await client.query(`set search_path = live, platform; truncate catalog_products cascade`)
  const word = (list: string, salt: number) =>
    `(array[${list}])[1 + (n * ${salt}) % array_length(array[${list}], 1)]`
  const ru = `'Смартфон','Холодильник','Телевизор','Наушники','Чайник','Рубашка','Стиральная машина','Пылесос','Ноутбук','Кроссовки'`
  const uz = `'smartfoni','muzlatgichi','televizori','quloqchini','choynagi','ko‘ylagi','kir yuvish mashinasi','changyutgichi','noutbuki','krossovkasi'`
  const en = `'smartphone','refrigerator','television','headphones','kettle','shirt','washing machine','vacuum cleaner','laptop','sneakers'`
  const colour = (list: string) => word(list, 13)
  const name = (it: string) =>
    `json_build_object('ru', '${it} ' || n, 'uz', '${it} ' || n, 'en', '${it} ' || n)`
  await client.query(`
    insert into catalog_categories (id, parent_id, level, slug, name, created_at, updated_at)
    select n, nullif(n, 1) * 0 + 1, least(n - 1, 1), 'bench-' || n, ${name('Category')}, now(), now()
    from generate_series(1, 41) as n on conflict do nothing;
    insert into catalog_brands (id, slug, name, created_at, updated_at)
    select n, 'bench-' || n, 'Brand ' || n, now(), now() from generate_series(1, 150) as n on conflict do nothing;
    insert into catalog_products (id, category_id, brand_id, slug, name, description, images, created_at, updated_at)
    select n, (select id from catalog_categories where level > 0 order by id offset (n % 40) limit 1),
      (select id from catalog_brands order by id offset (n % 150) limit 1), 'bench-' || n,
      json_build_object('ru', ${word(ru, 1)} || ' Model ' || n || ' ' || ${colour(`'чёрный','белый','синий','красный'`)},
        'uz', 'Model ' || n || ' ' || ${word(uz, 1)} || ' ' || ${colour(`'qora','oq','ko‘k','qizil'`)},
        'en', 'Model ' || n || ' ' || ${word(en, 1)} || ' ' || ${colour(`'black','white','blue','red'`)}),
      '{"ru":"Хороший товар для дома и семьи.","en":"A good thing for home and family."}', '[]', now(), now()
    from generate_series(1, ${products}) as n;
    insert into catalog_partners (id, slug, name, rating, is_recommended, credit_active, created_at, updated_at)
    select n, 'bench-' || n, 'Partner ' || n, 4, false, true, now(), now() from generate_series(1, 30) as n on conflict do nothing;
    insert into catalog_offers (id, product_id, partner_id, price_tiyin, old_price_tiyin, quantity, is_visible, is_active,
      regions, loan_condition_ids, has_daily_payment, created_at, updated_at)
    select n * 2 + twice, n, 1 + n % 30, 100000::int8 * (1 + (n * 37) % 5000),
      case when n % 5 = 0 then 100000::int8 * (1 + (n * 37) % 5000) * 5 / 4 end, (n * 7) % 20, true, true, '{home,global}', '{}', false, now(), now()
    from generate_series(1, ${products}) as n, generate_series(0, 1) as twice;
    `)
  await client.query('vacuum analyze')
  await client.end()
}

const pidFile = (dataDir: string) =>
  execFileSync('find', [dataDir, '-name', 'postmaster.pid']).toString().trim()
const databasePid = (dataDir: string) => Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0])
