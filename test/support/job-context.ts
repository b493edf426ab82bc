// What a job gets, without a lease: for tests that run a job directly.

import type { Database } from '../../src/base/database.ts'
import type { JobContext } from '../../src/base/jobs.ts'

type Transaction = JobContext['transaction']

export const jobContext = (
  db: Database,
  transaction: Transaction = (batch) => db.transaction(batch),
): JobContext => ({
  environment: db.environment,
  isMissed: false,
  signal: new AbortController().signal,
  transaction,
  packet: (ask) => transaction(ask),
})
