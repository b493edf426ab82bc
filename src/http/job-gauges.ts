// Metrics of the scheduled jobs.

import type { Environment } from '../base/database.ts'
import type { Shop } from '../base/shop.ts'
import type { Gauge } from './metrics.ts'

export async function jobGauges(shops: Record<Environment, Shop>): Promise<Gauge[]> {
  const states = await Promise.all(
    Object.values(shops).map(async ({ environment, jobs }) =>
      (await jobs.states()).map((it) => ({ ...it, labels: { environment, job: it.name } })),
    ),
  )
  const all = states.flat()
  const gauge = (name: string, help: string, value: (job: (typeof all)[number]) => number): Gauge[] =>
    all.map((it) => ({ name, help, labels: it.labels, value: value(it) }))
  return [
    ...gauge('bozor_job_running', 'Whether the job runs now.', (it) => (it.running ? 1 : 0)),
    ...gauge('bozor_job_failed', 'Whether the last run of the job failed.', (it) =>
      it.lastRun?.outcome === 'failed' ? 1 : 0,
    ),
    ...gauge(
      'bozor_job_last_run_seconds',
      'Start of the last run as a Unix time; 0 before the first.',
      (it) => (it.lastRun ? new Date(it.lastRun.startedAt).getTime() / 1000 : 0),
    ),
  ]
}
