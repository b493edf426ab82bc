// Several server processes on one database, and buyers who write to them without pause.

import { equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { address, cash } from '../support/orders.ts'
import { bozor, type RunningServer, startServer } from '../support/process.ts'
import { ndjson } from '../support/records.ts'
import { callAt, testSecretKey } from '../support/shop.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** `SERVICES_FORM=short` is what CI runs. */
export const isShort = process.env['SERVICES_FORM'] === 'short'

/** Variables of a node. Each has a folder of its own, as on a machine of its own. */
export function nodeVariables(shared: Record<string, string>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-node-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { SECRET_KEY: testSecretKey, DATA_DIR: folder, STOREFRONT: 'off', ...shared }
}

/** A key of the live environment with every scope that the tests use. */
export async function createKey(
  shared: Record<string, string>,
  version: { main?: string } = {},
): Promise<string> {
  const scopes =
    'catalog:read catalog:write cart:read cart:write orders:read orders:write admin:read admin:write'
  const args = ['app', 'create', '--name', 'Services', '--type', 'server', '--env', 'live', '--json']
  const { code, stdout, stderr } = await bozor(
    [...args, '--scopes', scopes],
    nodeVariables({ ...shared, LOG_LEVEL: 'error' }),
    version,
  )
  equal(code, 0, stderr)
  return (JSON.parse(stdout) as { api_key: string }).api_key
}

/** Offers without end, and limits that allow it. */
export async function addUnlimitedStock({ url }: RunningServer, key: string): Promise<void> {
  const send = async (method: string, path: string, options: object) => {
    const reply = await callAt(url, method, path, { key, ...options })
    equal(reply.status, 200, reply.text)
  }
  const most = Number.MAX_SAFE_INTEGER
  const limits = {
    daily_amount_tiyin: most,
    product_units_per_order: 9_999,
    product_units_per_30_days: 1_000_000,
  }
  await send('PATCH', '/v1/admin/limits', { body: limits })
  const name = { ru: 'Товар', uz: 'Mahsulot', en: 'Product' }
  const offer = { product_id: 1, partner_id: 1, price_tiyin: 100, quantity: initialStock }
  await send('POST', '/v1/catalog/import', {
    raw: ndjson([
      { record: 'category', id: 1, slug: 'phones', name },
      { record: 'partner', id: 1, slug: 'texnomart', name: 'Texnomart' },
      { record: 'product', id: 1, category_id: 1, slug: 'phone', name },
      { record: 'offer', id: 1, ...offer },
    ]),
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

export interface Buying {
  /** Answered calls, and the instants (`performance.now`) at which each was sent and answered. */
  acknowledged: { units: number; orders: number; sentAtMs: number[]; repliedAtMs: number[] }
  /** Replies other than 2xx by status, and calls without a reply under `lost`. */
  refused: Record<string, number>
  /** The same by status and error code; a reply of the proxy has no code. */
  reasons: Record<string, number>
  /** Lets the calls in progress end. A call without a success is repeated with its key until it succeeds. */
  stop(): Promise<void>
}

const unitsPerOrder = 4
const initialStock = 1_000_000

/** Each buyer adds one unit after another and orders after every fourth; a call that fails is repeated with its key. */
export function startBuying(options: {
  urls: () => readonly string[]
  key: string
  buyers: number
  firstClient: number
}): Buying {
  const acknowledged: Buying['acknowledged'] = { units: 0, orders: 0, sentAtMs: [], repliedAtMs: [] }
  const refused: Record<string, number> = {}
  const reasons: Record<string, number> = {}
  let isStopped = false
  const untilDone = async (path: string, body: object, idempotencyKey: string) => {
    for (let attempt = 0; ; attempt++) {
      const urls = options.urls()
      const url = urls[attempt % urls.length]!
      const headers = { 'idempotency-key': idempotencyKey }
      const sentAtMs = performance.now()
      const reply = await callAt(url, 'POST', path, { key: options.key, body, headers }).catch(
        () => undefined,
      )
      if (reply && reply.status < 300) {
        acknowledged.sentAtMs.push(sentAtMs)
        acknowledged.repliedAtMs.push(performance.now())
        return
      }
      const kind = String(reply?.status ?? 'lost')
      refused[kind] = (refused[kind] ?? 0) + 1
      const reason = `${kind} ${reply?.body?.error?.code ?? 'without a code'}`
      reasons[reason] = (reasons[reason] ?? 0) + 1
      if (reply && reply.status < 500 && reply.status !== 409) throw new Error(`${path}: ${reply.text}`)
      await sleep(50)
    }
  }
  const buy = async (ClientId: number) => {
    for (let at = 1; !isStopped; at++) {
      const unit = { ClientId, OfferId: 1, Quantity: 1 }
      await untilDone('/api/cart/items', unit, `unit-${ClientId}-${at}`)
      acknowledged.units++
      if (at % unitsPerOrder !== 0) continue
      const order = { ClientId, PaymentMethodId: cash, DeliveryAddress: address }
      await untilDone('/api/cart/orders', order, `order-${ClientId}-${at}`)
      acknowledged.orders++
    }
  }
  const all = Promise.all(Array.from({ length: options.buyers }, (_, at) => buy(options.firstClient + at)))
  all.catch(() => {})
  return {
    acknowledged,
    refused,
    reasons,
    stop: async () => {
      isStopped = true
      await all
    },
  }
}

/** What the database holds of all buyers: units in carts, units in orders, orders, units taken from the stock. */
export const storedPurchases = `
  select (select coalesce(sum(quantity), 0)::int from live.cart_items) as "inCarts",
    (select coalesce(sum(quantity), 0)::int from live.orders_lines) as "inOrders",
    (select count(*)::int from live.orders_orders) as orders,
    (select ${initialStock} - quantity::int from live.catalog_offers where id = 1) as sold`

export interface StoredPurchases {
  inCarts: number
  inOrders: number
  orders: number
  sold: number
}

export const startNode = (
  shared: Record<string, string>,
  version: { main?: string } = {},
): Promise<RunningServer> => startServer(nodeVariables(shared), version)
