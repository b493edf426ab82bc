// The manifest of a backup: which version wrote it, and what its files contain.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const fileSchema = Type.Object({
  path: Type.String({ pattern: '^[a-z]+(/[A-Za-z0-9_-]+)+\\.[a-z]+$' }),
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
  /** Files beside the database; absent in backups of versions that had none. */
  files: Type.Optional(Type.Array(fileSchema)),
  sequences: Type.Array(
    Type.Object({
      schema: Type.String(),
      name: Type.String(),
      lastValue: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

export type BackedUpFile = Type.Static<typeof fileSchema>
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
