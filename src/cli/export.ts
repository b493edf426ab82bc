import { allRecordKinds } from '../app.ts'
import { exportedLines } from '../base/records/export-records.ts'
import type { RecordKind } from '../base/records/record-kind.ts'
import { type Command, environmentOf, type CommandArguments, UsageError } from './command.ts'
import { withStorage } from './storage.ts'
import { writeLines } from './write-out.ts'

export const exportCommand: Command = {
  usage: '[FILE] --env live|test [--records KIND,KIND] [--json]',
  help: `Writes all records of an environment in the format of "import", one per line, referenced records first.

  FILE              target file; without it, or with -, stdout
  --env ENV         live or test (default test)
  --records A,B     only these record kinds
  --json            with FILE: print how many lines it has, as JSON

The file appears when it is complete and is readable by its owner only, because it may contain clients.

Kinds: ${allRecordKinds.map((it) => it.name).join(', ')}

  npm run bozor -- export shop.ndjson --env live
  npm run --silent bozor -- export --env live --records offer | wc -l`,
  options: { env: { type: 'string' }, records: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, args) {
    const environment = environmentOf(args)
    const kinds = kindsOf(args)
    await withStorage(context, 'export', ({ db }) =>
      writeLines(
        context,
        { names: args.positionals, flags: args.flags },
        exportedLines(db[environment], kinds),
      ),
    )
    return 0
  },
}

function kindsOf({ flags }: CommandArguments): RecordKind[] {
  const asked = (flags['records'] as string | undefined)?.split(',').map((it) => it.trim())
  const unknown = asked?.filter((name) => !allRecordKinds.some((it) => it.name === name)) ?? []
  if (unknown.length > 0)
    throw new UsageError(
      `unknown record kinds "${unknown.join(', ')}"; known kinds: ${allRecordKinds.map((it) => it.name).join(', ')}`,
    )
  return allRecordKinds.filter((it) => !asked || asked.includes(it.name))
}
