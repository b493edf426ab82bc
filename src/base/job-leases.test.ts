import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { counting, job, openProcesses } from '../../test/support/jobs.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { JobLeases } from './job-leases.ts'

const day = 86_400_000

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
