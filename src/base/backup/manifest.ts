// What a backup says about itself: which version made it, what is in its files, and how to check them.

import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupUnusable } from './errors.ts'

export const manifestFile = 'manifest.json'
export const formatVersion = 1

const tableSchema = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  file: Type.String({ pattern: '^[a-z0-9_]+\\.[a-z0-9_]+\\.copy\\.gz$' }),
  rows: Type.Integer({ minimum: 0 }),
  checksum: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
})

const manifestSchema = Type.Object({
  format: Type.Literal(formatVersion),
  madeAt: Type.String(),
  version: Type.String(),
  postgres: Type.String(),
  migrations: Type.Array(Type.String()),
  secretKeyFingerprint: Type.Union([Type.String(), Type.Null()]),
  partitions: Type.Array(
    Type.Object({
      schema: Type.String(),
      name: Type.String(),
      parent: Type.String(),
      bound: Type.String(),
    }),
  ),
  tables: Type.Array(tableSchema),
  sequences: Type.Array(
    Type.Object({
      schema: Type.String(),
      name: Type.String(),
      lastValue: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

export type BackedUpTable = Type.Static<typeof tableSchema>
export type Manifest = Type.Static<typeof manifestSchema>

export function readManifest(folder: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8'))
  } catch (error) {
    throw new BackupUnusable(
      `${folder} is not a complete backup: ${manifestFile} cannot be read (${(error as Error).message}).`,
    )
  }
  const { format } = value as { format?: unknown }
  if (format !== formatVersion)
    throw new BackupUnusable(
      `${folder} has backup format ${JSON.stringify(format)}; this version reads format ${formatVersion}.`,
    )
  if (!Value.Check(manifestSchema, value))
    throw new BackupUnusable(`${join(folder, manifestFile)} is damaged; use another backup.`)
  return value
}

/** Reads every file again and compares its bytes and its rows with the manifest. */
export async function checkFiles(folder: string, { tables }: Manifest): Promise<void> {
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
