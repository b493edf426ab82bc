import { allRecordKinds } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import { importRecords, type ImportReport } from '../base/records/import-records.ts'
import { Refusal } from '../base/refusal.ts'
import { localizedFaults } from '../http/validation.ts'
import { type Command, environmentOf, CommandError, UsageError, type CommandContext } from './command.ts'
import { withStorage, sourceOf } from './storage.ts'

export const importCommand: Command = {
  usage: 'FILE --env live|test [--strict] [--dry-run] [--csv KIND] [--json]',
  help: `Reads one JSON record per line, of any kind and in any order, and creates or updates by id. Importing a file twice
changes nothing. A running server shows the changes within a second.

  FILE         a file, or - for stdin
  --env ENV    live or test (default test)
  --strict     all or nothing: one refused line rolls everything back
  --dry-run    store nothing and report what would be stored
  --csv KIND   the file is CSV with records of this kind, for example product, offer or stock; its first row has the
               fields (id, name.ru, price_tiyin, …), and lists are separated by |
  --json       print the report as JSON

Records are committed in batches of a thousand. A refused line is reported with its number and reasons; the others are
imported. When interrupted, complete batches stay: run it again. Exits with 0 when every line was stored, and with 1
when lines were refused or the import did not finish.

Kinds: ${allRecordKinds.map((it) => it.name).join(', ')}

  npm run bozor -- import shop.ndjson --env live
  zcat shop.ndjson.gz | npm run --silent bozor -- import - --env test --strict`,
  options: {
    env: { type: 'string' },
    strict: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    csv: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const environment = environmentOf(args)
    const csv = csvKindOf(args)
    const dryRun = args.flags['dry-run'] === true
    const source = await sourceOf(context, args.positionals)
    const stop = stopSignal()
    const began = elapsedMs()
    const report = await withStorage(context, 'import', ({ db }) =>
      importRecords(db[environment], source, {
        kinds: allRecordKinds,
        strict: args.flags['strict'] === true,
        csv,
        dryRun,
        signal: stop,
        onProgress: ({ read, stored, unchanged }) =>
          context.progress(`${read} lines read, ${stored} records stored, ${unchanged} unchanged`),
      }),
    ).catch((error: unknown) => {
      if (!stop.aborted || !(error instanceof Refusal)) throw error
      const { read, stored } = error.details as { read: number; stored: number }
      throw new CommandError(
        `stopped after ${read} lines; ${stored} records are stored, run it again for the rest`,
      )
    })
    context.progress('')
    if (args.flags['json']) context.print(JSON.stringify(report))
    else
      printReport(context, report, {
        seconds: (elapsedMs() - began) / 1000,
        strict: args.flags['strict'] === true,
        dryRun,
      })
    return report.refused === 0 ? 0 : 1
  },
}

/** The kind of the records of a CSV file; undefined for NDJSON. */
function csvKindOf({ flags, positionals }: Parameters<Command['run']>[1]): string | undefined {
  const kind = flags['csv'] as string | undefined
  const names = allRecordKinds.map((it) => it.name)
  if (kind === undefined && positionals[0]?.toLowerCase().endsWith('.csv'))
    throw new UsageError('a CSV file has records of one kind: name it, for example --csv product')
  if (kind !== undefined && !names.includes(kind))
    throw new UsageError(`--csv must be one of ${names.join(', ')}`)
  return kind
}

/** The first Ctrl-C stops after the current batch, the second at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

function printReport(
  { print, printStatus }: CommandContext,
  { read, stored, unchanged, refused, refusals }: ImportReport,
  { seconds, strict, dryRun }: { seconds: number; strict: boolean; dryRun: boolean },
): void {
  for (const { line, record, id, faults } of refusals) {
    const what = [record, id].filter((it) => it !== null).join(' ')
    const why = localizedFaults(faults, 'en').map((it) => `${it.path} ${it.message}`.trim())
    printStatus(`line ${line}${what && `, ${what}`}: ${why.join('; ')}`)
  }
  if (refused > refusals.length) printStatus(`… and ${refused - refusals.length} more refused lines`)
  const ending = dryRun
    ? '; nothing was changed because of --dry-run'
    : strict && refused > 0
      ? '; nothing was changed because of --strict'
      : ''
  print(
    `${read} lines read, ${stored} records stored, ${unchanged} unchanged, ${refused} lines refused in ${seconds.toFixed(1)} s${ending}.`,
  )
}
