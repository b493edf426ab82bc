import { moveData } from '../base/backup/move-data.ts'
import { migrate } from '../base/migrate.ts'
import { openStorage } from '../base/storage.ts'
import { type Command, UsageError } from './command.ts'

export const moveCommand: Command = {
  usage: '--to DATABASE_URL [--json]',
  help: `Moves everything from the embedded database to your own PostgreSQL (15 or newer). Stop the server first.

  --to DATABASE_URL   an empty database, for example postgres://bozor:password@db.example/bozor
  --json              print JSON

The command copies table by table and compares each one. If it is interrupted, run it again: it continues where it
stopped. The embedded database stays as it was.`,
  options: { to: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, args) {
    const to = args.flags['to']
    const { config, log, progress } = context
    if (typeof to !== 'string' || !/^postgres(ql)?:\/\//.test(to) || args.positionals.length > 0)
      throw new UsageError('name the target: --to postgres://user:password@host/database')
    if (config.databaseUrl)
      throw new UsageError('move copies the embedded database; unset DATABASE_URL for this command')
    const storage = await openStorage(config, { role: 'command', commandName: 'move', log })
    try {
      await migrate(storage.connection, log)
      const { tables, rows, alreadyEqual } = await moveData({
        source: storage.connection,
        target: { connectionString: to },
        log,
        progress,
      })
      progress('')
      if (args.flags['json']) context.print(JSON.stringify({ tables, rows, already_equal: alreadyEqual }))
      else
        context.print(`Moved and compared: ${tables} tables, ${rows} rows (${alreadyEqual} tables were equal already).
Next:
  1. Set DATABASE_URL to the new database for every node.
  2. ${config.secretKey ? 'Keep SECRET_KEY as it is.' : `Set SECRET_KEY on every node to the content of ${config.dataDir}/secret.key.`}
  3. Start the server. When it works, remove ${config.dataDir}/postgres.`)
      return 0
    } finally {
      await storage.close()
    }
  },
}
