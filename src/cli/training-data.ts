import { isInstant } from '../http/instant.ts'
import {
  featureRows,
  type Format,
  formats,
  interactionRows,
  mostDays,
  type Rows,
  usualDays,
  usualThreads,
  writtenRows,
} from '../recommendations/index.ts'
import type { Database } from '../base/db.ts'
import { atDesk, type Command, environmentOf, type Given, UsageError } from './command.ts'
import { writeOut } from './write-out.ts'

export const trainingDataCommand: Command = {
  name: 'training-data',
  summary: 'take out what there is to learn from, for an engine that learns elsewhere',
  usage: 'interactions|features [FILE] [--env live|test] [--format csv|ndjson]',
  help: `Writes what other engines learn from. "model import" and "model upload" bring back what they have learnt.

  interactions      what buyers did, in the order of time: buyer, product_id, offer_id, kind, weight, at
  features          the visits of some days as questions, a row per candidate: query, at, product_id, label (0 nothing,
                    1 looked at, 2 wished or put into the cart, 3 bought) and every feature that a ranker may ask for;
                    candidates are learnt before those days, which takes from seconds to minutes
  FILE              where to; without it, or with -, to the standard output
  --env ENV         live or test (default test)
  --format FORMAT   csv (default) or ndjson
  --from AT         of interactions: not before this instant, such as 2026-11-01T00:00:00Z
  --to AT           before this instant; of features, the end of the days (default now)
  --days N          of features: how many days, 1 to ${mostDays} (default ${usualDays})

A file appears when it is whole, and only its owner may read it.

  npm run bozor -- training-data features features.csv --env live --days 14`,
  options: {
    env: { type: 'string' },
    format: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    days: { type: 'string' },
  },
  async run(world, given) {
    const [what, ...names] = given.words
    const environment = environmentOf(given)
    const format = formatOf(given)
    const rows = rowsOf(what, given)
    await atDesk(world, 'training-data', ({ db }) =>
      writeOut(world, names, writtenRows(rows(db[environment]), format)),
    )
    return 0
  },
}

function formatOf({ flags }: Given): Format {
  const format = flags['format'] ?? 'csv'
  if (!formats.includes(format as Format)) throw new UsageError(`--format must be ${formats.join(' or ')}`)
  return format as Format
}

function rowsOf(what: string | undefined, given: Given): (db: Database) => Rows {
  const [from, to] = [instantIn(given, 'from'), instantIn(given, 'to')]
  if (what === 'interactions')
    return (db) => interactionRows(db, { ...(from && { from }), ...(to && { to }) })
  if (what !== 'features')
    throw new UsageError('say "training-data interactions" or "training-data features"')
  const days = Number(given.flags['days'] ?? usualDays)
  if (!Number.isInteger(days) || days < 1 || days > mostDays)
    throw new UsageError(`--days must be a whole number from 1 to ${mostDays}`)
  return (db) => featureRows(db, { days, until: to, threads: usualThreads() })
}

function instantIn({ flags }: Given, flag: 'from' | 'to'): Date | undefined {
  const said = flags[flag] as string | undefined
  if (said === undefined) return undefined
  if (!isInstant(said)) throw new UsageError(`--${flag} must be an instant such as 2026-11-01T00:00:00Z`)
  return new Date(said)
}
