// Lines in an unlinked temporary file, which disappears with the process.

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Line, readLines } from './read-lines.ts'
import { refuse } from '../refusal.ts'

const space = 0x20
const decimalDigits = 16

export class SpillFile {
  size = 0
  #file: Promise<FileHandle> | undefined

  /** Appends lines with their numbers. */
  async add(lines: readonly { line: number; text: string }[]): Promise<void> {
    if (lines.length === 0) return
    this.#file ??= openUnlinked()
    const bytes = Buffer.from(lines.map(({ line, text }) => `${line} ${text}\n`).join(''))
    const file = await this.#file
    await file.appendFile(bytes).catch(refuseFullDisk)
    this.size += lines.length
  }

  /** All lines in order. May be called several times. */
  async *lines(maxBytes: number): AsyncGenerator<Line[], void> {
    if (!this.#file) return
    const file = await this.#file
    const bytes = file.createReadStream({ start: 0, autoClose: false })
    for await (const lines of readLines(bytes, maxBytes + decimalDigits + 1)) yield lines.map(decode)
  }

  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined)
    await file?.close()
  }
}

function decode({ bytes }: Line): Line {
  const at = bytes!.indexOf(space)
  return { number: Number(Buffer.from(bytes!.subarray(0, at)).toString()), bytes: bytes!.subarray(at + 1) }
}

async function openUnlinked(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'bozor-import-')).catch(refuseFullDisk)
  try {
    return await open(join(folder, 'lines'), 'ax+', 0o600).catch(refuseFullDisk)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOENT']

/** Without disk space the import cannot continue; that is not a bug. */
function refuseFullDisk(error: unknown): never {
  if (diskCodes.includes((error as { code?: string }).code ?? ''))
    throw refuse('storage_unavailable', { retry_after: 60 })
  throw error
}
