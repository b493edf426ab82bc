// Archiving of the write-ahead log: PostgreSQL copies every finished segment into a folder, from which a base backup can be
// brought to any later moment.

import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { DataDirectoryUnusable, errorCode } from './errors.ts'

/** A segment that is not full is archived after this time: what a lost disk costs at most. */
const archiveTimeoutSeconds = 60

export const walFolder = (archive: string): string => join(archive, 'wal')

/** Settings that archive into the folder, which is created for the account that runs PostgreSQL. */
export function archiveInto(archive: string, account: Account): Record<string, string> {
  const folder = walFolder(archive)
  try {
    mkdirSync(archive, { recursive: true, mode: account ? 0o711 : 0o700 })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (account) chownSync(folder, account.uid, account.gid)
  } catch (error) {
    throw new DataDirectoryUnusable(
      `WAL_ARCHIVE ${archive} cannot be used (${errorCode(error) ?? String(error)}). Name a folder that you can write to.`,
      { cause: error },
    )
  }
  if (!canEnter(account, archive))
    throw new DataDirectoryUnusable(
      `PostgreSQL does not run as root and cannot enter WAL_ARCHIVE ${archive}. Name a folder that other accounts can enter.`,
    )
  const target = inCommand(folder)
  return {
    ...archivable,
    archive_mode: 'on',
    archive_timeout: `${archiveTimeoutSeconds}s`,
    // A repeated call for a segment that is there already succeeds only if both are equal.
    archive_command: `cmp -s "%p" "${target}/%f" || { test ! -e "${target}/%f" && cp "%p" "${target}/%f.part" && sync "${target}/%f.part" && mv "${target}/%f.part" "${target}/%f"; }`,
  }
}

/** Settings for a database that is brought to a moment; without one, to the end of the archive. */
export const recoveryFrom = (archive: string, until: Date | undefined): Record<string, string> => ({
  ...archivable,
  // No connections before the end, so that the start is over when the moment is reached.
  hot_standby: 'off',
  restore_command: `cp "${inCommand(walFolder(archive))}/%f" "%p"`,
  recovery_target_action: 'promote',
  recovery_target_timeline: 'latest',
  // A zone by its name, such as Z, is not known yet when this setting is read.
  ...(until && { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }),
})

/** The usual level writes less, and cannot be replayed over a base backup. */
const archivable = { wal_level: 'replica' }

const inCommand = (path: string) => path.replaceAll('%', '%%')
