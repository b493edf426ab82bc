import { allRecordKinds } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import { importRecords, type ImportReport } from '../base/import-records.ts'
import { Refusal } from '../base/refusal.ts'
import { spokenFaults } from '../http/validation.ts'
import { atDesk, type Command, environmentOf, sourceOf, UsageError, type World } from './command.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'bring records in from a file of NDJSON',
  usage: 'FILE --env live|test [--strict] [--json]',
  help: `Reads one JSON record a line, of any kind and in any order, and brings the shop to what they say. Loading a file
twice changes nothing. A running server shows the change within a second.

  FILE         a file, or - for what is piped in
  --env ENV    live or test (default test)
  --strict     all or nothing: one refused line leaves everything as it was
  --json       print the report as JSON

Records are committed a thousand at a time. A refused line is told with its number and its reasons, and stops no other.
Stopped in the middle, by Ctrl-C or a failure, it leaves whole batches: run it again.
Ends with 0 when every line is stored, and with 1 when some were refused or it did not come to the end.

Kinds: ${allRecordKinds.map((it) => it.name).join(', ')}

  npm run bozor -- import goods.ndjson --env live
  zcat goods.ndjson.gz | npm run --silent bozor -- import - --env test --strict`,
  options: { env: { type: 'string' }, strict: { type: 'boolean' }, json: { type: 'boolean' } },
  async run(world, given) {
    const environment = environmentOf(given)
    const source = await sourceOf(world, given.words)
    const stop = stopSignal()
    const began = elapsedMs()
    const report = await atDesk(world, 'import', ({ db }) =>
      importRecords(db[environment], source, {
        kinds: allRecordKinds,
        strict: given.flags['strict'] === true,
        signal: stop,
        onProgress: ({ read, stored }) => world.progress(`${read} lines read, ${stored} records stored`),
      }),
    ).catch((error: unknown) => {
      if (!stop.aborted || !(error instanceof Refusal)) throw error
      const { read, stored } = error.details as { read: number; stored: number }
      throw new UsageError(
        `stopped after ${read} lines; ${stored} records are stored, run it again for the rest`,
      )
    })
    world.progress('')
    if (given.flags['json']) world.print(JSON.stringify(report))
    else
      tellReport(world, report, {
        seconds: (elapsedMs() - began) / 1000,
        strict: given.flags['strict'] === true,
      })
    return report.refused === 0 ? 0 : 1
  },
}

/** The first Ctrl-C ends the work after the batch under way, the second at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

function tellReport(
  { print, tell }: World,
  { read, stored, refused, refusals }: ImportReport,
  { seconds, strict }: { seconds: number; strict: boolean },
): void {
  for (const { line, record, id, faults } of refusals) {
    const what = [record, id].filter((it) => it !== null).join(' ')
    const why = spokenFaults(faults, 'en').map((it) => `${it.path} ${it.message}`.trim())
    tell(`line ${line}${what && `, ${what}`}: ${why.join('; ')}`)
  }
  if (refused > refusals.length) tell(`… and ${refused - refusals.length} more refused lines`)
  const ending = strict && refused > 0 ? '; nothing was changed, because it was to be all or nothing' : ''
  print(
    `${read} lines read, ${stored} records stored, ${refused} lines refused in ${seconds.toFixed(1)} s${ending}.`,
  )
}
