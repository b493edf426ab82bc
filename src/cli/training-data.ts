import { isInstant } from '../http/instant.ts'
import {
  featureRows,
  type Format,
  formats,
  interactionRows,
  maxDays,
  type Rows,
  defaultDays,
  defaultThreads,
  formatRows,
} from '../recommendations/index.ts'
import type { Database } from '../base/database.ts'
import { type Command, environmentOf, type CommandArguments, UsageError } from './command.ts'
import { withStorage } from './storage.ts'
import { writeLines } from './write-out.ts'

export const trainingDataCommand: Command = {
  usage: 'interactions|features [FILE] [--env live|test] [--format csv|ndjson] [--json]',
  help: `Writes training data for other engines. "model import" and "model upload" import their results.

  interactions      interactions of buyers in chronological order: buyer, product_id, offer_id, kind, weight, at
  features          visits of some days as model queries, a row per candidate: query, at, product_id, label (0 nothing,
                    1 viewed, 2 wishlist or cart, 3 bought) and all features of the ranker; candidates come from
                    a model trained before those days, which takes from seconds to minutes
  FILE              target file; without it, or with -, stdout
  --env ENV         live or test (default test)
  --format FORMAT   csv (default) or ndjson
  --from AT         of interactions: not before this instant, such as 2026-11-01T00:00:00Z
  --to AT           before this instant; of features, the end of the days (default now)
  --days N          of features: how many days, 1 to ${maxDays} (default ${defaultDays})
  --json            with FILE: print how many lines it has, as JSON

The file appears when it is complete and is readable by its owner only.

  npm run bozor -- training-data features features.csv --env live --days 14`,
  actions: ['interactions', 'features'],
  options: {
    env: { type: 'string' },
    format: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    days: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [what, ...names] = args.positionals
    const environment = environmentOf(args)
    const format = formatOf(args)
    const rows = rowsOf(what, args)
    await withStorage(context, 'training-data', ({ db }) =>
      writeLines(context, { names, flags: args.flags }, formatRows(rows(db[environment]), format)),
    )
    return 0
  },
}

function formatOf({ flags }: CommandArguments): Format {
  const format = flags['format'] ?? 'csv'
  if (!formats.includes(format as Format)) throw new UsageError(`--format must be ${formats.join(' or ')}`)
  return format as Format
}

function rowsOf(what: string | undefined, args: CommandArguments): (db: Database) => Rows {
  const [from, to] = [instantIn(args, 'from'), instantIn(args, 'to')]
  if (what === 'interactions')
    return (db) => interactionRows(db, { ...(from && { from }), ...(to && { to }) })
  if (what !== 'features')
    throw new UsageError('use "training-data interactions" or "training-data features"')
  const days = Number(args.flags['days'] ?? defaultDays)
  if (!Number.isInteger(days) || days < 1 || days > maxDays)
    throw new UsageError(`--days must be a whole number from 1 to ${maxDays}`)
  return (db) => featureRows(db, { days, until: to, threads: defaultThreads() })
}

function instantIn({ flags }: CommandArguments, flag: 'from' | 'to'): Date | undefined {
  const text = flags[flag] as string | undefined
  if (text === undefined) return undefined
  if (!isInstant(text)) throw new UsageError(`--${flag} must be an instant such as 2026-11-01T00:00:00Z`)
  return new Date(text)
}
