import type { Environment } from '../base/database.ts'
import { type TrainingOutcome, trainModel, defaultSeed, defaultThreads } from '../recommendations/index.ts'
import { type Command, environmentOf, table, wholeNumber } from './command.ts'
import { withStorage } from './storage.ts'

export const trainCommand: Command = {
  usage: '[--env live|test] [--search-seconds N] [--replace-ranker] [--json]',
  help: `Trains a model on the interactions of the last half year, evaluates it on the last week, and activates it unless it is
worse than the active one. A running server loads it within a second. Servers train every night automatically.

  --env ENV         live or test (default test)
  --search-seconds  time to search for better models and parameters (default 20 to 300 by the number of interactions;
                    0 keeps those of the active model)
  --replace-ranker  replace an uploaded ranker by our own (by default the uploaded one stays)
  --json            print the outcome as JSON`,
  options: {
    env: { type: 'string' },
    'search-seconds': { type: 'string' },
    'replace-ranker': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const environment: Environment = environmentOf(args)
    const given = args.flags['search-seconds'] as string | undefined
    const bounds = { name: 'search-seconds', usual: 0, least: 0, most: 86_400 }
    const searchSeconds = given === undefined ? 'by_size' : wholeNumber(given, bounds)
    const outcome = await withStorage(context, 'train', ({ db }) =>
      trainModel(db[environment], {
        seed: defaultSeed,
        threads: defaultThreads(),
        searchSeconds,
        replacesRanker: args.flags['replace-ranker'] === true,
        report: context.printStatus,
      }),
    )
    context.print(args.flags['json'] ? JSON.stringify(outcome) : report(outcome))
    return outcome.outcome === 'rejected' ? 1 : 0
  },
}

/** The outcome, and the metrics of three methods on the last week. */
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

${table([[`${metrics.cases} queries`, 'NDCG@10', 'Hit@10', 'Recall@30'], ...rows])}`
}
