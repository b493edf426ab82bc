import { availableParallelism } from 'node:os'
import type { Engine, EvaluateOptions, Evaluation, Task } from '../recommendations/evaluate/index.ts'
import { wholeNumber, type Command, type CommandArguments, CommandError, UsageError } from './command.ts'

const options = {
  task: { type: 'string' },
  engine: { type: 'string' },
  train: { type: 'string' },
  test: { type: 'string' },
  out: { type: 'string' },
  'budget-seconds': { type: 'string' },
  'cpu-budget': { type: 'boolean' },
  folds: { type: 'string' },
  seed: { type: 'string' },
  threads: { type: 'string' },
  label: { type: 'string' },
  categorical: { type: 'string' },
  attributes: { type: 'string' },
  'last-item-only': { type: 'boolean' },
  'oldest-first': { type: 'boolean' },
  'max-cases': { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
} as const

export const evaluateCommand: Command = {
  usage: '--task TASK --train FILE [--test FILE] [options]',
  help: `Measures the recommender on your files: chooses models and parameters on a slice of train, fits on all of
it, asks every test case, and prints the metrics with fit time, peak memory and lists per second.

Tasks, and what a line holds (ids are numbers or names without spaces; files may be gzipped):
  users       user item item …            --test the same: what each user touched later; recall@20, ndcg@20
  sequences   user item item … in time    one file: the last item of each user is predicted; hr@10, ndcg@10
  sessions    item item … in time         oldest session first; --test "prefix items <TAB> next item"; hr@20, mrr@20
  baskets     item item … of one order    --test the same: each item is hidden in turn; hr@10, hr@20, mrr@20
  rank        query <TAB> relevance <TAB> features…      ndcg@10; without --test by cross-validation
  classify    CSV with a header           --label COLUMN; log-loss, AUC; without --test by cross-validation

Options:
  --out FILE              write what was predicted, a line per test case in the order of the test:
                          case <TAB> item item … (20 items). The case is the user (users, sequences), the test
                          line (sessions), or line.position of the hidden item (baskets), all counted from 1;
                          for rank and classify the score or probability of each row
  --engine NAME           selection: choose models for the task (default); live: train the engine that serves the
                          shop on these files, and query it through the ranking of R1 to R8 (lists only)
  --budget-seconds N      time for everything, most of it for choosing (default 600)
  --cpu-budget            the budget counts CPU seconds of all threads, so that a busy machine changes nothing
  --folds N               folds of the cross-validation (default 5)
  --seed N                the same seed, files and enough time give the same lists (default 1)
  --threads N             threads for fitting (default: the processors here)
  --attributes FILE       sequences: JSON {"item": [attribute, …]}, for likeness of items
  --last-item-only        sessions: ask with the last item alone, as an offer's page does
  --oldest-first          baskets: the lines of train stand in time order, so models may learn how old they are;
                          without it the order of the lines means nothing
  --max-cases N           lists: ask at most N test cases, evenly taken from the test; all by default
  --label COLUMN          classify: the column to predict (default: the first)
  --categorical A,B|all   classify: the columns that are categories
  --json                  print one JSON object
  --quiet                 tell nothing while working

Examples:
  bozor evaluate --task users --train train.txt.gz --test test.txt.gz
  bozor evaluate --task sessions --train train.txt --test test.txt --last-item-only --out lists.tsv`,
  options,
  async run(context, args) {
    // Loaded here, because no other command needs the learning core.
    const { engines, evaluate, InputError, tasks } = await import('../recommendations/evaluate/index.ts')
    const asked = optionsOf(args, tasks, engines)
    if (!args.flags['quiet']) asked.onProgress = context.printStatus
    try {
      const result = await evaluate(asked)
      context.print(args.flags['json'] ? JSON.stringify(result) : report(result))
      return 0
    } catch (error) {
      throw error instanceof InputError ? new CommandError(error.message) : error
    }
  },
}

function optionsOf(
  { flags, positionals }: CommandArguments,
  tasks: readonly Task[],
  engines: readonly Engine[],
): EvaluateOptions {
  const values = flags as Partial<Record<keyof typeof options, string>>
  if (positionals.length > 0)
    throw new UsageError(`unexpected argument "${positionals[0]}"; see "help evaluate"`)
  const task = tasks.find((known) => known === values.task)
  if (!task) throw new UsageError(`--task must be one of ${tasks.join(', ')}`)
  const engine = engines.find((known) => known === (values.engine ?? 'selection'))
  if (!engine) throw new UsageError(`--engine must be one of ${engines.join(', ')}`)
  if (values.train === undefined) throw new UsageError('--train FILE is required')
  if (values.test === undefined && needsTest(task)) throw new UsageError(`the task ${task} needs --test FILE`)
  return {
    task,
    engine,
    train: values.train,
    test: values.test,
    out: values.out,
    attributes: values.attributes,
    label: values.label,
    categorical: values.categorical,
    budgetSeconds: wholeNumber(values['budget-seconds'], {
      name: 'budget-seconds',
      usual: 600,
      least: 1,
      most: 1e6,
    }),
    folds: wholeNumber(values.folds, { name: 'folds', usual: 5, least: 2, most: 100 }),
    seed: wholeNumber(values.seed, { name: 'seed', usual: 1, least: 0, most: 2 ** 32 - 1 }),
    threads: wholeNumber(values.threads, {
      name: 'threads',
      usual: availableParallelism(),
      least: 1,
      most: 16,
    }),
    budgetClock: flags['cpu-budget'] === true ? 'cpu' : 'wall',
    lastItemOnly: flags['last-item-only'] === true,
    oldestFirst: flags['oldest-first'] === true,
    maxCases:
      values['max-cases'] === undefined
        ? undefined
        : wholeNumber(values['max-cases'], { name: 'max-cases', usual: 1, least: 1, most: 1e9 }),
  }
}

const needsTest = (task: Task): boolean => task === 'users' || task === 'sessions' || task === 'baskets'

function report(result: Evaluation): string {
  const lines = Object.entries(result.metrics).map(([name, value]) => row(name, value.toFixed(5)))
  for (const [name, value] of Object.entries(result.candidates ?? {})) {
    lines.push(row(`  before`, `${name} ${value.toFixed(5)} of the candidates, before the ranker`))
  }
  for (const { kind, weight, params } of result.chosen ?? []) {
    const shown = Object.entries(params).map(([name, value]) => `${name}=${value}`)
    lines.push(row('model', `${weight} × ${kind} ${shown.join(' ')}`))
  }
  lines.push(row('cases', String(result.cases)))
  if (result.chooseSeconds !== undefined) lines.push(row('choosing', `${result.chooseSeconds.toFixed(1)} s`))
  lines.push(row('fit', `${result.fitSeconds.toFixed(1)} s`))
  if (result.listsPerSecond !== undefined)
    lines.push(row('lists', `${result.listsPerSecond.toFixed(0)} per second`))
  if (result.rowsPerSecond !== undefined)
    lines.push(row('rows', `${result.rowsPerSecond.toFixed(0)} per second`))
  lines.push(row('peak memory', `${result.peakMemoryMb.toFixed(0)} MB`))
  lines.push(row('total', `${result.totalSeconds.toFixed(1)} s`))
  return lines.join('\n')
}

const row = (name: string, value: string): string => `${name.padEnd(14)}${value}`
