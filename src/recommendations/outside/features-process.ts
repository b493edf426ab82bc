// The process that works features out for a caller of the server, so that no other caller waits for it. It writes them to
// its standard output as fast as they are read, and ends.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { MovableClock, systemClock } from '../../base/clock.ts'
import { Database, type Environment } from '../../base/db.ts'
import { takeUpClock } from '../../base/shop.ts'
import { yieldToOthers } from '../../base/yield-to-others.ts'
import { featureRows, type FeatureWish } from './feature-rows.ts'
import { type Format, writtenRows } from './written-rows.ts'

export interface FeaturesOrder extends FeatureWish {
  connection: pg.PoolConfig
  environment: Environment
  format: Format
}

process.once('message', (order: FeaturesOrder) => {
  yieldToOthers()
  write(order)
    .catch(() => (process.exitCode = 1))
    .finally(() => process.disconnect?.())
})
// Whoever gave the order is gone: nobody reads on.
process.once('disconnect', () => process.exit())

async function write({ connection, environment, format, ...wish }: FeaturesOrder): Promise<void> {
  const clock = new MovableClock(systemClock())
  const db = new Database({ connection, environment, clock, poolSize: 2 })
  try {
    await takeUpClock({ db, clock })
    const lines = Readable.from(writtenRows(featureRows(db, wish), format), { objectMode: false })
    await pipeline(lines, process.stdout, { end: false })
  } finally {
    await db.close()
  }
}
