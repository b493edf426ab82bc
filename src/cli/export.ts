import { allRecordKinds } from '../app.ts'
import { exportedLines } from '../base/export-records.ts'
import type { RecordKind } from '../base/records.ts'
import { atDesk, type Command, environmentOf, type Given, UsageError } from './command.ts'
import { writeOut } from './write-out.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'take records out as NDJSON',
  usage: '[FILE] --env live|test [--records KIND,KIND]',
  help: `Writes every record of an environment, one a line, as "import" reads them; what others name comes first.

  FILE              where to; without it, or with -, to the standard output
  --env ENV         live or test (default test)
  --records A,B     only these kinds

A file appears when it is whole, and only its owner may read it: it may hold clients.

Kinds: ${allRecordKinds.map((it) => it.name).join(', ')}

  npm run bozor -- export shop.ndjson --env live
  npm run --silent bozor -- export --env live --records offer | wc -l`,
  options: { env: { type: 'string' }, records: { type: 'string' } },
  async run(world, given) {
    const environment = environmentOf(given)
    const kinds = kindsOf(given)
    await atDesk(world, 'export', ({ db }) =>
      writeOut(world, given.words, exportedLines(db[environment], kinds)),
    )
    return 0
  },
}

function kindsOf({ flags }: Given): RecordKind[] {
  const asked = (flags['records'] as string | undefined)?.split(',').map((it) => it.trim())
  const unknown = asked?.filter((name) => !allRecordKinds.some((it) => it.name === name)) ?? []
  if (unknown.length > 0)
    throw new UsageError(
      `there are no records "${unknown.join(', ')}"; there are ${allRecordKinds.map((it) => it.name).join(', ')}`,
    )
  return allRecordKinds.filter((it) => !asked || asked.includes(it.name))
}
