// All routes of the platform. Opens no connection: pools connect on first use.

import { openApp } from '../../src/app.ts'
import { elapsedMs } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { silentLog } from '../../src/base/log.ts'
import { memoryCounter } from '../../src/http/rate-limit.ts'
import type { Route } from '../../src/http/route.ts'

export async function allRoutes(): Promise<Route[]> {
  const app = openApp({
    config: readConfig({}),
    connection: { host: '127.0.0.1', port: 1 },
    log: silentLog(),
    version: '0.0.0-test',
    counter: memoryCounter(elapsedMs),
  })
  await app.close()
  return app.routes
}
