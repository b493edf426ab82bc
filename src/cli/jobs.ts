import { openApp } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import type { Jobs } from '../base/jobs.ts'
import { loadClockOffset } from '../base/shop.ts'
import { memoryCounter } from '../http/rate-limit.ts'
import {
  type Command,
  environmentOf,
  meant,
  type CommandArguments,
  table,
  CommandError,
  UsageError,
  type CommandContext,
} from './command.ts'
import { withStorage } from './storage.ts'

export const jobsCommand: Command = {
  usage: 'list | run NAME [--env live|test]',
  help: `Jobs run on schedule in a running server, one run at a time across all processes.

  list         lists jobs with schedule (Quartz cron in the shop's time zone), last and next run
  run NAME     runs a job now
  --env ENV    live or test (default test)
  --json       print JSON`,
  actions: ['list', 'run'],
  options: { env: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, args) {
    const environment = environmentOf(args)
    return withStorage(context, 'jobs', async ({ connection }) => {
      const app = openApp({ ...context, connection, counter: memoryCounter(elapsedMs) })
      try {
        await loadClockOffset(app.shops[environment])
        return await runCommand(app.shops[environment].jobs, context, args)
      } finally {
        await app.close()
      }
    })
  },
}

async function runCommand(jobs: Jobs, context: CommandContext, args: CommandArguments): Promise<number> {
  const [action = 'list', name] = args.positionals
  if (action === 'run') {
    if (!name) throw new UsageError(`name a job: ${jobs.names().join(', ')}`)
    if (!jobs.has(name))
      throw new CommandError(
        `there is no job "${name}"; ${meant(name, jobs.names())}the jobs are ${jobs.names().join(', ')}`,
        'not_found',
      )
    if (!(await jobs.runNow(name)))
      throw new CommandError(`${name} is already running in another process`, 'refused')
  } else if (action !== 'list') throw new UsageError('use "jobs list" or "jobs run NAME"')
  const states = (await jobs.states()).filter((it) => action === 'list' || it.name === name)
  if (args.flags['json']) context.print(JSON.stringify(states))
  else
    context.print(
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
  return states.some((it) => action === 'run' && it.lastRun?.outcome === 'failed') ? 1 : 0
}
