import { deepEqual, equal, throws } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { MovableClock } from './clock.ts'
import { Database } from './db.ts'
import { type Job, Jobs } from './jobs.ts'
import { silentLog } from './log.ts'

const day = 86_400_000

/** Several processes over one database, with a clock to set. Nothing runs by itself: tests say when to look. */
async function house(zone = 'Asia/Tashkent') {
  const connection = await freshDatabase()
  const clock = new MovableClock({ now: () => new Date('2026-01-10T12:00:00Z') })
  const process = (...jobs: Job[]) => {
    const db = new Database({ connection, environment: 'test', clock, poolSize: 4 })
    after(() => db.close())
    return { db, jobs: new Jobs(db, silentLog(), { zone, jobs }) }
  }
  return { clock, process }
}
const job = (cron: string, run: Job['run']): Job => ({ name: 'sweep', cron, meaning: 'sweeps', run })
const counting = (cron: string) => {
  const ran: Date[] = []
  const it = job(cron, async (work) => {
    await work.transaction(async (tx) => void ran.push(tx.now))
    return 'swept'
  })
  return { ran, it }
}

test('the cron of Quartz is read as hours and minutes in the shop’s zone', async () => {
  const { clock, process } = await house()
  const { ran, it } = counting('0 0 2 * * ?')
  const { jobs } = process(it)
  await jobs.runDue()
  clock.offsetMs = new Date('2026-01-10T20:59:59Z').getTime() - new Date('2026-01-10T12:00:00Z').getTime()
  await jobs.runDue()
  equal(ran.length, 0)
  clock.offsetMs += 1_000
  await jobs.runDue()
  equal(ran.length, 1)
  deepEqual((await jobs.states())[0]!.nextDueAt, new Date('2026-01-11T21:00:00Z'))
})

test('Sunday is 1 and a step may start anywhere, as Quartz has it', async () => {
  const { process } = await house('UTC')
  const [sunday] = await process(job('0 0 0 ? * 1', async () => '')).jobs.states()
  equal(sunday!.nextDueAt!.getUTCDay(), 0)
  const [quarter] = await process({ ...job('0 0/15 * * * ?', async () => ''), name: 'quarter' }).jobs.states()
  deepEqual(quarter!.nextDueAt, new Date('2026-01-10T12:15:00Z'))
})

test('what was missed while nobody watched is run once', async () => {
  const { clock, process } = await house()
  const { ran, it } = counting('0 0 2 * * ?')
  await process(it).jobs.runDue()
  clock.offsetMs = 5 * day
  const { jobs } = process(it)
  await jobs.runDue()
  await jobs.runDue()
  equal(ran.length, 1)
})

test('a job that is new in the database has missed nothing', async () => {
  const { process } = await house()
  const { ran, it } = counting('0 * * * * ?')
  await process(it).jobs.runDue()
  equal(ran.length, 0)
})

test('where the clock is put forward or back, the day still has exactly one run', async () => {
  for (const [from, until] of [
    ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'],
    ['2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'],
  ]) {
    const { clock, process } = await house('Europe/Berlin')
    const { ran, it } = counting('0 30 2 * * ?')
    const { jobs } = process(it)
    const start = new Date('2026-01-10T12:00:00Z').getTime()
    clock.offsetMs = new Date(from!).getTime() - start
    await jobs.runDue()
    for (let at = new Date(from!).getTime(); at <= new Date(until!).getTime(); at += 600_000) {
      clock.offsetMs = at - start
      await jobs.runDue()
    }
    const days = ran.map((it) => it.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' }))
    equal(days.length, new Set(days).size, days.join())
    equal(days.length, 2, days.join())
  }
})

test('two processes at the same minute: one does the work', async () => {
  const { clock, process } = await house()
  let running = 0
  let most = 0
  let runs = 0
  const slow = job('0 0 2 * * ?', async () => {
    most = Math.max(most, ++running)
    runs++
    await new Promise((done) => setTimeout(done, 100))
    running--
    return ''
  })
  const processes = [process(slow), process(slow), process(slow), process(slow)]
  await Promise.all(processes.map((it) => it.jobs.runDue()))
  clock.offsetMs = day
  await Promise.all(processes.map((it) => it.jobs.runDue()))
  deepEqual([runs, most], [1, 1])
})

test('a job that is at work when the clock is moved runs once more for what fell due by that', async () => {
  const { clock, process } = await house()
  const ran: Date[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const { jobs } = process(
    job('0 0 2 * * ?', async (work) => {
      await work.transaction(async (tx) => void ran.push(tx.now))
      if (ran.length === 1) await held
      return ''
    }),
  )
  await jobs.runDue()
  clock.offsetMs = day
  const before = jobs.runDue()
  while (ran.length === 0) await new Promise((done) => setTimeout(done, 5))
  clock.offsetMs = 2 * day
  const moved = jobs.runDue()
  goOn()
  await Promise.all([before, moved])
  equal(ran.length, 2)
})

test('a process that lost its lease cannot finish what another has begun', async () => {
  const { process } = await house()
  const written: string[] = []
  let resume = () => {}
  const stuck = job('0 0 2 * * ?', async (work) => {
    await new Promise<void>((done) => (resume = done))
    return work.transaction(async () => String(written.push('late')))
  })
  const slow = process(stuck)
  const run = slow.jobs.runNow('sweep')
  while (!(await slow.jobs.states())[0]!.running) await new Promise((done) => setTimeout(done, 10))
  // Its machine went to sleep: the lease ran out, and another process took the job.
  await slow.db.transaction((tx) =>
    tx.all(`update job_leases set leased_until = now() - interval '1 second'`),
  )
  const quick = process(
    job('0 0 2 * * ?', (work) => work.transaction(async () => String(written.push('in time')))),
  )
  equal(await quick.jobs.runNow('sweep'), true)
  resume()
  equal(await run, false)
  deepEqual(written, ['in time'])
  deepEqual(
    (await quick.jobs.history('sweep')).map((it) => it.note),
    ['1', 'its process ended'],
  )
})

test('a job that fails is noted with its reason and runs again at its next time', async () => {
  const { clock, process } = await house()
  let broken = true
  const { jobs } = process(
    job('0 0 2 * * ?', async () => {
      if (broken) throw new Error('no broom')
      return 'swept'
    }),
  )
  await jobs.runDue()
  clock.offsetMs = day
  await jobs.runDue()
  deepEqual(
    [(await jobs.states())[0]!.lastRun!.outcome, (await jobs.states())[0]!.lastRun!.note],
    ['failed', 'Error: no broom'],
  )
  broken = false
  clock.offsetMs = 2 * day
  await jobs.runDue()
  deepEqual(
    (await jobs.history('sweep')).map((it) => it.outcome),
    ['done', 'failed'],
  )
  equal((await jobs.states())[0]!.lastRun!.note, 'swept')
})

test('a schedule that cannot be read stops the start', async () => {
  const { process } = await house()
  throws(() => process(job('at noon', async () => '')))
})
