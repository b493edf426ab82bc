// The account that runs PostgreSQL. PostgreSQL refuses to run as root, so root starts it as an unprivileged account;
// other users run it as themselves.

import { lstatSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { externalDatabaseHint, EmbeddedPostgresUnavailable, errorCode } from './errors.ts'

/** Undefined is the current user. */
export type Account = { uid: number; gid: number } | undefined

/** The account for a cluster: its owner when it exists, so that a cluster never changes its owner. */
export function accountFor(cluster: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const owner = ownerOf(cluster)
  if (owner && owner.uid !== 0) return owner
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresUnavailable(
      `The embedded PostgreSQL does not run as root here: start as an ordinary user, ${externalDatabaseHint}.`,
    )
  }
  const account = unprivilegedAccount(readFileSync('/etc/passwd', 'utf8'))
  if (account) return account
  throw new EmbeddedPostgresUnavailable(
    `PostgreSQL does not run as root, and /etc/passwd names no other account to run it as. ` +
      `Add one (useradd bozor) and start as it, ${externalDatabaseHint}.`,
  )
}

/** `nobody`, or the last account in /etc/passwd: initdb needs a user with a name. */
export function unprivilegedAccount(passwd: string): Account {
  const accounts = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && Number(fields[2]) > 0)
    .map((fields) => ({ uid: Number(fields[2]), gid: Number(fields[3]) }))
  return accounts.find(({ uid }) => uid === nobody) ?? accounts.at(-1)
}

const nobody = 65534

/** initdb looks up its user and fails with an unclear message when there is no entry. */
export function requireUserName(): void {
  try {
    userInfo()
  } catch {
    const uid = process.getuid?.()
    throw new EmbeddedPostgresUnavailable(
      `The user id ${uid} has no entry in /etc/passwd, which PostgreSQL needs to create a database. ` +
        `Add one (echo "bozor:x:${uid}:0::/:/bin/false" >> /etc/passwd), start as a named user, ${externalDatabaseHint}.`,
    )
  }
}

/** Whether the account may enter the directory and all its parents, by permission bits. */
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
