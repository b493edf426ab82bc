import { deepEqual, equal, match } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { jobContext } from '../../test/support/job-context.ts'
import { MovableClock, systemClock } from './clock.ts'
import { Database } from './database.ts'
import { purgeOldEvents } from './housekeeping.ts'
import { silentLog } from './log.ts'
import { publish, reaction } from './outbox.ts'
import { Relay } from './relay.ts'

const day = 86_400_000

test('events are purged after thirty days, except those that wait for a reaction, however the test clock moved before', async () => {
  const clock = new MovableClock(systemClock())
  const connection = await freshDatabase()
  const db = new Database({ connection, environment: 'test', clock, poolSize: 4 })
  const failing = reaction('failing', 'BrandDeleted', async (_tx, { event }) => {
    if (event.brandId === 3) throw new Error('no')
  })
  const relay = new Relay(db, silentLog(), [failing])
  await relay.start()
  after(() => relay.close().then(() => db.close()))
  const tell = (brandId: number) =>
    db.transaction(async (tx) => publish(tx, { type: 'BrandDeleted', brandId }))

  // The first event is dated a year ahead: it happened before the clock was set back.
  clock.offsetMs = 365 * day
  await tell(1)
  clock.offsetMs = 0
  for (const it of [2, 3, 4]) await tell(it)
  clock.offsetMs = 20 * day
  await tell(5)
  await relay.catchUp()
  clock.offsetMs = 31 * day
  match(await purgeOldEvents.run(jobContext(db)), /^deleted 2 events/)
  const kept = await db.read().all<{ subject: string }>('select subject from outbox_events order by sequence')
  deepEqual(
    kept.map((it) => it.subject),
    ['brand/1', 'brand/3', 'brand/5'],
  )
  equal((await db.read().all('select 1 from outbox_failures')).length, 1)
})
