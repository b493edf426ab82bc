import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { MovableClock } from './clock.ts'
import { Database } from './database.ts'
import { JobLeases } from './job-leases.ts'
import { type Job, Jobs } from './jobs.ts'
import { silentLog } from './log.ts'

const day = 86_400_000

/** Several processes on one database with a clock to set. No job runs by itself: tests call `runDue`. */
async function openProcesses(zone = 'Asia/Tashkent') {
  const connection = await freshDatabase()
  const clock = new MovableClock({ now: () => new Date('2026-01-10T12:00:00Z') })
  const process = (...jobs: Job[]) => {
    const db = new Database({ connection, environment: 'test', clock, poolSize: 4 })
    after(() => db.close())
    return { db, jobs: new Jobs(db, silentLog(), { zone, jobs }) }
  }
  return { clock, process }
}
const job = (cron: string, run: Job['run']): Job => ({ name: 'sweep', cron, description: 'sweeps', run })
const counting = (cron: string) => {
  const ran: Date[] = []
  const it = job(cron, async (work) => {
    await work.transaction(async (tx) => void ran.push(tx.now))
    return 'swept'
  })
  return { ran, it }
}

test('a clock that was a month ahead does not stop jobs for a month', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 0 * * * ?')
  const { jobs } = process(it)
  await jobs.runDue()
  clock.offsetMs = 30 * day
  await jobs.runDue()
  equal(ran.length, 1)
  clock.offsetMs = 0
  await process(it).jobs.runDue()
  clock.offsetMs = 3_600_000
  await process(it).jobs.runDue()
  deepEqual(ran.at(-1), new Date('2026-01-10T13:00:00Z'))
})

test('many callers that wait for due jobs share one poll', async () => {
  const { clock, process } = await openProcesses()
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  let runs = 0
  // Every run makes the job due again, so that each poll is one run.
  const { jobs } = process(
    job('0 * * * * ?', async () => {
      if (++runs === 1) await held
      clock.offsetMs += 60_000
      return ''
    }),
  )
  await jobs.runDue()
  clock.offsetMs = 60_000
  const first = jobs.runDue()
  await waitUntil(() => runs === 1, { what: 'the first run starts' })
  const callers = Array.from({ length: 20 }, () => jobs.runDue())
  goOn()
  await Promise.all([first, ...callers])
  equal(runs, 2)
})

test('a job that the clock was moved past runs at its own due time', async () => {
  const { clock, process } = await openProcesses('UTC')
  const daily = counting('0 0 2 * * ?')
  const hourly = counting('0 0 * * * ?')
  const { jobs } = process({ ...hourly.it, name: 'hourly' }, daily.it)
  await jobs.runDue()
  clock.moveTo(day + 60_000 * 30)
  await jobs.runDue()
  deepEqual(daily.ran, [new Date('2026-01-11T02:00:00Z')])
  deepEqual(hourly.ran, [new Date('2026-01-11T12:00:00Z')])
  clock.moveTo(0)
  equal(clock.wasSkipped(new Date('2026-01-11T02:00:00Z')), false)
})

test('a job of every minute runs at the time to which the clock was moved', async () => {
  const { clock, process } = await openProcesses('UTC')
  const { ran, it } = counting('0 * * * * ?')
  const { jobs } = process(it)
  await jobs.runDue()
  clock.moveTo(day + 30_000)
  await jobs.runDue()
  deepEqual(ran, [new Date('2026-01-11T12:00:30Z')])
})

test('a job of every minute runs at the present also when planning the runs took some seconds', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 * * * * ?')
  const slow: Job = {
    name: 'slow',
    cron: '0 * * * * ?',
    description: 'reads its missed instants slowly',
    missedInstants: async () => {
      clock.offsetMs += 5_000
      return []
    },
    run: async () => '',
  }
  const { jobs } = process(slow, it)
  await jobs.runDue()
  clock.moveTo(3_600_000 + 58_000)
  await jobs.runDue()
  deepEqual(ran, [new Date('2026-01-10T13:01:03Z')])
})

test('a job of every minute also runs at the instants that it would have missed, among the other jobs', async () => {
  const { clock, process } = await openProcesses('UTC')
  const ran: string[] = []
  const recording = (name: string, cron: string): Job => ({
    ...job(cron, async (work) => {
      await work.transaction(async (tx) => void ran.push(`${name} ${tx.now.toISOString().slice(0, 16)}`))
      return ''
    }),
    name,
  })
  const missed = [
    '2026-01-10T11:00:00Z',
    '2026-01-11T01:00:00Z',
    '2026-01-10T20:00:00Z',
    '2026-01-12T01:00:00Z',
  ]
  const { jobs } = process(recording('nightly', '0 0 2 * * ?'), {
    ...recording('send', '0 * * * * ?'),
    missedInstants: async () => missed.map((it) => new Date(it)),
  })
  await jobs.runDue()
  clock.moveTo(day + 30_000)
  await jobs.runDue()
  deepEqual(ran, [
    'send 2026-01-10T20:00',
    'send 2026-01-11T01:00',
    'nightly 2026-01-11T02:00',
    'send 2026-01-11T12:00',
  ])
  ran.length = 0
  await jobs.runDue()
  deepEqual(ran, [])
})

