// What it costs to run due jobs: moving the test clock under load took as long as all their round trips.

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { MovableClock } from './clock.ts'
import { Database } from './database.ts'
import { deleteInBatches } from './housekeeping.ts'
import { type Job, Jobs } from './jobs.ts'
import { silentLog } from './log.ts'

const day = 86_400_000
const start = new Date('2026-01-10T12:00:00Z')

async function openProcess(jobs: Job[], poolSize = 4) {
  const clock = new MovableClock({ now: () => start })
  const db = new Database({ connection: await freshDatabase(), environment: 'test', clock, poolSize })
  after(() => db.close())
  const it = new Jobs(db, silentLog(), { zone: 'UTC', jobs })
  await it.runDue()
  return { clock, db, jobs: it }
}

const purge = (name: string): Job => ({
  name,
  cron: '0 0 2 * * ?',
  isPurge: true,
  description: '',
  run: async (work) =>
    `${await deleteInBatches(work, { days: 90, sql: 'delete from job_runs where finished_at < $1 and id < $2 returning 1' })}`,
})

/** Counts round trips: a packet is one, a transaction at least two. */
function counting(db: Database): { packets: number; transactions: number } {
  const counts = { packets: 0, transactions: 0 }
  const { jobPacket, jobTransaction, transaction } = db
  Object.assign(db, {
    jobPacket: (...given: Parameters<typeof jobPacket>) => {
      counts.packets++
      return jobPacket.apply(db, given)
    },
    jobTransaction: (...given: Parameters<typeof jobTransaction>) => {
      counts.transactions++
      return jobTransaction.apply(db, given)
    },
    transaction: (...given: Parameters<typeof transaction>) => {
      counts.transactions++
      return transaction.apply(db, given)
    },
  })
  return counts
}

test('a move of the clock costs three round trips for a job with nothing to do', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `purge-${at}`)
  const { clock, db, jobs } = await openProcess(names.map(purge))
  const counts = counting(db)
  clock.moveTo(day)
  await jobs.runDue()
  deepEqual(counts, { packets: 1 + 3 * names.length, transactions: 0 })
  equal((await jobs.history('purge-7')).length, 1)
})

test('a job that has not run yet runs once for two moves of the clock', async () => {
  const ran: string[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const job = (name: string, hour: number): Job => ({
    name,
    cron: `0 0 ${hour} * * ?`,
    description: '',
    run: async (work) => {
      await work.transaction(async (tx) => void ran.push(`${name} ${tx.now.toISOString().slice(0, 13)}`))
      if (ran.length === 1) await held
      return ''
    },
  })
  const { clock, jobs } = await openProcess([job('first', 2), job('second', 3)])
  clock.moveTo(day)
  const one = jobs.runDue()
  await waitUntil(() => ran.length === 1, { what: 'the first job runs' })
  clock.moveTo(2 * day)
  const two = jobs.runDue()
  goOn()
  await Promise.all([one, two])
  deepEqual(ran, ['first 2026-01-11T02', 'second 2026-01-12T03', 'first 2026-01-12T02'])
})

test('jobs do not wait for requests that use all connections', async () => {
  const { clock, db, jobs } = await openProcess([purge('purge')], 1)
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  let isHeld = false
  const request = db.transaction(async (tx) => {
    await tx.all('select 1')
    isHeld = true
    await held
  })
  await waitUntil(() => isHeld, { what: 'a request holds the connection' })
  clock.moveTo(day)
  await jobs.runDue()
  equal(db.load.idle, 0)
  goOn()
  await request
  deepEqual(
    (await jobs.history('purge')).map((it) => it.outcome),
    ['done'],
  )
})

test('a purge does not wait for a long job, and other jobs keep the order of their due times', async () => {
  const ended: string[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const job = (name: string, hour: number, more: Partial<Job> = {}): Job => ({
    name,
    cron: `0 0 ${hour} * * ?`,
    description: '',
    run: async () => {
      if (name === 'long') await held
      ended.push(name)
      return ''
    },
    ...more,
  })
  const { clock, jobs } = await openProcess([
    job('later', 4),
    job('long', 2),
    job('purge', 5, { isPurge: true }),
  ])
  clock.moveTo(day)
  const run = jobs.runDue()
  await waitUntil(() => ended.length > 0, { what: 'the purge ends' })
  goOn()
  await run
  deepEqual(ended, ['purge', 'long', 'later'])
})

test('neither other jobs nor who moves the clock waits for a job that takes minutes', async () => {
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  let [begun, swept] = [0, 0]
  const { clock, jobs } = await openProcess([
    {
      name: 'training',
      cron: '0 0 2 * * ?',
      isLong: true,
      description: '',
      run: async () => {
        begun++
        await held
        return ''
      },
    },
    { name: 'sweep', cron: '0 * * * * ?', description: '', run: async () => String(++swept) },
  ])
  clock.moveTo(day)
  await jobs.runDue()
  await waitUntil(() => begun === 1, { what: 'the training begins' })
  equal(swept, 1)
  clock.moveTo(2 * day)
  await jobs.runDue()
  deepEqual([begun, swept], [1, 2])
  goOn()
  await jobs.close()
  deepEqual(
    (await jobs.history('training')).map((it) => it.outcome),
    ['done'],
  )
})

test('a stop ends a job that takes minutes, and it runs again in the next process', async () => {
  let begun = 0
  const training: Job = {
    name: 'training',
    cron: '0 0 2 * * ?',
    isLong: true,
    description: '',
    run: async ({ signal }) => {
      begun++
      if (begun === 1) await once(signal, 'abort').then(() => Promise.reject(new Error('stopped')))
      return ''
    },
  }
  const { clock, db, jobs } = await openProcess([training])
  clock.moveTo(day)
  await jobs.runDue()
  await waitUntil(() => begun === 1, { what: 'the training begins' })
  await jobs.close()
  const next = new Jobs(db, silentLog(), { zone: 'UTC', jobs: [training] })
  await next.runDue()
  await waitUntil(() => begun === 2, { what: 'the training runs again' })
  await next.close()
  deepEqual(
    (await next.history('training')).map((it) => it.outcome),
    ['done', 'failed'],
  )
})

test('a packet of a process that lost its lease commits nothing', async () => {
  const { db, jobs } = await openProcess([
    {
      name: 'slow',
      cron: '0 0 2 * * ?',
      description: '',
      run: async (work) => {
        await db.transaction((tx) => tx.all(`update job_leases set token = token + 1`))
        await work.packet((tx) =>
          tx.all(`insert into job_leases (name, last_due_at) values ('late', $1)`, [tx.now]),
        )
        return ''
      },
    },
  ])
  equal(await jobs.runNow('slow'), false)
  equal(await db.read().maybe(`select 1 from job_leases where name = 'late'`), undefined)
})

test('a packet whose statement fails commits nothing, and one that goes on after the commit is refused', async () => {
  const { db } = await openProcess([])
  const insert = `insert into job_leases (name, last_due_at) values ($1, now())`
  await rejects(
    db.jobPacket((tx) => Promise.all([tx.all(insert, ['a']), tx.all(`select 1 / 0`)])),
    /division by zero/,
  )
  await rejects(
    db.jobPacket(async (tx) => {
      await tx.all('select 1')
      await tx.all(insert, ['b'])
    }),
    /after the commit/,
  )
  deepEqual(await db.read().all(`select name from job_leases`), [])
  deepEqual(await db.jobPacket((tx) => tx.all(`select 1 as one`)), [{ one: 1 }])
})
