// Output of long commands: a file that appears when it is complete, or stdout.

import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError, type CommandContext } from './command.ts'

/** Writes lines to the file named in the arguments; without one, or with -, to stdout. */
export async function writeLines(
  context: CommandContext,
  [name = '-', ...more]: readonly string[],
  lines: AsyncIterable<string>,
): Promise<void> {
  if (more.length > 0) throw new UsageError('name one FILE at most')
  const bytes = Readable.from(lines, { objectMode: false })
  await (name === '-' ? intoPipe(bytes, context.output()) : intoFile(bytes, name))
}

/** The reader may close the pipe early, like `head`. */
async function intoPipe(lines: Readable, output: NodeJS.WritableStream): Promise<void> {
  await pipeline(lines, output, { end: false }).catch((error: { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
}

async function intoFile(lines: Readable, name: string): Promise<void> {
  const partial = `${name}.part`
  const file = await open(partial, 'w', 0o600).catch((error: Error) => {
    throw new UsageError(`cannot write "${name}": ${error.message}`)
  })
  try {
    await pipeline(lines, file.createWriteStream({ flush: true }))
    await rename(partial, name)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
