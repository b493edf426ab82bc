// Lines set aside in a file that has no name: it is gone with the process, however that ends.

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Line, linesOf } from './lines.ts'
import { refuse } from './refusal.ts'

const space = 0x20
const decimalDigits = 16

export class Spool {
  size = 0
  #file: Promise<FileHandle> | undefined

  /** Sets lines aside, each under the number it had. */
  async add(lines: readonly { line: number; text: string }[]): Promise<void> {
    if (lines.length === 0) return
    this.#file ??= openNameless()
    const bytes = Buffer.from(lines.map(({ line, text }) => `${line} ${text}\n`).join(''))
    const file = await this.#file
    await file.appendFile(bytes).catch(refuseFullDisk)
    this.size += lines.length
  }

  /** All that was set aside, in its order. It can be read again. */
  async *lines(maxBytes: number): AsyncGenerator<Line[], void> {
    if (!this.#file) return
    const file = await this.#file
    const bytes = file.createReadStream({ start: 0, autoClose: false })
    for await (const lines of linesOf(bytes, maxBytes + decimalDigits + 1)) yield lines.map(asItWas)
  }

  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined)
    await file?.close()
  }
}

function asItWas({ bytes }: Line): Line {
  const at = bytes!.indexOf(space)
  return { number: Number(Buffer.from(bytes!.subarray(0, at)).toString()), bytes: bytes!.subarray(at + 1) }
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'bozor-import-')).catch(refuseFullDisk)
  try {
    return await open(join(folder, 'lines'), 'ax+', 0o600).catch(refuseFullDisk)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOENT']

/** Where nothing can be set aside, the import cannot go on; that is no defect of ours. */
function refuseFullDisk(error: unknown): never {
  if (diskCodes.includes((error as { code?: string }).code ?? ''))
    throw refuse('storage_unavailable', { retry_after: 60 })
  throw error
}
