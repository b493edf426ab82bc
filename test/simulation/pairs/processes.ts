// Pairs of parts that every process runs: jobs, the relay, migrations, the load of the demo's history.

import pg from 'pg'
import type { Database, Tx } from '../../../src/base/database.ts'
import { Jobs } from '../../../src/base/jobs.ts'
import { silentLog } from '../../../src/base/log.ts'
import { migrations, type MigrationClient, runPending } from '../../../src/base/migrate.ts'
import { publish, reaction, type Reaction } from '../../../src/base/outbox.ts'
import { Relay } from '../../../src/base/relay.ts'
import { clientCount } from '../../../src/demo/clients.ts'
import { DemoHistory } from '../../../src/demo/load-demo-history.ts'
import type { NewPair } from '../pairs.ts'
import { type Handles, inTurn, type Work } from '../race.ts'

const log = silentLog()

/** A process that lost its lease must not commit: no run writes after a later run has started to. */
const leaseLost: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`create table if not exists pair_writes (names text not null)`))
  await db.transaction((tx) => tx.all(`delete from pair_writes`))
  await db.transaction((tx) => tx.all(`insert into pair_writes values ('')`))
  const started: string[] = []
  const runJob = ({ db: own }: Handles, name: string): Promise<boolean> => {
    const job = {
      name: 'pair',
      cron: '0 0 0 1 1 ?',
      description: '',
      run: async (work: { transaction<T>(batch: (tx: Tx) => Promise<T>): Promise<T> }) => {
        started.push(name)
        await work.transaction((tx) => tx.all(`update pair_writes set names = names || $1`, [name]))
        return ''
      },
    }
    return new Jobs(own, log, { zone: 'UTC', jobs: [job] }).runNow('pair')
  }
  // The lease of the other process has ended, because that process stood still.
  const expire = (own: Database) =>
    own.transaction((tx) => tx.all(`update job_leases set leased_until = null where name = 'pair'`))
  const work = (name: string): Work<void> => ({
    process: async (handles) => {
      await expire(handles.db)
      await runJob(handles, name)
    },
  })
  return {
    works: [work('a'), work('b')],
    observe: async () => {
      const { names } = await db.read().one<{ names: string }>(`select names from pair_writes`)
      return { inOrderOfLeases: names === started.filter((it) => names.includes(it)).join('') }
    },
  }
}

const relayOnce = (reactions: readonly Reaction[]): Work<void> => ({
  process: async ({ db }) => {
    const relay = new Relay(db, log, reactions)
    await relay.poll()
    await relay.close()
  },
})

/** Leaves two new events in the outbox. */
async function newEvents(db: Database): Promise<void> {
  for (const table of ['outbox_failures', 'outbox_inbox', 'outbox_events'])
    await db.transaction((tx) => tx.all(`delete from ${table}`))
  await db.transaction(async (tx) => {
    for (const webhookId of ['one', 'two']) publish(tx, { type: 'WebhookCreated', webhookId })
  })
}

/** Every event gets one position, and the positions have no gaps. */
const relayedTwice: NewPair = async (db) => {
  await newEvents(db)
  const { before } = await db.read().one<{ before: number }>(`select position as before from outbox_relay`)
  const work = relayOnce([reaction('pair', 'WebhookCreated', async () => {})])
  return {
    works: [work, work],
    observe: () =>
      db.read().one(
        `select (select array_agg(position - $1 order by sequence) from outbox_events) as positions,
           (select position - $1 from outbox_relay) as relay`,
        [before],
      ),
  }
}

/** A reaction that keeps failing is retried by one of two processes, and its failures are counted once. */
const retriedTwice: NewPair = async (db) => {
  await newEvents(db)
  const failing = reaction('pair', 'WebhookCreated', async () => {
    throw new Error('the reaction fails')
  })
  await inTurn(db, [relayOnce([failing])])
  await db.transaction((tx) =>
    tx.all(`delete from outbox_failures where sequence <>
    (select min(sequence) from outbox_failures)`),
  )
  await db.transaction((tx) => tx.all(`update outbox_failures set retry_at = $1`, [tx.now]))
  const work = relayOnce([failing])
  return {
    works: [work, work],
    observe: () => db.read().all(`select attempts from outbox_failures`),
  }
}

let lastMigration = 0

/** A migration runs in one of two processes. */
const migratedTwice: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from platform.migrations where name like 'zz-pair-%'`))
  const name = `zz-pair-${++lastMigration}`
  const sql = `create table pair_migration_${lastMigration} (id int8)`
  const pending = [...migrations(), { name, schemas: ['test'], sql }]
  const work: Work<void> = {
    process: async ({ db: { connection }, watch }) => {
      const client = new pg.Client(connection as pg.ClientConfig)
      await client.connect()
      try {
        const query = watch((text, values) => client.query(text, values))
        await runPending({ query } as unknown as MigrationClient, pending)
      } finally {
        await client.end()
      }
    },
  }
  return {
    works: [work, work],
    observe: () => db.read().one(`select count(*) as runs from platform.migrations where name = $1`, [name]),
  }
}

const demoHistories = [new DemoHistory('pair'), new DemoHistory('pair')] as const

/** The last buyer of the demo's history is loaded by one of two processes. */
const historyLoadedTwice: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from demo_histories`))
  await db.transaction((tx) =>
    tx.all(`insert into demo_histories (ends_at, next_buyer) values ($1, $2)`, [tx.now, clientCount]),
  )
  const load = (history: DemoHistory) => async (tx: Tx) =>
    (await history.loadNext(tx)) === undefined ? 'nothing left' : 'loaded'
  return { works: [load(demoHistories[0]), load(demoHistories[1])] }
}

export const processPairs: Readonly<Record<string, NewPair>> = {
  leaseLost,
  relayedTwice,
  retriedTwice,
  migratedTwice,
  historyLoadedTwice,
}
