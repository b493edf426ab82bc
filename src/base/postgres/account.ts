// Whom the database runs as. PostgreSQL refuses to run as root, so root lends it an account of no power;
// everybody else runs it as themselves.

import { lstatSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { elsewhere, EmbeddedPostgresUnavailable, errorCode } from './errors.ts'

/** Undefined stands for ourselves. */
export type Account = { uid: number; gid: number } | undefined

/** The account for a cluster: its owner's when it exists, so that a cluster keeps one owner for life. */
export function accountFor(cluster: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const owner = ownerOf(cluster)
  if (owner && owner.uid !== 0) return owner
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresUnavailable(
      `The embedded PostgreSQL does not run as root here: start as an ordinary user, ${elsewhere}.`,
    )
  }
  const account = powerlessAccount(readFileSync('/etc/passwd', 'utf8'))
  if (account) return account
  throw new EmbeddedPostgresUnavailable(
    `PostgreSQL does not run as root, and /etc/passwd names no other account to run it as. ` +
      `Add one (useradd bozor) and start as it, ${elsewhere}.`,
  )
}

/** `nobody`, or in an image without it the last account named: initdb insists on a name for its user. */
export function powerlessAccount(passwd: string): Account {
  const accounts = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && Number(fields[2]) > 0)
    .map((fields) => ({ uid: Number(fields[2]), gid: Number(fields[3]) }))
  return accounts.find(({ uid }) => uid === nobody) ?? accounts.at(-1)
}

const nobody = 65534

/** initdb looks its user up by number and fails with a riddle when there is no name for it. */
export function requireUserName(): void {
  try {
    userInfo()
  } catch {
    const uid = process.getuid?.()
    throw new EmbeddedPostgresUnavailable(
      `The user id ${uid} has no entry in /etc/passwd, which PostgreSQL needs to create a database. ` +
        `Add one (echo "bozor:x:${uid}:0::/:/bin/false" >> /etc/passwd), start as a named user, ${elsewhere}.`,
    )
  }
}

/** Whether the account may walk down into the directory, judged by the permission bits. */
export function canEnter(account: Account, directory: string): boolean {
  if (!account) return true
  for (let step = directory; ; step = dirname(step)) {
    if (!permits(statSync(step), account, 0o1)) return false
    if (step === dirname(step)) return true
  }
}

export function canRead(account: Account, file: string): boolean {
  return !account || (canEnter(account, dirname(file)) && permits(statSync(file), account, 0o4))
}

interface Owned {
  uid: number
  gid: number
  mode: number
}

export function permits(file: Owned, account: { uid: number; gid: number }, bits: number): boolean {
  const shift = file.uid === account.uid ? 6 : file.gid === account.gid ? 3 : 0
  return ((file.mode >> shift) & bits) === bits
}

function ownerOf(path: string): Account {
  try {
    const { uid, gid } = lstatSync(path)
    return { uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
