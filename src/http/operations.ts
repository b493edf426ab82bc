// Routes and pages for operators: health probes, metrics, jobs, dead letters.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Environment } from '../base/database.ts'
import type { JobRunRecord, JobState } from '../base/jobs.ts'
import { deadLetters, retryDeadLetter, outboxBacklog } from '../base/outbox.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { type Authenticate, authenticationInput } from './admission.ts'
import { readinessChecks } from './health.ts'
import { type Gauge, type Metrics, type MetricsFormat, type MetricsPart, renderMetrics } from './metrics.ts'
import type { CollectMetrics } from './metrics-workers.ts'
import type { LoadShedder } from './overload.ts'
import { get, post, type Route } from './route.ts'
import { flag, id, idText, instant, integer, list, nullable, oneOf, text } from './schema.ts'
import type { Page } from './server.ts'

type Shops = Record<Environment, Shop>

const jobReply = Type.Object({
  name: Type.String({ examples: ['housekeeping'] }),
  cron: Type.String({ examples: ['0 30 3 * * ?'] }),
  description: Type.String({ examples: ['Deletes expired rows.'] }),
  last_due_at: instant,
  next_due_at: nullable(instant),
  running: flag,
  last_run: nullable(
    Type.Object({
      started_at: instant,
      finished_at: nullable(instant),
      outcome: oneOf(['running', 'done', 'failed']),
      note: Type.String({ examples: ['deleted 12 rows'] }),
    }),
  ),
})

const jobView = (it: JobState) => ({
  name: it.name,
  cron: it.cron,
  description: it.description,
  last_due_at: it.lastDueAt.toISOString(),
  next_due_at: it.nextDueAt?.toISOString() ?? null,
  running: it.running,
  last_run: it.lastRun && {
    started_at: new Date(it.lastRun.startedAt).toISOString(),
    finished_at: it.lastRun.finishedAt && new Date(it.lastRun.finishedAt).toISOString(),
    outcome: it.lastRun.outcome as 'running' | 'done' | 'failed',
    note: it.lastRun.note,
  },
})

const runReply = Type.Object({
  due_at: instant,
  started_at: instant,
  finished_at: nullable(instant),
  outcome: oneOf(['running', 'done', 'failed']),
  note: Type.String({ examples: ['deleted 12 replies'] }),
})

const runView = (it: JobRunRecord) => ({
  due_at: it.dueAt.toISOString(),
  started_at: it.startedAt.toISOString(),
  finished_at: it.finishedAt?.toISOString() ?? null,
  outcome: it.outcome as 'running' | 'done' | 'failed',
  note: it.note,
})

const deadReply = Type.Object({
  sequence: idText,
  reaction: Type.String({ examples: ['cart.offer-price-changed'] }),
  type: Type.String({ examples: ['OfferPriceChanged'] }),
  subject: Type.String({ examples: ['offer/1000'] }),
  attempts: integer(1, 1_000),
  error: Type.String({ examples: ['canceling statement due to lock timeout'] }),
  dead_at: instant,
})

export function operationsRoutes(shops: Shops): Route[] {
  return [
    get('/v1/admin/jobs', {
      summary: 'List jobs and their last runs',
      scope: 'admin:read',
      reply: Type.Object({ jobs: list(jobReply) }),
      run: async ({ environment }) => ({
        data: { jobs: (await shops[environment].jobs.states()).map(jobView) },
      }),
    }),
    get('/v1/admin/jobs/{name}/runs', {
      summary: 'List recent runs of a job',
      scope: 'admin:read',
      params: { name: text({ max: 100, examples: ['housekeeping'] }) },
      reply: Type.Object({ runs: list(runReply) }),
      run: async ({ params, environment }) => {
        const { jobs } = shops[environment]
        if (!jobs.has(params.name)) throw refuse('not_found')
        return { data: { runs: (await jobs.history(params.name)).map(runView) } }
      },
    }),
    post('/v1/admin/jobs/{name}/run', {
      summary: 'Run a job now',
      description:
        'The reply is sent after the run. If another process is already running the job, no second run starts.',
      scope: 'admin:write',
      params: { name: text({ max: 100, examples: ['housekeeping'] }) },
      reply: Type.Object({ name: Type.String({ examples: ['housekeeping'] }) }),
      run: async ({ tx, params, environment }) => {
        const { jobs } = shops[environment]
        if (!jobs.has(params.name)) throw refuse('not_found')
        tx.afterCommit(async () => void (await jobs.runNow(params.name)))
        return { data: { name: params.name } }
      },
    }),
    get('/v1/admin/dead-letters', {
      summary: 'List events that a reaction failed to handle',
      scope: 'admin:read',
      reply: Type.Object({ dead_letters: list(deadReply) }),
      run: async ({ read }) => ({
        data: {
          dead_letters: (await deadLetters(read)).map((it) => ({
            sequence: String(it.sequence),
            reaction: it.reaction,
            type: it.type,
            subject: it.subject,
            attempts: it.attempts,
            error: it.error,
            dead_at: it.deadAt.toISOString(),
          })),
        },
      }),
    }),
    post('/v1/admin/dead-letters/{sequence}/{reaction}/retry', {
      summary: 'Retry a failed reaction',
      scope: 'admin:write',
      params: { sequence: id, reaction: text({ max: 100, examples: ['cart.offer-price-changed'] }) },
      reply: Type.Object({
        sequence: idText,
        reaction: Type.String({ examples: ['cart.offer-price-changed'] }),
      }),
      run: async ({ tx, params, environment }) => {
        if (!(await retryDeadLetter(tx, params))) throw refuse('not_found')
        tx.afterCommit(() => shops[environment].relay.wake())
        return { data: { sequence: String(params.sequence), reaction: params.reaction } }
      },
    }),
  ]
}

