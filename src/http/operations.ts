// What those who run the shop ask for: is it up, is it ready, how is it doing, and what happens in the background.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Environment } from '../base/db.ts'
import type { JobPast, JobState } from '../base/jobs.ts'
import { pendingMigrations } from '../base/migrate.ts'
import { deadLetters, reviveDeadLetter, waitingEvents } from '../base/outbox.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { type Authenticate, callerOf } from './admission.ts'
import type { Gauge, Metrics } from './metrics.ts'
import type { Gate } from './overload.ts'
import { get, post, type Route } from './route.ts'
import { flag, id, idText, instant, integer, list, nullable, oneOf, text } from './schema.ts'
import type { Page } from './server.ts'

type Shops = Record<Environment, Shop>

const jobReply = Type.Object({
  name: Type.String({ examples: ['housekeeping'] }),
  cron: Type.String({ examples: ['0 30 3 * * ?'] }),
  meaning: Type.String({ examples: ['Deletes what nobody needs any more.'] }),
  last_due_at: instant,
  next_due_at: nullable(instant),
  running: flag,
  last_run: nullable(
    Type.Object({
      started_at: instant,
      finished_at: nullable(instant),
      outcome: Type.String({ examples: ['done'] }),
      note: Type.String({ examples: ['deleted 12 rows'] }),
    }),
  ),
})

const jobView = (it: JobState) => ({
  name: it.name,
  cron: it.cron,
  meaning: it.meaning,
  last_due_at: it.lastDueAt.toISOString(),
  next_due_at: it.nextDueAt?.toISOString() ?? null,
  running: it.running,
  last_run: it.lastRun && {
    started_at: new Date(it.lastRun.startedAt).toISOString(),
    finished_at: it.lastRun.finishedAt && new Date(it.lastRun.finishedAt).toISOString(),
    outcome: it.lastRun.outcome,
    note: it.lastRun.note,
  },
})

const runReply = Type.Object({
  due_at: instant,
  started_at: instant,
  finished_at: nullable(instant),
  outcome: oneOf(['running', 'done', 'failed']),
  note: Type.String({ examples: ['forgot 12 replies'] }),
})

const runView = (it: JobPast) => ({
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
      summary: 'List what a job did lately',
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
        'The reply comes when the run is over. A run that another process has begun is not repeated.',
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
      summary: 'List reactions that failed for good',
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
      summary: 'Try a failed reaction again',
      scope: 'admin:write',
      params: { sequence: id, reaction: text({ max: 100, examples: ['cart.offer-price-changed'] }) },
      reply: Type.Object({
        sequence: idText,
        reaction: Type.String({ examples: ['cart.offer-price-changed'] }),
      }),
      run: async ({ tx, params, environment }) => {
        if (!(await reviveDeadLetter(tx, params))) throw refuse('not_found')
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

/** `health` tells whether the process means to go on: it stops being ready before it stops. */
export function operationsPages(
  shops: Shops,
  tools: {
    metrics: Metrics
    gate: () => Gate
    authenticate: Authenticate
    isDraining: () => boolean
    /** Whether the goods are there, for search and for lists, and what was learnt of them before the start. */
    inMemory: () => { goods: boolean; models: boolean }
  },
): Page[] {
  return [
    { path: '/healthz', isProbe: true, run: () => jsonPage({ status: 'up' }) },
    {
      path: '/readyz',
      isProbe: true,
      run: async () => {
        const checks = {
          draining: tools.isDraining(),
          database: false,
          migrations: false,
          ...tools.inMemory(),
        }
        try {
          const read = shops.live.db.read()
          checks.migrations = (await pendingMigrations((sql) => read.all(sql))).length === 0
          checks.database = true
        } catch {
          // The reply says it: the database cannot be reached.
        }
        const { draining, ...needed } = checks
        const ready = Object.values(needed).every(Boolean) && !draining
        return jsonPage({ status: ready ? 'ready' : 'not ready', checks }, ready ? 200 : 503)
      },
    },
    {
      path: '/metrics',
      run: async ({ request }) => {
        await refuseStrangers(request, tools.authenticate)
        return {
          type: 'text/plain; version=0.0.4; charset=utf-8',
          body: tools.metrics.render(await gaugesOf(shops, tools.gate())),
        }
      },
    },
  ]
}

const loopback = /^(::1|(::ffff:)?127\.)/
const forwardingHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/** From this machine, or with `admin:read`. A proxy on this machine forwards for strangers, so it does not count. */
async function refuseStrangers(request: FastifyRequest, authenticate: Authenticate): Promise<void> {
  const { headers } = request
  if (loopback.test(request.ip) && !forwardingHeaders.some((it) => headers[it])) return
  const principal = await authenticate(callerOf(request))
  // The figures are of both environments, so a test key does not open them.
  const mayLook = principal && !(principal instanceof Refusal) && principal.environment === 'live'
  if (!mayLook || !principal.scopes.has('admin:read')) throw refuse('not_found')
}

async function gaugesOf(shops: Shops, gate: Gate): Promise<Gauge[]> {
  const both = [shops.live, shops.test]
  const waiting = await Promise.all(both.map((it) => waitingEvents(it.db.read())))
  const perShop = (name: string, help: string, value: (shop: Shop, at: number) => number): Gauge[] =>
    both.map((shop, at) => ({
      name,
      help,
      labels: { environment: shop.environment },
      value: value(shop, at),
    }))
  return [
    { name: 'bozor_http_calls_under_way', help: 'Calls being answered now.', value: gate.underWay },
    {
      name: 'bozor_event_loop_delay_seconds',
      help: 'How late the event loop ran at the last look.',
      value: gate.delayMs / 1000,
    },
    {
      name: 'bozor_memory_bytes',
      help: 'Resident memory of this process.',
      value: process.memoryUsage.rss(),
    },
    {
      name: 'bozor_cpu_seconds',
      help: 'CPU time of this process.',
      value: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    },
    ...perShop('bozor_db_connections', 'Open connections.', (it) => it.db.load.open),
    ...perShop('bozor_db_waiting', 'Calls that wait for a connection.', (it) => it.db.load.waiting),
    ...perShop('bozor_outbox_waiting', 'Facts not handed on yet.', (_it, at) => waiting[at]!.waiting),
    ...perShop('bozor_outbox_dead', 'Reactions that failed for good.', (_it, at) => waiting[at]!.dead),
  ]
}
