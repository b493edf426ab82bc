import { after } from 'node:test'
import { MovableClock } from '../../src/base/clock.ts'
import { Database } from '../../src/base/database.ts'
import { type Job, Jobs } from '../../src/base/jobs.ts'
import { silentLog } from '../../src/base/log.ts'
import { freshDatabase } from './database.ts'

/** Several processes on one database with a clock to set. No job runs by itself: tests call `runDue`. */
export async function openProcesses(zone = 'Asia/Tashkent') {
  const connection = await freshDatabase()
  const clock = new MovableClock({ now: () => new Date('2026-01-10T12:00:00Z') })
  const process = (...jobs: Job[]) => {
    const db = new Database({ connection, environment: 'test', clock, poolSize: 4 })
    after(() => db.close())
    return { db, jobs: new Jobs(db, silentLog(), { zone, jobs }) }
  }
  return { clock, process }
}

export const job = (cron: string, run: Job['run']): Job => ({
  name: 'sweep',
  cron,
  description: 'sweeps',
  run,
})

export const counting = (cron: string) => {
  const ran: Date[] = []
  const it = job(cron, async (work) => {
    await work.transaction(async (tx) => void ran.push(tx.now))
    return 'swept'
  })
  return { ran, it }
}
