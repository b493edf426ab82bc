import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { counting, job, openProcesses } from '../../test/support/jobs.ts'
import type { Job } from './jobs.ts'

const day = 86_400_000

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
