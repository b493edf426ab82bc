// Metrics of webhook queues and attempts.

import type { Environment } from '../base/database.ts'
import type { Shop } from '../base/shop.ts'
import type { Gauge } from '../http/metrics.ts'
import type { AttemptCounts } from './deliveries/delivery-worker.ts'
import { queueFigures } from './endpoints/store.ts'

export async function webhookGauges(
  shops: Record<Environment, Shop>,
  attempts: Record<Environment, AttemptCounts>,
): Promise<Gauge[]> {
  const environments = ['live', 'test'] as const
  const figures = await Promise.all(environments.map((it) => queueFigures(shops[it].db.read())))
  const gauge = (name: string, help: string, value: (at: number) => number): Gauge[] =>
    environments.map((environment, at) => ({ name, help, labels: { environment }, value: value(at) }))
  const outcomes = ['succeeded', 'failed'] as const
  return [
    ...gauge('bozor_webhook_queue', 'Webhook deliveries that have not ended.', (at) => figures[at]!.queued),
    ...gauge(
      'bozor_webhook_endpoints_failing',
      'Enabled webhooks whose last attempt failed.',
      (at) => figures[at]!.failing,
    ),
    ...gauge('bozor_webhook_endpoints_disabled', 'Disabled webhooks.', (at) => figures[at]!.disabled),
    ...environments.flatMap((environment) =>
      outcomes.map((outcome) => ({
        name: 'bozor_webhook_attempts',
        help: 'Webhook attempts of this process since its start.',
        labels: { environment, outcome },
        value: attempts[environment][outcome],
      })),
    ),
  ]
}
