// Metrics of open tasks for acquirers.

import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { Gauge } from '../../http/metrics.ts'

export async function paymentGauges(shops: Record<Environment, Shop>): Promise<Gauge[]> {
  const rows = await Promise.all(
    Object.values(shops).map(async ({ environment, db }) => {
      const [row] = await db.read().all<{ open: number; retried: number }>(
        `select count(*) as open, count(*) filter (where attempts > 0) as retried
         from orders_payment_tasks where done_at is null`,
      )
      return { labels: { environment }, ...row! }
    }),
  )
  return [
    ...rows.map(({ labels, open: value }) => ({
      name: 'bozor_payment_tasks',
      help: 'Calls to acquirers that are not done.',
      labels,
      value,
    })),
    ...rows.map(({ labels, retried: value }) => ({
      name: 'bozor_payment_tasks_retried',
      help: 'Calls to acquirers that failed and wait for another attempt.',
      labels,
      value,
    })),
  ]
}
