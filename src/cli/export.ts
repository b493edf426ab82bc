import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { allRecordKinds } from '../app.ts'
import { exportedLines } from '../base/export-records.ts'
import type { RecordKind } from '../base/records.ts'
import { atDesk, type Command, environmentOf, type Given, UsageError } from './command.ts'

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
    const [name = '-', ...more] = given.words
    if (more.length > 0) throw new UsageError('name one FILE at most')
    await atDesk(world, 'export', ({ db }) => {
      const lines = Readable.from(exportedLines(db[environment], kinds), { objectMode: false })
      return name === '-' ? intoPipe(lines, world.output()) : intoFile(lines, name)
    })
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

/** Whoever reads may stop reading, as `head` does. */
async function intoPipe(lines: Readable, output: NodeJS.WritableStream): Promise<void> {
  await pipeline(lines, output, { end: false }).catch((error: { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
}

async function intoFile(lines: Readable, name: string): Promise<void> {
  const partial = `${name}.part`
  const file = await open(partial, 'w', 0o600).catch((error: Error) => {
    throw new UsageError(`"${name}" cannot be written: ${error.message}`)
  })
  try {
    await pipeline(lines, file.createWriteStream({ flush: true }))
    await rename(partial, name)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
