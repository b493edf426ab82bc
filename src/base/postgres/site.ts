// Where the parts of one embedded database lie. Usually all in the data directory; root's data directory may
// be closed to the account that PostgreSQL runs as, and then the cluster goes to a place of its own.

import { createHash } from 'node:crypto'
import { accessSync, chownSync, constants, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { DataDirectoryUnusable, elsewhere, errorCode } from './errors.ts'

/** Makes the data directory when it is missing, and returns its one true path. */
export function openedDataDir(dataDir: string): string {
  const path = resolve(dataDir)
  try {
    // Root's database runs as another account, which has to pass through; it need not look around.
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

/** Node's recursive mkdir never returns from a file system such as /proc, where nothing can be made. */
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

/** The directory that holds the cluster and what belongs to it. It never changes once chosen. */
export function homeOf(dataDir: string, account: Account, log: (message: string) => void): string {
  const known = knownHome(dataDir)
  if (known) return known
  if (canEnter(account, dataDir)) return dataDir
  const home = makeHome(`bozor-${shortHash(dataDir)}`)
  writeFileSync(pointerFile(dataDir), `${JSON.stringify({ dataDir, home })}\n`)
  log(
    `the database of ${dataDir} lies in ${home}, because PostgreSQL does not run as root and cannot enter there`,
  )
  return home
}

/** Where an earlier start put the cluster; undefined when there was none. */
export function knownHome(dataDir: string): string | undefined {
  if (existsSync(clusterIn(dataDir))) return dataDir
  const pointer = pointerFile(dataDir)
  if (!existsSync(pointer)) return undefined
  const { dataDir: owner, home } = JSON.parse(readFileSync(pointer, 'utf8')) as Record<string, string>
  // A copied data directory must not share the cluster of its original.
  if (owner !== dataDir) {
    throw new DataDirectoryUnusable(
      `${pointer} belongs to the data directory ${owner}, whose database lies in ${home}. If ${owner} was moved ` +
        `here, correct "dataDir" in that file; to begin with an empty database, delete the file.`,
    )
  }
  return home
}

export const clusterIn = (home: string) => join(home, 'postgres')

const pointerFile = (dataDir: string) => join(dataDir, 'postgres-home.json')

const shortHash = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12)

/** /var/tmp survives a reboot, and serves where the rest of the file system is read-only. */
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
      `written. Set DATA_DIR to a directory that other accounts can enter, ${elsewhere}.`,
  )
}

/** A directory for the socket, closed to other accounts: whoever can enter it may use the database. */
export function openedSocketDir(home: string, account: Account): string {
  const beside = join(home, 'postgres-socket')
  if (Buffer.byteLength(join(beside, '.s.PGSQL.5432')) <= maxSocketPathBytes) {
    if (madeOwn(beside, account)) return beside
    throw new DataDirectoryUnusable(`${beside} belongs to another user. Delete it, or start as that user.`)
  }
  const shared = canEnter(account, tmpdir()) ? tmpdir() : '/tmp'
  for (let attempt = 0; attempt < 10; attempt++) {
    // Anybody may have taken the name in the shared directory before us.
    const short = join(shared, `bozor-${shortHash(home)}${attempt || ''}`)
    if (madeOwn(short, account)) return short
  }
  throw new DataDirectoryUnusable(
    `Others hold every directory ${shared}/bozor-${shortHash(home)}*. Delete them.`,
  )
}

/** The address of a socket holds 108 bytes on Linux and 104 on macOS, the closing zero among them. */
const maxSocketPathBytes = 103

function madeOwn(path: string, account: Account): boolean {
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
