import type { Environment } from '../base/db.ts'
import { trainModel, usualSeed, usualThreads } from '../recommendations/index.ts'
import { atDesk, type Command, environmentOf } from './command.ts'

export const trainCommand: Command = {
  name: 'train',
  summary: 'learn recommendations from what buyers did',
  usage: '[--env live|test] [--json]',
  help: `Learns a model from what buyers did in the last half year, measures it on the last week, and lets it serve unless it
is worse than the one that does. A running server takes it up within a second. Servers do this by themselves every night.

  --env ENV    live or test (default test)
  --json       print the outcome as JSON`,
  options: { env: { type: 'string' }, json: { type: 'boolean' } },
  async run(world, given) {
    const environment: Environment = environmentOf(given)
    const outcome = await atDesk(world, 'train', ({ db }) =>
      trainModel(db[environment], { seed: usualSeed, threads: usualThreads(), tell: world.tell }),
    )
    world.print(given.flags['json'] ? JSON.stringify(outcome) : `${outcome.outcome}: ${outcome.note}`)
    return outcome.outcome === 'kept' ? 1 : 0
  },
}
