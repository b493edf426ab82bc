// Metrics of the notification queues.

import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { Gauge } from '../../http/metrics.ts'
import { channels } from '../templates/template.ts'
import { queueFigures } from './store.ts'

const unfinished = ['queued', 'sending', 'retrying', 'held'] as const

export async function notificationGauges(shops: Record<Environment, Shop>): Promise<Gauge[]> {
  const perShop = await Promise.all(
    Object.values(shops).map(async ({ environment, db }) => {
      const figures = await queueFigures(db.read())
      return channels.flatMap((channel) =>
        unfinished.map((status) => ({
          name: 'bozor_notification_queue',
          help: 'Notifications that have not ended.',
          labels: { environment, channel, status },
          value: figures.find((it) => it.channel === channel && it.status === status)?.count ?? 0,
        })),
      )
    }),
  )
  return perShop.flat()
}
