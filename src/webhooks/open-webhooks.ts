// Opens webhooks, the event log, the live stream and the message bus for both environments.

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import type { Log } from '../base/log.ts'
import { Loop } from '../base/loop.ts'
import { type Reaction, reaction } from '../base/outbox.ts'
import type { AddressPolicy } from '../base/outbound-address.ts'
import type { Shop } from '../base/shop.ts'
import type { Telemetry } from '../base/telemetry.ts'
import { openVault } from '../base/vault.ts'
import type { Module } from '../http/module.ts'
import { MessageBus } from './bus/message-bus.ts'
import { type DeliveryWorkerOptions, openDeliveryWorker } from './deliveries/delivery-worker.ts'
import { enqueueEvents } from './deliveries/enqueue-events.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { makeAllDue, purgeEndedDeliveries } from './deliveries/store.ts'
import { webhookRoutes } from './endpoints/routes.ts'
import { purgeDeletedEndpoints, purgeEndedSecrets } from './endpoints/store.ts'
import { RecentEvents } from './events/recent-events.ts'
import { eventRoutes } from './events/routes.ts'
import { webhookGauges } from './gauges.ts'

const enqueuePollMs = 1_000

export interface WebhooksDeps {
  shops: Record<Environment, Shop>
  config: Pick<Config, 'natsUrl' | 'secretKey' | 'dataDir' | 'testWebhooksToLoopback'>
  /** The system clock, which signs deliveries. */
  clock: Clock
  log: Log
  telemetry: Telemetry
}

export function openWebhooks({ shops, config, clock, log, telemetry }: WebhooksDeps): Module {
  const vault = openVault(config)
  const addresses: Record<Environment, AddressPolicy> = {
    live: { requiresHttps: true, allowsLoopback: false },
    test: { requiresHttps: false, allowsLoopback: config.testWebhooksToLoopback },
  }
  const open = (it: Shop) =>
    openDelivery(it, { db: it.db, vault, addresses: addresses[it.environment], clock, log, telemetry })
  const deliveries = { live: open(shops.live), test: open(shops.test) }
  const recent = { live: new RecentEvents(shops.live), test: new RecentEvents(shops.test) }
  const bus =
    config.natsUrl === undefined ? undefined : new MessageBus(shops, { natsUrl: config.natsUrl, log })
  return {
    routes: [...webhookRoutes({ vault, addresses }), ...deliveryRoutes, ...eventRoutes(recent)],
    jobs: [purgeDeliveries],
    reactions,
    gauges: () => webhookGauges(shops, { live: deliveries.live.counts, test: deliveries.test.counts }),
    ...(bus && { dependencies: () => ({ nats: bus.isReachable }) }),
    start: async () => {
      for (const it of Object.values(deliveries)) it.start()
      await bus?.start()
    },
    close: async () => {
      await Promise.all([...Object.values(deliveries).map((it) => it.close()), bus?.close()])
    },
  }
}

/** Throws when NATS cannot be reached. */
export async function pingMessageBus(natsUrl: string): Promise<void> {
  const { pingBus } = await import('./bus/nats.ts')
  await pingBus(natsUrl)
}

/** Fills the queues of one environment's endpoints and works them off. */
function openDelivery({ db, relay }: Shop, options: DeliveryWorkerOptions) {
  const worker = openDeliveryWorker(options)
  const enqueueing = new Loop(
    async () => {
      const events = await enqueueEvents(db)
      if (events > 0) worker.wake()
      return events > 0
    },
    {
      pollMs: enqueuePollMs,
      onError: (error) =>
        options.log.warn('events could not be enqueued for webhooks; retrying', {
          environment: db.environment,
          error,
        }),
    },
  )
  relay.subscribeInOrder(() => enqueueing.wake())
  return {
    counts: worker.counts,
    start: () => {
      enqueueing.start()
      worker.start()
    },
    close: async () => {
      await enqueueing.close()
      await worker.close()
    },
  }
}

const keepDays = 30

const purgeDeliveries: Job = {
  name: 'purge-webhook-deliveries',
  cron: '0 55 3 * * ?',
  isPurge: true,
  description: `Deletes ended webhook deliveries after ${keepDays} days, with expired secrets and deleted webhooks.`,
  run: async (work) => {
    const deliveries = await deleteInBatches(work, { days: keepDays, sql: purgeEndedDeliveries })
    const secrets = await deleteInBatches(work, { days: 1, sql: purgeEndedSecrets })
    await deleteInBatches(work, { days: keepDays, sql: purgeDeletedEndpoints })
    return `deleted ${deliveries} deliveries and ${secrets} secrets`
  },
}

const reactions: Reaction[] = [
  // Back to real time: retries that were near in the moved clock would otherwise be far in the future.
  reaction('webhooks.make-due', 'TestClockMoved', async (tx, { event }) => {
    if (event.offsetSeconds === 0) makeAllDue(tx, new Date(event.movedAt))
  }),
]
