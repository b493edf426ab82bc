// Measures how a table of many orders scrolls in the dashboard of a running shop:
// `npm run measure:tables -- http://127.0.0.1:8080 owner@bozor.example PASSWORD DATA_DIR [ROWS]`.
// The orders are inserted into the test environment of the embedded database by SQL. The script reads all of them from the
// server and gives them to the page in long pages of the list, so that the table holds every row before it is scrolled.

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import { databaseHost } from '../../bench/measure.ts'
import { browserOptions } from '../support/browser.ts'
import { type Measure, table } from './measures.ts'

const [url = 'http://127.0.0.1:8080', email = '', password = '', dataDir = '', rowsText = '100000'] =
  process.argv.slice(2)
const rows = Number(rowsText)
const timeoutMs = 1_800_000
const frameMs = 1_000 / 60
const measuredFrames = 200
/** Of the list that the page gets. */
const rowsPerPage = 4_000
/** Pixels for each frame: a turn of a wheel, a fast swipe, and a drag of the scroll bar. */
const speeds = { slow: 40, fast: 400, jumps: 5_000 }

const metricNames = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration', 'TaskDuration'] as const

await insertOrders()
const options = await browserOptions()
if (!options) throw new Error('no browser is available')
const browser = await chromium.launch(options)
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  page.setDefaultTimeout(timeoutMs)
  await page.goto(`${url}/dashboard/orders`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('row').nth(5).waitFor()
  await loadAll(page)
  const devtools = await page.context().newCDPSession(page)
  // Processor time of the main thread: what it waits for on a busy machine is not the work of the page.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const measures: Measure[] = []
  for (const [name, pixels] of Object.entries(speeds))
    measures.push(...(await scroll(page, devtools, { name, pixels })))
  const drawn = await page.getByRole('row').count()
  measures.push(...(await scrollEmptyPage(page, devtools)))
  measures.push({ what: 'rows in the document', value: drawn, unit: '', bar: '≤ 100', isMet: drawn <= 100 })
  console.log(table(measures))
} finally {
  await browser.close()
}

async function insertOrders(): Promise<void> {
  const db = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  await db.connect()
  try {
    await db.query('set search_path = test, platform')
    const { rows: found } = await db.query<{ last: string }>(
      'select coalesce(max(id), 0) as last from orders_orders',
    )
    const first = Number(found[0]!.last) + 1
    await db.query(
      `insert into orders_orders (id, checkout_id, client_id, partner_id, payment_method_id, delivery_address,
         amount_tiyin, day, status, payment_status, fulfilment_status, version, created_at, updated_at)
         overriding system value
       select id, gen_random_uuid(), 1 + id % 2000, (select min(id) from catalog_partners), 3, 'Toshkent',
         100000 + id * 100, current_date, 'confirmed', 'unpaid', 'unfulfilled', 2,
         now() - make_interval(secs => ($2 - id) * 60), now()
       from generate_series($1::int8, $2::int8) id`,
      [first, rows],
    )
    await db.query(
      `insert into orders_lines (order_id, number, is_moderated, offer_id, product_id, name, quantity, price_tiyin)
       select id, 1, false, 1, 1, '{"ru":"Товар"}', 1, 100000 + id * 100 from generate_series($1::int8, $2::int8) id`,
      [first, rows],
    )
    await db.query(
      `insert into orders_events (order_id, number, type, data, at)
       select id, 1, 'Placed', '{}', now() from generate_series($1::int8, $2::int8) id`,
      [first, rows],
    )
    await db.query(
      `select setval(pg_get_serial_sequence('orders_orders', 'id'), greatest($1::int8, (select max(id) from orders_orders)))`,
      [rows],
    )
    await db.query('analyze orders_orders, orders_lines, orders_events')
  } finally {
    await db.end()
  }
}

interface OrdersReply {
  data: { orders: unknown[]; pagination: { next_cursor: string | null } }
}

