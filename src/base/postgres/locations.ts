// Paths of an embedded database. Usually everything is in the data directory; when the account that runs PostgreSQL cannot
// enter root's data directory, the cluster gets a directory of its own.

import { createHash } from 'node:crypto'
import { accessSync, chownSync, constants, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { DataDirectoryUnusable, externalDatabaseHint, errorCode } from './errors.ts'

/** Creates the data directory if it is missing and returns its real path. */
export function openDataDir(dataDir: string): string {
  const path = resolve(dataDir)
  try {
    // Started as root, PostgreSQL runs as another account, which must enter but need not list the directory.
    makeDirectories(path, process.getuid?.() === 0 ? 0o711 : 0o700)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const why = reasons[errorCode(error) ?? ''] ?? String(error)
    throw new DataDirectoryUnusable(
      `The data directory ${path} cannot be used: ${why}. Set DATA_DIR to a directory you can write to.`,
      { cause: error },
    )
  }
}

/** Node's recursive mkdir never returns on file systems such as /proc, where nothing can be created. */
function makeDirectories(path: string, mode: number): void {
  if (existsSync(path)) return
  makeDirectories(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

const reasons: Record<string, string> = {
  EACCES: 'you have no permission to write there',
  EPERM: 'you have no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'it cannot be created',
  ENOTDIR: 'it is not a directory',
}

/** The directory of the cluster and its files. It never changes once chosen. */
export function chooseHome(dataDir: string, account: Account, log: (message: string) => void): string {
  const known = findHome(dataDir)
  if (known) return known
  if (canEnter(account, dataDir)) return dataDir
  const home = makeHome(`bozor-${shortHash(dataDir)}`)
  writeFileSync(pointerFile(dataDir), `${JSON.stringify({ dataDir, home })}\n`)
  log(
    `the database of ${dataDir} is in ${home}: PostgreSQL does not run as root and cannot enter the data directory`,
  )
  return home
}

/** The directory chosen by an earlier start; undefined when there was none. */
export function findHome(dataDir: string): string | undefined {
  if (existsSync(clusterIn(dataDir))) return dataDir
  const pointer = pointerFile(dataDir)
  if (!existsSync(pointer)) return undefined
  const { dataDir: owner, home } = JSON.parse(readFileSync(pointer, 'utf8')) as Record<string, string>
  // A copied data directory must not use the cluster of its original.
  if (owner !== dataDir) {
    throw new DataDirectoryUnusable(
      `${pointer} belongs to the data directory ${owner}, whose database is in ${home}. If ${owner} was moved ` +
        `here, correct "dataDir" in that file; to start with an empty database, delete the file.`,
    )
  }
  return home
}

export const clusterIn = (home: string) => join(home, 'postgres')

const pointerFile = (dataDir: string) => join(dataDir, 'postgres-home.json')

const shortHash = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12)

/** /var/tmp survives a reboot and is writable where the rest of the file system is read-only. */
function makeHome(name: string): string {
  for (const parent of ['/var/lib', '/var/tmp']) {
    const home = join(parent, name)
    try {
      mkdirSync(home, { mode: 0o711 })
      return home
    } catch (error) {
      if (errorCode(error) === 'EEXIST' && lstatSync(home).isDirectory() && lstatSync(home).uid === 0)
        return home
    }
  }
  throw new DataDirectoryUnusable(
    `PostgreSQL does not run as root and cannot enter the data directory, and neither /var/lib nor /var/tmp can be ` +
      `written. Set DATA_DIR to a directory that other accounts can enter, ${externalDatabaseHint}.`,
  )
}

/** The directory of the socket, closed to other accounts. */
export function openSocketDir(home: string, account: Account): string {
  const beside = join(home, 'postgres-socket')
  if (Buffer.byteLength(join(beside, '.s.PGSQL.5432')) <= maxSocketPathBytes) {
    if (createOwn(beside, account)) return beside
    throw new DataDirectoryUnusable(`${beside} belongs to another user. Delete it, or start as that user.`)
  }
  const shared = canEnter(account, tmpdir()) ? tmpdir() : '/tmp'
  for (let attempt = 0; attempt < 10; attempt++) {
    // Another user may have created the name in the shared directory.
    const short = join(shared, `bozor-${shortHash(home)}${attempt || ''}`)
    if (createOwn(short, account)) return short
  }
  throw new DataDirectoryUnusable(
    `Other users own every directory ${shared}/bozor-${shortHash(home)}*. Delete them.`,
  )
}

/** A socket address has 108 bytes on Linux and 104 on macOS, including the final zero. */
const maxSocketPathBytes = 103

function createOwn(path: string, account: Account): boolean {
  const uid = account?.uid ?? process.getuid?.()
  try {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
  }
}
