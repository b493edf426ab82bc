// Output of long commands: a file that appears when it is complete, or stdout.

import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandArguments, type CommandContext, CommandError, UsageError } from './command.ts'

/**
 * Writes lines to the file named in the arguments; without one, or with -, to stdout. With a file and `--json` it prints
 * how many lines the file has.
 */
export async function writeLines(
  context: CommandContext,
  { names: [name = '-', ...more], flags }: { names: readonly string[]; flags: CommandArguments['flags'] },
  lines: AsyncIterable<string>,
): Promise<void> {
  if (more.length > 0) throw new UsageError('name one FILE at most')
  const written = { lines: 0 }
  const bytes = Readable.from(counted(context, lines, written), { objectMode: false })
  await (name === '-' ? writeToPipe(bytes, context.output()) : writeToFile(bytes, name))
  context.progress('')
  if (name !== '-' && flags['json']) context.print(JSON.stringify({ file: name, lines: written.lines }))
}

async function* counted(
  { progress }: CommandContext,
  pieces: AsyncIterable<string>,
  written: { lines: number },
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    written.lines += piece.split('\n').length - 1
    progress(`${written.lines} lines`)
    yield piece
  }
}

/** The reader may close the pipe early, like `head`. */
async function writeToPipe(lines: Readable, output: NodeJS.WritableStream): Promise<void> {
  await pipeline(lines, output, { end: false }).catch((error: { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
}

async function writeToFile(lines: Readable, name: string): Promise<void> {
  const partial = `${name}.part`
  const file = await open(partial, 'w', 0o600).catch((error: Error) => {
    throw new CommandError(`cannot write "${name}": ${error.message}`)
  })
  try {
    await pipeline(lines, file.createWriteStream({ flush: true }))
    await rename(partial, name)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
