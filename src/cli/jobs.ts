import { Jobs } from '../base/jobs.ts'
import { allJobs } from '../app.ts'
import { atDesk, type Command, environmentOf, table, UsageError } from './command.ts'

export const jobsCommand: Command = {
  name: 'jobs',
  summary: 'list scheduled jobs and run one now',
  usage: 'list | run NAME [--env live|test]',
  help: `Jobs run by themselves in a running server; one run at a time in all processes.

  list         every job: its schedule (Quartz cron in the shop's zone), its last run and its next
  run NAME     run one now
  --env ENV    live or test (default test)
  --json       print JSON`,
  options: { env: { type: 'string' }, json: { type: 'boolean' } },
  async run(world, given) {
    const [what = 'list', name] = given.words
    const environment = environmentOf(given)
    return atDesk(world, 'jobs', async ({ db, connection }) => {
      const every = allJobs(world.config, connection)
      const jobs = new Jobs(db[environment], world.log, { zone: world.config.timezone, jobs: every })
      if (what === 'run') {
        if (!name || !jobs.has(name))
          throw new UsageError(`name one of: ${every.map((it) => it.name).join(', ')}`)
        if (!(await jobs.runNow(name))) throw new UsageError(`${name} is running in another process just now`)
      } else if (what !== 'list') throw new UsageError('say "jobs list" or "jobs run NAME"')
      const states = (await jobs.states()).filter((it) => what === 'list' || it.name === name)
      if (given.flags['json']) world.print(JSON.stringify(states))
      else
        world.print(
          table([
            ['job', 'schedule', 'last run', 'next', 'outcome'],
            ...states.map((it) => [
              it.name,
              it.cron,
              it.lastRun ? String(it.lastRun.startedAt) : 'never',
              it.nextDueAt?.toISOString() ?? 'never',
              it.lastRun ? `${it.lastRun.outcome}: ${it.lastRun.note}` : '',
            ]),
          ]),
        )
      return states.some((it) => what === 'run' && it.lastRun?.outcome === 'failed') ? 1 : 0
    })
  },
}
