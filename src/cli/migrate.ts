import { migrate } from '../base/migrate.ts'
import { openStorage } from '../base/storage.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database to the present shape',
  usage: '',
  help: 'Runs the migrations that the database still lacks. `start` does the same by itself.',
  options: {},
  async run(world) {
    const storage = await openStorage(world.config, {
      role: 'command',
      commandName: 'migrate',
      log: world.log,
    })
    try {
      const done = await migrate(storage.connection, world.log)
      world.print(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'Nothing to migrate.')
      return 0
    } finally {
      await storage.close()
    }
  },
}
