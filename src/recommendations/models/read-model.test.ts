import { rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { Refusal } from '../../base/refusal.ts'
import { readModel } from './read-model.ts'

test('a model that cannot be read because the database does not answer is a refusal and not a bug', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'none', database: 'none' }
  const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 1 })
  await rejects(
    readModel(db, 1),
    (error) =>
      error instanceof Refusal && error.code === 'storage_unavailable' && 'retry_after' in error.details,
  )
  await db.close()
})