const jsonPage = (body: unknown, status = 200) => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  headers: { 'cache-control': 'no-store', ...(status === 503 && { 'retry-after': '2' }) },
})

const metricsTypes: Record<MetricsFormat, string> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** Figures of the platform that are the same in every process. */
export const platformGauges = async (shops: Shops, ofModules: () => Promise<Gauge[]>): Promise<Gauge[]> => [
  ...(await sharedGauges(shops)),
  ...(await ofModules()),
]

export function operationsPages(
  shops: Shops,
  tools: {
    /** The metrics of all processes. */
    collectMetrics: CollectMetrics
    authenticate: Authenticate
    isDraining: () => boolean
    /** Parts of the modules that must be loaded, such as the product index and the models. */
    readiness: () => Record<string, boolean>
    /** Configured servers, such as Redis and NATS. The platform stays ready while they are unreachable. */
    dependencies: () => Record<string, boolean>
    /** Figures of the modules. */
    gauges: () => Promise<Gauge[]>
  },
): Page[] {
  return [
    { path: '/healthz', isProbe: true, run: () => jsonPage({ status: 'up' }) },
    {
      path: '/readyz',
      isProbe: true,
      run: async () => {
        const draining = tools.isDraining()
        const needed = await readinessChecks(shops, tools.readiness)
        const checks = { draining, ...needed }
        const ready = Object.values(needed).every(Boolean) && !draining
        const body = { status: ready ? 'ready' : 'not ready', checks, dependencies: tools.dependencies() }
        return jsonPage(body, ready ? 200 : 503)
      },
    },
    {
      path: '/metrics',
      run: async ({ request }) => {
        await requireMetricsAccess(request, tools.authenticate)
        const format = /application\/openmetrics-text/.test(request.headers.accept ?? '')
          ? 'openmetrics'
          : 'prometheus'
        const gauges = await platformGauges(shops, tools.gauges)
        return {
          type: metricsTypes[format],
          body: renderMetrics(await tools.collectMetrics(), gauges, format),
        }
      },
    },
  ]
}

const loopback = /^(::1|(::ffff:)?127\.)/
const forwardingHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/** Metrics are for this machine and for `admin:read`. Requests forwarded by a local proxy do not count as local. */
async function requireMetricsAccess(request: FastifyRequest, authenticate: Authenticate): Promise<void> {
  const { headers } = request
  if (loopback.test(request.ip) && !forwardingHeaders.some((it) => headers[it])) return
  const principal = await authenticate(authenticationInput(request))
  // The metrics cover both environments, so a test key is not enough.
  const mayLook = principal && !(principal instanceof Refusal) && principal.environment === 'live'
  if (!mayLook || !principal.scopes.has('admin:read')) throw refuse('not_found')
}

const perShop = (
  shops: Shops,
  { name, help }: { name: string; help: string },
  value: (shop: Shop, at: number) => number,
): Gauge[] =>
  [shops.live, shops.test].map((shop, at) => ({
    name,
    help,
    labels: { environment: shop.environment },
    value: value(shop, at),
  }))

/** Figures of the platform, which are the same in all processes. */
async function sharedGauges(shops: Shops): Promise<Gauge[]> {
  const waiting = await Promise.all([shops.live, shops.test].map((it) => outboxBacklog(it.db.read())))
  return [
    ...perShop(
      shops,
      { name: 'bozor_outbox_waiting', help: 'Events not delivered yet.' },
      (_it, at) => waiting[at]!.waiting,
    ),
    ...perShop(
      shops,
      { name: 'bozor_outbox_dead', help: 'Events that a reaction failed to handle.' },
      (_it, at) => waiting[at]!.dead,
    ),
  ]
}

/** The metrics of this process. */
export const metricsPartOf = (
  shops: Shops,
  { metrics, loadShedder }: { metrics: Metrics; loadShedder: LoadShedder },
): MetricsPart => ({
  process: String(process.pid),
  calls: metrics.calls(),
  gauges: [
    { name: 'bozor_http_requests_in_progress', help: 'Requests in progress.', value: loadShedder.inProgress },
    {
      name: 'bozor_event_loop_delay_seconds',
      help: 'Delay of the event loop in the last sample.',
      value: loadShedder.delayMs / 1000,
    },
    {
      name: 'bozor_memory_bytes',
      help: 'Resident memory of this process.',
      value: process.memoryUsage.rss(),
    },
    {
      name: 'bozor_cpu_seconds_total',
      help: 'CPU time of this process.',
      type: 'counter',
      value: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    },
    ...perShop(
      shops,
      { name: 'bozor_db_connections', help: 'Open database connections.' },
      (it) => it.db.load.open,
    ),
    ...perShop(
      shops,
      { name: 'bozor_db_waiting', help: 'Requests waiting for a database connection.' },
      (it) => it.db.load.waiting,
    ),
    ...perShop(
      shops,
      {
        name: 'bozor_db_replica_unused',
        help: '1 while a replica is configured and the primary answers all reads.',
      },
      (it) => (it.db.isReplicaUsable ? 0 : 1),
    ),
  ],
})
