// The request log of both environments.

import type { Environment } from '../../base/database.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job } from '../../base/jobs.ts'
import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import type { RecordApiCall } from '../../http/api-call.ts'
import type { Route } from '../../http/route.ts'
import { CallLog, isTestCall } from './call-log.ts'
import { requestLogRoutes } from './routes.ts'
import { callsPurgeSql, callsTrimSql, insertCalls } from './store.ts'

const flushEveryMs = 1_000
const keepDays = 7
const maxCalls = 100_000
const trimmedRows = 1_000

export interface RequestLog {
  record: RecordApiCall
  routes: Route[]
  close(): Promise<void>
}

export function openRequestLog(shops: Record<Environment, Shop>, log: Log): RequestLog {
  const logs = { live: new CallLog(shops.live.clock), test: new CallLog(shops.test.clock) }
  const flush = async () => {
    for (const { environment, db } of [shops.live, shops.test])
      await logs[environment].flush((calls) => db.transaction(async (tx) => insertCalls(tx, calls)))
  }
  const flushOrWarn = () =>
    flush().catch((error: unknown) => log.warn('saving the request log failed', { error }))
  const timer = setInterval(() => void flushOrWarn(), flushEveryMs).unref()
  return {
    record: (call) => logs[isTestCall(call) ? 'test' : 'live'].note(call),
    routes: requestLogRoutes(flushOrWarn),
    close: async () => {
      clearInterval(timer)
      await flushOrWarn()
    },
  }
}

export const purgeRequestLog: Job = {
  name: 'purge-request-log',
  cron: '0 0/10 * * * ?',
  isPurge: true,
  description: `Deletes logged calls after ${keepDays} days, and the oldest above ${maxCalls}.`,
  run: async (work) => {
    let deleted = await deleteInBatches(work, { days: keepDays, sql: callsPurgeSql })
    for (let count = trimmedRows; count === trimmedRows; deleted += count)
      count = await work.transaction(
        async (tx) => (await tx.all(callsTrimSql, [maxCalls, trimmedRows])).length,
      )
    return `deleted ${deleted} calls`
  },
}
