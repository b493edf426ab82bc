import type { Environment } from '../base/db.ts'
import { type TrainingOutcome, trainModel, usualSeed, usualThreads } from '../recommendations/index.ts'
import { atDesk, type Command, environmentOf, table } from './command.ts'

export const trainCommand: Command = {
  name: 'train',
  summary: 'learn recommendations from what buyers did',
  usage: '[--env live|test] [--replace-ranker] [--json]',
  help: `Learns a model from what buyers did in the last half year, measures it on the last week, and lets it serve unless it
is worse than the one that does. A running server takes it up within a second. Servers do this by themselves every night.

  --env ENV         live or test (default test)
  --replace-ranker  put our own ranker in the place of one that was uploaded, which stays otherwise
  --json            print the outcome as JSON`,
  options: { env: { type: 'string' }, 'replace-ranker': { type: 'boolean' }, json: { type: 'boolean' } },
  async run(world, given) {
    const environment: Environment = environmentOf(given)
    const outcome = await atDesk(world, 'train', ({ db }) =>
      trainModel(db[environment], {
        seed: usualSeed,
        threads: usualThreads(),
        replacesRanker: given.flags['replace-ranker'] === true,
        tell: world.tell,
      }),
    )
    world.print(given.flags['json'] ? JSON.stringify(outcome) : report(outcome))
    return outcome.outcome === 'kept' ? 1 : 0
  },
}

/** The outcome, and the figures of the three ways to answer the questions of the last week. */
function report({ outcome, note, metrics }: TrainingOutcome): string {
  if (!metrics) return `${outcome}: ${note}`
  const ways = [
    ['most popular', metrics.popularity],
    ['candidates', metrics.candidates],
    ['ranker', metrics.ranker],
  ] as const
  const rows = ways.flatMap(([name, it]) =>
    it ? [[name, it.ndcg10.toFixed(4), it.hit10.toFixed(4), it.recall30.toFixed(4)]] : [],
  )
  return `${outcome}: ${note}

${table([[`${metrics.cases} questions`, 'NDCG@10', 'Hit@10', 'Recall@30'], ...rows])}`
}
