// What the health page of the dashboard shows: parts that must be ready, queues, jobs, versions and the last backup.

import { Type } from 'typebox'
import { lastBackup } from '../base/backup/last-backup.ts'
import type { Config } from '../base/config.ts'
import type { Environment, Reader } from '../base/database.ts'
import { pendingMigrations } from '../base/migrate.ts'
import { outboxBacklog } from '../base/outbox.ts'
import type { Shop } from '../base/shop.ts'
import type { Gauge } from './metrics.ts'
import { get, type Route } from './route.ts'
import { flag, instant, integer, list, nullable, oneOf } from './schema.ts'

type Shops = Record<Environment, Shop>

export interface HealthTools {
  readiness: () => Record<string, boolean>
  dependencies: () => Record<string, boolean>
  gauges: () => Promise<Gauge[]>
}

/** The checks of `/readyz` but draining. */
export async function readinessChecks(
  shops: Shops,
  readiness: () => Record<string, boolean>,
): Promise<Record<string, boolean>> {
  const checks = { database: false, migrations: false, ...readiness() }
  try {
    const read = shops.live.db.read()
    checks.migrations = (await pendingMigrations((sql) => read.all(sql))).length === 0
    checks.database = true
  } catch {
    // `checks.database` stays false.
  }
  return checks
}

const count = integer(0, Number.MAX_SAFE_INTEGER)
const named = Type.String({ examples: ['product_index'] })
const check = Type.Object({ name: named, is_ok: flag })

const reply = Type.Object({
  is_ready: flag,
  checks: list(check),
  dependencies: list(check),
  queues: list(Type.Object({ name: Type.String({ examples: ['webhook'] }), waiting: count })),
  dead_letters: count,
  jobs: Type.Object({ total: count, running: count, failed: list(named) }),
  versions: Type.Object({
    bozor: Type.String({ examples: ['0.1.0'] }),
    node: Type.String({ examples: ['24.0.0'] }),
    postgresql: Type.String({ examples: ['18.1'] }),
  }),
  last_backup: nullable(Type.Object({ created_at: instant })),
  services: list(
    Type.Object({
      name: oneOf(['payments', 'email', 'sms', 'push', 'pictures']),
      state: oneOf(['configured', 'stored', 'off'], {
        description: 'Stored: nothing is sent, as in the test environment without a provider.',
      }),
      server: nullable(Type.String({ description: 'Host of the service.', examples: ['smtp.example.com'] })),
      variables: list(Type.String({ examples: ['SMTP_URL'] })),
    }),
  ),
})

const checksOf = (found: Record<string, boolean>) =>
  Object.entries(found).map(([name, isOk]) => ({ name, is_ok: isOk }))

export const healthRoutes = (
  shops: Shops,
  { config, version, tools }: { config: Config; version: string; tools: HealthTools },
): Route[] => [
  get('/v1/admin/health', {
    summary: 'Get the health of the platform',
    description:
      'Parts that must be ready, reachable servers, queues, jobs, versions, the last backup and the outside services of the environment.',
    scope: 'admin:read',
    reply,
    run: async ({ read, environment }) => {
      const [checks, gauges, backlog, jobs, postgresql] = await Promise.all([
        readinessChecks(shops, tools.readiness),
        tools.gauges(),
        outboxBacklog(read),
        shops[environment].jobs.states(),
        serverVersion(read),
      ])
      const backup = lastBackup(config)
      return {
        data: {
          is_ready: Object.values(checks).every(Boolean),
          checks: checksOf(checks),
          dependencies: checksOf(tools.dependencies()),
          queues: [{ name: 'event', waiting: backlog.waiting }, ...queuesIn(gauges, environment)],
          dead_letters: backlog.dead,
          jobs: {
            total: jobs.length,
            running: jobs.filter((it) => it.running).length,
            failed: jobs.filter((it) => it.lastRun?.outcome === 'failed').map((it) => it.name),
          },
          versions: { bozor: version, node: process.versions.node, postgresql },
          last_backup: backup ? { created_at: backup.madeAt } : null,
          services: servicesOf(config, environment),
        },
      }
    },
  }),
]

const serverVersion = async (read: Reader): Promise<string> =>
  (await read.one<{ version: string }>(`select current_setting('server_version') as version`)).version

const queueForm = /^bozor_(notification|webhook)_queue$|^bozor_(payment)_tasks$/

/** Waiting work of one environment, summed over channels and states. */
function queuesIn(gauges: readonly Gauge[], environment: Environment): { name: string; waiting: number }[] {
  const sums = new Map<string, number>()
  for (const { name, labels, value } of gauges) {
    const [, first, second] = queueForm.exec(name) ?? []
    const queue = first ?? second
    if (queue && labels?.['environment'] === environment) sums.set(queue, (sums.get(queue) ?? 0) + value)
  }
  return [...sums].map(([name, waiting]) => ({ name, waiting }))
}

/** Addresses are shown without their credentials. */
const hostOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).host)

function servicesOf(config: Config, environment: Environment) {
  const isLive = environment === 'live'
  const prefix = isLive ? '' : 'TEST_'
  // Without a provider the test environment stores messages, and its own acquirer takes cards.
  const fallback = isLive ? ('off' as const) : ('stored' as const)
  const service = <Name extends string>(name: Name, url: string | undefined, variables: string[]) => ({
    name,
    state: url === undefined ? fallback : ('configured' as const),
    server: hostOf(url),
    variables: variables.map((it, at) => (at === 0 ? prefix + it : it)),
  })
  return [
    service('payments', config.acquirers[environment].url, [
      'ACQUIRER_URL',
      'ACQUIRER_TOKEN',
      'ACQUIRER_SECRET',
    ]),
    service('email', isLive ? config.smtpUrl : config.testSmtpUrl, ['SMTP_URL', 'MAIL_FROM']),
    service('sms', isLive ? config.smsUrl : config.testSmsUrl, ['SMS_URL', 'SMS_TOKEN', 'SMS_SECRET']),
    service('push', isLive ? config.pushUrl : config.testPushUrl, ['PUSH_URL', 'PUSH_TOKEN', 'PUSH_SECRET']),
    {
      name: 'pictures' as const,
      state: config.picturesS3 ? ('configured' as const) : ('stored' as const),
      server: hostOf(config.picturesS3?.url),
      variables: ['PICTURES_S3_URL', 'PICTURES_S3_REGION', 'PICTURES_S3_KEY_ID', 'PICTURES_S3_SECRET'],
    },
  ]
}
