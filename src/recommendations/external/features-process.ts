// The process of the feature export, so that it does not slow down the server. It writes rows to standard output and ends.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { MovableClock, systemClock } from '../../base/clock.ts'
import { Database, type Environment } from '../../base/database.ts'
import { loadClockOffset } from '../../base/shop.ts'
import { lowerProcessPriority } from '../../base/process-priority.ts'
import { featureRows, type FeatureExportOptions } from './feature-rows.ts'
import { type Format, formatRows } from './rows.ts'

export interface FeatureExportOrder extends FeatureExportOptions {
  connection: pg.PoolConfig
  environment: Environment
  format: Format
}

process.once('message', (order: FeatureExportOrder) => {
  lowerProcessPriority()
  write(order)
    .catch((error: unknown) => {
      process.stderr.write(`feature export failed: ${error instanceof Error ? error.stack : String(error)}\n`)
      process.exitCode = 1
    })
    .finally(() => process.disconnect?.())
})
// The parent is gone, so the output has no reader.
process.once('disconnect', () => process.exit())

async function write({ connection, environment, format, ...options }: FeatureExportOrder): Promise<void> {
  const clock = new MovableClock(systemClock())
  const db = new Database({ connection, environment, clock, poolSize: 2 })
  try {
    await loadClockOffset({ db, clock })
    const lines = Readable.from(formatRows(featureRows(db, options), format), { objectMode: false })
    await pipeline(lines, process.stdout, { end: false })
  } finally {
    await db.close()
  }
}
