// Offers that do not run out, and limits that let a benchmark add to carts for as long as it runs.

import type { Ours } from './ours.ts'

const name = { ru: 'Товар', uz: 'Mahsulot', en: 'Product' }
const stock = { price_tiyin: 100, quantity: 1_000_000_000 }

/** Offers with ids from `first` on, each of a product of its own. */
export async function stockUp(ours: Ours, { first, count }: { first: number; count: number }): Promise<void> {
  await raiseLimits(ours)
  const records = [
    { record: 'category', id: first, slug: 'bench', name },
    { record: 'partner', id: first, slug: 'bench', name: 'Bench' },
    ...Array.from({ length: count }, (_, at) => first + at).flatMap((id) => [
      { record: 'product', id, category_id: first, slug: `bench-${id}`, name },
      { record: 'offer', id, product_id: id, partner_id: first, ...stock },
    ]),
  ]
  const lines = records.map((it) => JSON.stringify(it)).join('\n')
  await send(ours, 'POST', '/v1/catalog/import', { type: 'application/x-ndjson', body: lines })
}

export async function raiseLimits(ours: Ours): Promise<void> {
  const limits = {
    daily_amount_tiyin: Number.MAX_SAFE_INTEGER,
    product_units_per_order: 9_999,
    product_units_per_30_days: 1_000_000,
  }
  await send(ours, 'PATCH', '/v1/admin/limits', { type: 'application/json', body: JSON.stringify(limits) })
}

async function send(
  { url, key }: Ours,
  method: string,
  path: string,
  { type, body }: { type: string; body: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const reply = await fetch(url + path, { method, headers, body })
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
}
