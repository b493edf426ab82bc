// The cost of finding an audience among a hundred thousand clients, of scanning for abandoned carts, and of sending to
// every recipient; compared with plain SQL over the same tables.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsedMs, systemClock, dayMs } from '../src/base/clock.ts'
import { readConfig } from '../src/base/config.ts'
import { Database } from '../src/base/database.ts'
import { candidatesAfter, matchingAmong, type Clause } from '../src/marketing/campaigns/audience.ts'
import type { Campaign } from '../src/marketing/campaigns/campaign.ts'
import { scanPage } from '../src/marketing/campaigns/scan.ts'
import { sendDue } from '../src/marketing/campaigns/send-due.ts'
import { runSettings } from '../src/marketing/campaigns/run-campaigns.ts'
import { insertCampaign } from '../src/marketing/campaigns/store.ts'
import { insertTemplate } from '../src/marketing/templates/store.ts'
import { cpuSeconds, family } from './cpu.ts'
import { databaseHost, databasePid, quiet } from './measure.ts'
import { startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const clients = 100_000
const pageSize = 1_000
const bench1 = 900_000

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const connection = { host: databaseHost(dataDir), user: 'bozor', database: 'bozor' }
  const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 2 })
  const postmaster = databasePid(dataDir)
  try {
    await fill(db)
    await quiet(() => family(postmaster))
    const cost = costOf(postmaster)
    return [...(await audience(db, cost)), ...(await leftCarts(db, cost)), ...(await messages(db, cost))]
  } finally {
    await db.close()
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Cost {
  cpuMs: number
  ms: number
}
type Costs = <T>(work: () => Promise<T>) => Promise<Cost & { result: T }>

/** CPU of this process and of the database. The work runs twice, and the second run counts. */
const costOf =
  (postmaster: number): Costs =>
  async (work) => {
    await work()
    const pids = [process.pid, ...family(postmaster)]
    const [cpu, began] = [cpuSeconds(pids), elapsedMs()]
    const result = await work()
    return { result, cpuMs: 1_000 * (cpuSeconds(pids) - cpu), ms: elapsedMs() - began }
  }

/** Clients who all consented; half have a cart, and most have ordered in the last year. */
async function fill(db: Database): Promise<void> {
  const statements = [
    `insert into catalog_categories (id, level, slug, name, created_at, updated_at) values (${bench1}, 0, 'bench', '{}', now(), now())`,
    `insert into catalog_partners (id, slug, name, rating, is_recommended, credit_active, created_at, updated_at)
     values (${bench1}, 'bench', 'Bench', 4, false, true, now(), now())`,
    `insert into catalog_brands (id, slug, name, created_at, updated_at)
     select ${bench1} + n, 'bench-' || n, 'B', now(), now() from generate_series(0, 9) n`,
    `insert into catalog_products (id, category_id, brand_id, slug, name, description, images, created_at, updated_at)
     select ${bench1} + n, ${bench1}, ${bench1} + n % 10, 'bench-' || n, '{"ru":"Товар"}', '{}', '[]', now(), now()
     from generate_series(0, 999) n`,
    `insert into catalog_offers (id, product_id, partner_id, price_tiyin, quantity, is_visible, is_active, regions,
       loan_condition_ids, has_daily_payment, created_at, updated_at)
     select ${bench1} + n, ${bench1} + n, ${bench1}, 1000000, 1000, true, true, '{home}', '{}', false, now(), now()
     from generate_series(0, 999) n`,
    `insert into identity_clients (id, name, email, created_at, updated_at)
     select n, 'Client ' || n, 'c' || n || '@mail.uz', now(), now() from generate_series(1, ${clients}) n`,
    `insert into marketing_consents (id, holder, client_id, channel, category, is_granted, source, at)
     select gen_random_uuid(), 'client/' || n, n, 'email', 'marketing', true, 'bench', now() from generate_series(1, ${clients}) n`,
    `insert into cart_carts (id, client_id, created_at, updated_at)
     select gen_random_uuid(), n, now(), now() - (n % 1000) * interval '20 minutes' from generate_series(1, ${clients}, 2) n`,
    `insert into cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
     select id, false, ${bench1} + client_id % 1000, 1, 1000000, now(), now() from cart_carts`,
    `insert into orders_orders (checkout_id, client_id, partner_id, payment_method_id, delivery_address, amount_tiyin, day,
       status, payment_status, fulfilment_status, version, created_at, updated_at)
     select gen_random_uuid(), n % ${clients} + 1, ${bench1}, 3, 'Toshkent', 1000000, now()::date, 'confirmed', 'unpaid',
       'unfulfilled', 1, now() - (n % 365) * interval '1 day', now() from generate_series(1, ${2 * clients}) n where n % 7 > 0`,
    `insert into orders_lines (order_id, number, is_moderated, offer_id, product_id, name, quantity, price_tiyin)
     select id, 1, false, ${bench1} + id % 1000, ${bench1} + id % 1000, '{"ru":"Товар"}', 1, 1000000 from orders_orders`,
    'analyze',
  ]
  for (const sql of statements) await db.transaction((tx) => tx.all(sql))
}

/** Bought something in half a year, nothing of one brand, and not seen for a month. */
const clauses: Clause[] = [
  { ordered: { times: 1, days: 180 } },
  { not: { bought: { brand: String(bench1), days: 180 } } },
  { inactive: { days: 30 } },
]

async function audience(db: Database, cost: Costs): Promise<Row[]> {
  const meant = { channel: 'email', audience: clauses } as const
  const walk = await cost(async () => {
    let [size, after] = [0, 0]
    for (;;) {
      const candidates = await candidatesAfter(db.read(), meant, { after, limit: pageSize })
      size += (await matchingAmong(db.read(), meant, candidates)).length
      if (candidates.length < pageSize) return size
      after = candidates.at(-1)!
    }
  })
  const floor = await cost(() => db.read().one<{ size: number }>(audienceInOne))
  if (walk.result !== floor.result.size) throw new Error(`${walk.result} is not ${floor.result.size}`)
  return [
    {
      name: `an audience among ${clients} clients, three conditions`,
      ours: walk.cpuMs / (clients / 1_000),
      unit: 'ms of CPU a thousand',
      floor: floor.cpuMs / (clients / 1_000),
      bar: '≤ 50',
      note: `${walk.result} meant; ${(walk.ms / 1_000).toFixed(1)} s in pages of ${pageSize}; floor: one statement over all tables`,
    },
  ]
}

const audienceInOne = `select count(*) as size from identity_clients client
  where exists (select 1 from marketing_consents where holder = 'client/' || client.id and channel = 'email' and is_granted)
    and exists (select 1 from orders_orders where client_id = client.id and created_at > now() - interval '180 days' and status <> 'cancelled')
    and not exists (select 1 from orders_orders o join orders_lines line on line.order_id = o.id
      join catalog_products product on product.id = line.product_id
      where o.client_id = client.id and o.created_at > now() - interval '180 days' and o.status <> 'cancelled' and product.brand_id = ${bench1})
    and not exists (select 1 from orders_orders where client_id = client.id and created_at > now() - interval '30 days' and status <> 'cancelled')
    and not exists (select 1 from cart_carts where client_id = client.id and updated_at > now() - interval '30 days')
    and not exists (select 1 from cart_wishlists where client_id = client.id and updated_at > now() - interval '30 days')
    and not exists (select 1 from identity_sessions where client_id = client.id and last_used_at > now() - interval '30 days')
    and not exists (select 1 from marketing_activity where client_id = client.id and seen_at > now() - interval '30 days')`

const campaignOf = async (db: Database, when: Campaign['trigger']): Promise<Campaign> =>
  db.transaction(async (tx) => {
    const slug = `bench-${Object.keys(when)[0]!.replace('_', '-')}`
    const texts = { ru: { subject: 'Корзина', text: '{{client.name}} {{custom.word}}', html: null } }
    await insertTemplate(tx, { slug, channel: 'email', description: '', isActive: true, texts })
    return insertCampaign(tx, {
      name: slug,
      channel: 'email',
      template: slug,
      variables: { word: 'x' },
      audience: [],
      trigger: when,
      quietHours: { from: '00:00', to: '00:00' },
      repeatDays: null,
      holdoutPercent: 10,
      budgetMessages: null,
      budgetTiyin: null,
      priceTiyin: 0,
      attributionDays: 7,
      endsAt: null,
    })
  })

/** A scan every five minutes finds few carts, but reads all of them. */
async function leftCarts(db: Database, cost: Costs): Promise<Row[]> {
  const campaign = await campaignOf(db, { cart_abandoned: { days: 3 } })
  const look = await cost(async () => {
    await db.transaction((tx) => {
      const markedAt = new Date(tx.now.getTime() - 3_600_000)
      return scanPage(tx, { ...campaign, scannedUntil: markedAt }, { zone: 'UTC', isMissed: false })
    })
  })
  const [from, until] = [3 * dayMs + 3_600_000, 3 * dayMs].map(
    (ms) => new Date(systemClock().now().getTime() - ms),
  )
  const floor = await cost(() =>
    db
      .read()
      .all(
        `select client_id, id from cart_carts where client_id is not null and updated_at > $1 and updated_at <= $2 order by client_id`,
        [from, until],
      ),
  )
  return [
    {
      name: `a look for carts left, among ${clients / 2}`,
      ours: look.cpuMs,
      unit: 'ms of CPU',
      floor: floor.cpuMs,
      bar: '≤ 50',
      note: `every five minutes; ${floor.result.length} found; ${Math.round(look.ms)} ms`,
    },
  ]
}

/** Twenty batches: checked again, decided, and stored with their notifications. */
async function messages(db: Database, cost: Costs): Promise<Row[]> {
  const campaign = await campaignOf(db, { at: '2026-01-01T00:00:00Z' })
  const { messageSettings: surroundings } = runSettings(readConfig({}))
  const template = {
    id: 0,
    slug: campaign.template,
    channel: 'email' as const,
    description: '',
    isActive: true,
    version: 1,
    texts: { ru: { subject: 'Корзина', text: '{{client.name}} {{custom.word}}', html: null } },
    createdAt: campaign.createdAt,
    updatedAt: campaign.updatedAt,
  }
  await db.transaction((tx) =>
    tx.all(
      `insert into marketing_campaign_targets (campaign_id, client_id, occasion, state, due_at)
       select $1, n, 'due/1', 'waiting', $2 from generate_series(1, ${clients}) n`,
      [campaign.id, campaign.createdAt],
    ),
  )
  const send = await cost(async () => {
    let sent = 0
    for (let batch = 0; batch < 20; batch++)
      sent += await db.transaction((tx) => sendDue(tx, { campaign, template, messageSettings: surroundings }))
    return sent
  })
  const floor = await cost(() =>
    db.transaction((tx) =>
      tx.all(
        `insert into marketing_notifications (id, key, category, channel, client_id, address, template_id, template_version,
           language, variables, campaign_id, status, next_at, created_at)
         select gen_random_uuid(), gen_random_uuid()::text, 'marketing', 'email', n, 'c' || n || '@mail.uz', template.id, 1, 'ru',
           '{}', $1, 'queued', now(), now()
         from generate_series(1, $2::int8) n, marketing_templates template where template.slug = $3 returning 1`,
        [campaign.id, send.result, campaign.template],
      ),
    ),
  )
  return [
    {
      name: 'a message of a campaign, decided and handed over',
      ours: send.cpuMs / send.result,
      unit: 'ms of CPU',
      floor: floor.cpuMs / send.result,
      bar: '≤ 0.5',
      note: `${Math.round((1_000 * send.result) / send.ms)} a second in batches; floor: its bare row`,
    },
  ]
}
