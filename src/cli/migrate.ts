import pg from 'pg'
import { type PlannedStep, planMigrations } from '../base/migration-plan.ts'
import { migrate } from '../base/migrate.ts'
import { openStorage } from '../base/storage.ts'
import { type Command, type CommandContext, table } from './command.ts'

export const migrateCommand: Command = {
  usage: '[--plan] [--json]',
  help: `Runs pending migrations. \`start\` does this automatically.

  --plan   change nothing; list what pending migrations would do, with the rows and the size of each table
  --json   print JSON: the plan, or the names of the migrations that ran

"blocks writes" and "blocks reads and writes" last as long as the statement: short for names and columns, longer for an
index over many rows. On an empty or small table neither matters.`,
  options: { plan: { type: 'boolean' }, json: { type: 'boolean' } },
  async run(context, args) {
    const storage = await openStorage(context.config, {
      role: 'command',
      commandName: 'migrate',
      log: context.log,
    })
    try {
      if (args.flags['plan'] === true)
        return await printPlan(context, storage.connection, args.flags['json'] === true ? 'json' : 'table')
      const done = await migrate(storage.connection, context.log)
      if (args.flags['json']) context.print(JSON.stringify({ migrated: done }))
      else context.print(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'Nothing to migrate.')
      return 0
    } finally {
      await storage.close()
    }
  },
}

async function printPlan(
  { print }: CommandContext,
  connection: pg.ClientConfig,
  form: 'json' | 'table',
): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const steps = await planMigrations(client).finally(() => client.end())
  if (form === 'json') print(JSON.stringify(steps))
  else print(steps.length > 0 ? planTable(steps) : 'Nothing to migrate.')
  return 0
}

const shownCharacters = 70

const planTable = (steps: PlannedStep[]): string =>
  table([
    ['migration', 'schema', 'effect', 'rows', 'MB', 'statement'],
    ...steps.map((it) => [
      it.migration,
      it.schema,
      it.effect,
      it.table ? String(Math.round(it.table.rows)) : '',
      it.table ? (it.table.bytes / 1024 / 1024).toFixed(1) : '',
      it.statement.slice(0, shownCharacters),
    ]),
  ])
