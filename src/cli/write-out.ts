// Where commands write what may be long: a file that appears when it is whole, or the standard output.

import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError, type World } from './command.ts'

/** Writes lines into the one file that the words name; without one, or with -, to the standard output. */
export async function writeOut(
  world: World,
  [name = '-', ...more]: readonly string[],
  lines: AsyncIterable<string>,
): Promise<void> {
  if (more.length > 0) throw new UsageError('name one FILE at most')
  const bytes = Readable.from(lines, { objectMode: false })
  await (name === '-' ? intoPipe(bytes, world.output()) : intoFile(bytes, name))
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
