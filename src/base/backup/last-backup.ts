// When the last backup of a data folder was made, for `doctor` and the health page.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export interface LastBackup {
  folder: string
  madeAt: string
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'last-backup.json')

/** A data folder that cannot be written does not make the backup invalid. */
export function recordBackup(config: Pick<Config, 'dataDir'>, backup: LastBackup): void {
  try {
    writeFileSync(fileOf(config), `${JSON.stringify(backup)}\n`)
  } catch {
    // Doctor then reports that no backup is known.
  }
}

export function lastBackup(config: Pick<Config, 'dataDir'>): LastBackup | undefined {
  try {
    const value = JSON.parse(readFileSync(fileOf(config), 'utf8')) as Partial<LastBackup>
    return typeof value.folder === 'string' && !Number.isNaN(Date.parse(value.madeAt ?? ''))
      ? (value as LastBackup)
      : undefined
  } catch {
    return undefined
  }
}
