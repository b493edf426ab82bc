// Compares the files of a backup with its manifest.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { BackupUnusable } from './errors.ts'
import { checkCopies } from './files.ts'
import type { Manifest } from './manifest.ts'

/** Reads every file again and compares its bytes and its rows with the manifest. */
export async function checkBackup(folder: string, { tables, files = [] }: Manifest): Promise<void> {
  await checkCopies(folder, files)
  for (const table of tables) {
    const found = await fileContent(join(folder, table.file)).catch((error: Error) => {
      throw new BackupUnusable(
        `${join(folder, table.file)} cannot be read: ${error.message}. Use another backup.`,
      )
    })
    if (found.sha256 !== table.sha256 || found.rows !== table.rows)
      throw new BackupUnusable(
        `${join(folder, table.file)} is damaged: it has ${found.rows} rows and the SHA-256 ${found.sha256}, and the ` +
          `manifest says ${table.rows} and ${table.sha256}. Use another backup.`,
      )
  }
}

const newline = 10

/** In the text format of COPY a line is a row: a line break inside a value is escaped. */
async function fileContent(path: string): Promise<{ sha256: string; rows: number }> {
  const hash = createHash('sha256')
  let rows = 0
  const file = createReadStream(path)
  const unpacked = createGunzip()
  file.on('data', (chunk) => hash.update(chunk))
  file.on('error', (error) => unpacked.destroy(error))
  for await (const chunk of file.pipe(unpacked) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) rows++
  return { sha256: hash.digest('hex'), rows }
}
