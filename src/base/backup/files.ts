// Files beside the database that a backup holds. Their names are hashes of their content or never used again, so a file
// that exists does not change, and copying them after the snapshot is consistent.

import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BackupUnusable } from './errors.ts'
import type { BackedUpFile } from './manifest.ts'

/** Folders of the data directory whose files are part of a backup. */
const folders = ['pictures']
/** Where they are in the backup. */
const filesFolder = 'files'

/** Copies the files into the backup. */
export async function copyFiles(dataDir: string, backup: string): Promise<BackedUpFile[]> {
  const copied: BackedUpFile[] = []
  for (const path of await pathsIn(dataDir)) {
    const copy = join(backup, filesFolder, path)
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
    // Deleted since the folder was read: nothing shows it.
    if (await copyIfThere(join(dataDir, path), copy))
      copied.push({ path: path.split(sep).join('/'), sha256: await sha256Of(copy) })
  }
  return copied
}

async function pathsIn(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    if (!existsSync(join(dataDir, folder))) continue
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true })
    for (const it of entries)
      // Names with a dot are files that are still being written.
      if (it.isFile() && !it.name.startsWith('.')) found.push(relative(dataDir, join(it.parentPath, it.name)))
  }
  return found.toSorted()
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await rm(to, { force: true })
    return false
  }
}

/** Compares the files of a backup with its manifest. */
export async function checkCopies(backup: string, files: readonly BackedUpFile[]): Promise<void> {
  for (const { path, sha256 } of files) {
    const copy = join(backup, filesFolder, path)
    const found = await sha256Of(copy).catch((error: Error) => {
      throw new BackupUnusable(`${copy} cannot be read: ${error.message}. Use another backup.`)
    })
    if (found !== sha256)
      throw new BackupUnusable(
        `${copy} is damaged: its SHA-256 is ${found}, and the manifest says ${sha256}. Use another backup.`,
      )
  }
}

/** Copies the files of a backup into the data directory. Files that are there already stay. */
export async function restoreFiles(
  backup: string,
  dataDir: string,
  files: readonly BackedUpFile[],
): Promise<void> {
  for (const { path } of files) {
    const target = join(dataDir, path)
    if (existsSync(target)) continue
    await mkdir(dirname(target), { recursive: true })
    const draft = join(dirname(target), '.restored')
    await copyFile(join(backup, filesFolder, path), draft)
    await rename(draft, target)
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