test('a lease that a database clock far ahead has given is taken over', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 0 * * * ?')
  const { db, jobs } = process(it)
  await jobs.runDue()
  await db.transaction((tx) =>
    tx.all(`update job_leases set leased_until = clock_timestamp() + interval '30 days', holder = 'x'`),
  )
  clock.offsetMs = 3_600_000
  await jobs.runDue()
  equal(ran.length, 1)
})

test('a Quartz cron expression is evaluated in the time zone of the shop', async () => {
  const { clock, process } = await openProcesses()
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

test('a job that is switched off never becomes due and runs on request', async () => {
  const { process, clock } = await openProcesses('UTC')
  const { ran, it } = counting('0 0 2 * * ?')
  const { jobs } = process({ ...it, isEnabled: false })
  await jobs.runDue()
  clock.offsetMs = 3 * 86_400_000
  await jobs.runDue()
  equal(ran.length, 0)
  equal((await jobs.states())[0]!.nextDueAt, null)
  equal(await jobs.runNow((await jobs.states())[0]!.name), true)
  equal(ran.length, 1)
})

test('Sunday is 1 and a step may start anywhere, as in Quartz', async () => {
  const { process } = await openProcesses('UTC')
  const [sunday] = await process(job('0 0 0 ? * 1', async () => '')).jobs.states()
  equal(sunday!.nextDueAt!.getUTCDay(), 0)
  const [quarter] = await process({ ...job('0 0/15 * * * ?', async () => ''), name: 'quarter' }).jobs.states()
  deepEqual(quarter!.nextDueAt, new Date('2026-01-10T12:15:00Z'))
})

test('runs that were missed while no process was up happen once', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 0 2 * * ?')
  await process(it).jobs.runDue()
  clock.offsetMs = 5 * day
  const { jobs } = process(it)
  await jobs.runDue()
  await jobs.runDue()
  equal(ran.length, 1)
})

test('a job that is new in the database has no missed runs', async () => {
  const { process } = await openProcesses()
  const { ran, it } = counting('0 * * * * ?')
  await process(it).jobs.runDue()
  equal(ran.length, 0)
})

test('a daily job runs exactly once on the days when daylight saving time begins and ends', async () => {
  for (const [from, until] of [
    ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'],
    ['2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'],
  ]) {
    const { clock, process } = await openProcesses('Europe/Berlin')
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

test('of several processes that find the same job due, one runs it', async () => {
  const { clock, process } = await openProcesses()
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

test('a job that is running when the clock is moved runs once more if it became due', async () => {
  const { clock, process } = await openProcesses()
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
  await waitUntil(() => ran.length > 0, { what: 'the first run starts' })
  clock.offsetMs = 2 * day
  const moved = jobs.runDue()
  goOn()
  await Promise.all([before, moved])
  equal(ran.length, 2)
})

test('due jobs have run when the poll ends, also when one was running on request', async () => {
  const { clock, process } = await openProcesses()
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const ran: Date[] = []
  const { jobs } = process(
    job('0 * * * * ?', async (work) => {
      if (ran.length === 0) await held
      await work.transaction(async (tx) => void ran.push(tx.now))
      return ''
    }),
  )
  await jobs.runDue()
  const requested = jobs.runNow('sweep')
  await waitUntil(async () => (await jobs.states())[0]!.running, { what: 'the requested run has begun' })
  clock.offsetMs = 3_600_000
  const polled = jobs.runDue()
  goOn()
  await Promise.all([requested, polled])
  equal(ran.length, 2)
  deepEqual(ran.at(-1), new Date('2026-01-10T13:00:00Z'))
})

test('due jobs have run when the poll ends, also when a request asks for one while the poll takes its lease', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 * * * * ?')
  const { db, jobs } = process(it)
  await jobs.runDue()
  const { jobPacket } = db
  let requested: Promise<boolean> | undefined
  // The first packet reads the due times, the second one takes the lease.
  const ask = async (packet: number, ...given: Parameters<typeof jobPacket>) => {
    if (packet === 2) requested = jobs.runNow('sweep')
    if (packet === 2) await new Promise((done) => setTimeout(done, 50))
    return jobPacket.apply(db, given)
  }
  let packets = 0
  Object.assign(db, { jobPacket: (...given: Parameters<typeof jobPacket>) => ask(++packets, ...given) })
  clock.offsetMs = 3_600_000
  await jobs.runDue()
  deepEqual(ran, [new Date('2026-01-10T13:00:00Z')])
  await requested
})

test('due jobs have run when the poll ends, also when another process began one before the clock was moved', async () => {
  const { clock, process } = await openProcesses()
  const ran: Date[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const recording = job('0 0 2 * * ?', async (work) => {
    await work.transaction(async (tx) => void ran.push(tx.now))
    if (ran.length === 1) await held
    return ''
  })
  const [other, ours] = [process(recording), process(recording)]
  await other.jobs.runDue()
  clock.offsetMs = day
  const before = other.jobs.runDue()
  await waitUntil(() => ran.length > 0, { what: 'the other process runs the job' })
  clock.offsetMs = 2 * day
  const moved = ours.jobs.runDue()
  setTimeout(goOn, 100)
  await moved
  deepEqual(ran.at(-1), new Date('2026-01-12T12:00:00Z'))
  await before
})

test('a run that was planned before the clock was moved sees the instant at which it was planned', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 * * * * ?')
  const { db, jobs } = process(it)
  await jobs.runDue()
  clock.moveTo(60_000)
  const { jobPacket } = db
  // The first packet reads the due times; the clock is moved while the second one takes the lease.
  let packets = 0
  Object.assign(db, {
    jobPacket: (...given: Parameters<typeof jobPacket>) => {
      if (++packets === 2) clock.moveTo(10 * day)
      return jobPacket.apply(db, given)
    },
  })
  await jobs.runDue()
  await jobs.runDue()
  deepEqual(ran, [new Date('2026-01-10T12:01:00Z'), new Date('2026-01-20T12:00:00Z')])
})

test('a run whose end could not be recorded does not hold back the next one of this process', async () => {
  const { clock, process } = await openProcesses()
  const { ran, it } = counting('0 0 * * * ?')
  let isBroken = false
  const { db, jobs } = process({
    ...it,
    run: async (work) => {
      const note = await it.run(work)
      isBroken = ran.length === 1
      return note
    },
  })
  const { jobPacket } = db
  Object.assign(db, {
    jobPacket: (...given: Parameters<typeof jobPacket>) =>
      isBroken ? Promise.reject(new Error('the connection broke')) : jobPacket.apply(db, given),
  })
  await jobs.runDue()
  clock.offsetMs = 3_600_000
  await rejects(jobs.runDue(), /the connection broke/)
  isBroken = false
  clock.offsetMs = 2 * 3_600_000
  await jobs.runDue()
  deepEqual(ran.at(-1), new Date('2026-01-10T14:00:00Z'))
  deepEqual(
    (await jobs.history('sweep')).map((run) => run.note),
    ['swept', 'its process ended'],
  )
})

test('a renewal that arrives after the end of a run does not hold the job back', async () => {
  const { process } = await openProcesses()
  const { ran, it } = counting('0 0 2 * * ?')
  const { db, jobs } = process(it)
  await jobs.runDue()
  const leases = new JobLeases(db)
  const lease = (await leases.take('sweep', undefined))!
  await leases.renew(lease)
  equal(await jobs.runNow('sweep'), false)
  await leases.finish(lease, { due: undefined, outcome: 'done', note: '' })
  await leases.renew(lease)
  equal(await jobs.runNow('sweep'), true)
  equal(ran.length, 1)
})

test('a process that lost its lease cannot commit after another process took the job', async () => {
  const { process } = await openProcesses()
  const written: string[] = []
  let resume = () => {}
  const stuck = job('0 0 2 * * ?', async (work) => {
    await new Promise<void>((done) => (resume = done))
    return work.transaction(async () => String(written.push('late')))
  })
  const slow = process(stuck)
  const run = slow.jobs.runNow('sweep')
  await waitUntil(async () => (await slow.jobs.states())[0]!.running, { what: 'the job runs' })
  // As after a suspended machine: the lease expired, and another process took the job.
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

test('a failed job is recorded with its reason and runs again at its next time', async () => {
  const { clock, process } = await openProcesses()
  let broken = true
  const { jobs } = process(
    job('0 0 2 * * ?', async () => {
      if (broken) throw new Error('no space')
      return 'swept'
    }),
  )
  await jobs.runDue()
  clock.offsetMs = day
  await jobs.runDue()
  deepEqual(
    [(await jobs.states())[0]!.lastRun!.outcome, (await jobs.states())[0]!.lastRun!.note],
    ['failed', 'Error: no space'],
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

test('an invalid schedule prevents the start', async () => {
  const { process } = await openProcesses()
  throws(() => process(job('at noon', async () => '')))
})