/** One page of orders. A thousand pages reach the rate limit, so a refused call waits as long as `Retry-After` says. */
async function ordersAfter(page: Page, cursor: string): Promise<OrdersReply> {
  const reply = await page
    .context()
    .request.get(`${url}/v1/orders?per_page=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      headers: { 'x-environment': 'test' },
      timeout: timeoutMs,
    })
  if (reply.ok()) return (await reply.json()) as OrdersReply
  const seconds = Number(reply.headers()['retry-after'])
  if (!seconds) throw new Error(`${reply.url()} answers ${reply.status()}: ${await reply.text()}`)
  await delay(seconds * 1_000)
  return ordersAfter(page, cursor)
}

/** Reads all orders by the session of the page; the list of the page then gets them in few replies. */
async function loadAll(page: Page): Promise<void> {
  const items: unknown[] = []
  let [cursor, last] = ['', {} as OrdersReply]
  do {
    last = await ordersAfter(page, cursor)
    items.push(...last.data.orders)
    cursor = last.data.pagination.next_cursor ?? ''
  } while (cursor !== '')
  await page.route(/\/v1\/orders\?/, (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const next = from + rowsPerPage < items.length ? String(from + rowsPerPage) : null
    const pagination = { ...last.data.pagination, total: items.length, next_cursor: next }
    const orders = items.slice(from, from + rowsPerPage)
    return route.fulfill({ json: { ...last, data: { ...last.data, orders, pagination } } })
  })
  await page.reload()
  await page.locator('tbody tr').first().waitFor()
  await page.evaluate(`new Promise((done) => {
    const step = () => {
      window.scrollTo(0, document.documentElement.scrollHeight)
      if (Number(document.querySelector('table').getAttribute('aria-rowcount')) >= ${items.length}) done()
      else setTimeout(step, 100)
    }
    step()
  })`)
  console.error(`${items.length} rows are in the table`)
}

/** What the machine and the browser need without our table. */
async function scrollEmptyPage(page: Page, devtools: CDPSession): Promise<Measure[]> {
  await page.evaluate(`document.body.replaceChildren(Object.assign(document.createElement('div'), {
    style: 'height: 4400000px; background: linear-gradient(red, blue)' }))`)
  return scroll(page, devtools, { name: 'of an empty page', pixels: speeds.fast })
}

/** Scrolls by some pixels in every frame, and measures the frames and the work of the main thread. */
async function scroll(
  page: Page,
  devtools: CDPSession,
  { name, pixels }: { name: string; pixels: number },
): Promise<Measure[]> {
  const before = await metricsOf(devtools)
  const frames = await page.evaluate<number[]>(`new Promise((done) => {
    const times = []
    let [last, way] = [undefined, -1]
    window.scrollTo(0, document.documentElement.scrollHeight / 2)
    const step = (now) => {
      if (last !== undefined) times.push(now - last)
      last = now
      if (times.length >= ${measuredFrames}) return done(times)
      if (window.scrollY < 10_000) way = 1
      if (window.scrollY > document.documentElement.scrollHeight - 20_000) way = -1
      window.scrollBy(0, way * ${pixels})
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)
  const after = await metricsOf(devtools)
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!
  const ofFrame = (it: (typeof metricNames)[number]) => ((after[it] - before[it]) * 1_000) / frames.length
  const work = ofFrame('TaskDuration')
  const script = ofFrame('ScriptDuration')
  const layout = ofFrame('LayoutDuration') + ofFrame('RecalcStyleDuration')
  const what = `scroll ${name}, ${pixels} px a frame`
  return [
    {
      what: `${what}: median frame`,
      value: at(0.5),
      unit: 'ms',
      bar: '≤ 16.7',
      isMet: at(0.5) <= frameMs + 0.1,
    },
    {
      what: `${what}: p95 frame`,
      value: at(0.95),
      unit: 'ms',
      bar: '≤ 16.7',
      isMet: at(0.95) <= frameMs + 0.2,
    },
    {
      what: `${what}: processor time of the main thread a frame`,
      value: work,
      unit: 'ms',
      bar: '≤ 16.7',
      isMet: work <= frameMs,
    },
    { what: `${what}: of this, scripts`, value: script, unit: 'ms', bar: '≤ 8', isMet: script <= 8 },
    { what: `${what}: of this, style and layout`, value: layout, unit: 'ms', bar: '≤ 8', isMet: layout <= 8 },
  ]
}

async function metricsOf(devtools: CDPSession): Promise<Record<(typeof metricNames)[number], number>> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const value = (name: string) => metrics.find((it) => it.name === name)?.value ?? 0
  return Object.fromEntries(metricNames.map((it) => [it, value(it)])) as never
}
