// Making the cluster, once. It is made under another name and renamed when it is whole, so a cluster that
// stands in its place is complete, and nothing that could hold data is ever removed.

import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { closeSync, fsyncSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, requireUserName } from './account.ts'
import { DataDirectoryUnusable, elsewhere, EmbeddedPostgresUnavailable, errorCode } from './errors.ts'
import { binary, majorVersion, type Native } from './native.ts'
import { database, superuser } from './settings.ts'

/** Makes the cluster unless it is there; tells whether it did. Refuses one that this PostgreSQL cannot read. */
export async function ensureCluster(cluster: string, means: Means): Promise<boolean> {
  if (existsSync(cluster) && entriesOf(cluster).length > 0) {
    requireReadable(cluster, means.native)
    return false
  }
  await makeCluster(cluster, means)
  return true
}

interface Means {
  native: Native
  account: Account
  /** A test that may lose its database to a power cut need not wait for the disk. */
  isDurable: boolean
}

function requireReadable(cluster: string, native: Native): void {
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    throw new DataDirectoryUnusable(
      `${cluster} holds files but no database. Move it away to begin with an empty database, or set DATA_DIR.`,
    )
  }
  const made = readFileSync(versionFile, 'utf8').trim()
  const major = majorVersion(native)
  if (made === major) return
  throw new DataDirectoryUnusable(
    `The database in ${cluster} was made by PostgreSQL ${made}, and this version brings PostgreSQL ${major}. ` +
      `Export it with the version of Bozor that made it (npm run bozor -- export) and import it into an empty ` +
      `DATA_DIR, or run pg_upgrade on it, ${elsewhere}.`,
  )
}

function entriesOf(cluster: string): string[] {
  try {
    return readdirSync(cluster)
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error
    throw new DataDirectoryUnusable(
      `The database in ${cluster} belongs to another user. Start as that user, or give it to yourself: ` +
        `sudo chown -R "$(id -u):$(id -g)" '${dirname(cluster)}'`,
      { cause: error },
    )
  }
}

async function makeCluster(cluster: string, means: Means): Promise<void> {
  const { account } = means
  if (!account) requireUserName()
  const draft = `${cluster}.making`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (account) chownSync(draft, account.uid, account.gid)

  try {
    await fill(draft, means)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  if (existsSync(cluster)) rmdirSync(cluster)
  renameSync(draft, cluster)
  syncDirectory(dirname(cluster))
}

/** Each step would wait for the disk; one flush of the whole at the end promises the same. */
async function fill(draft: string, { native, account, isDurable }: Means): Promise<void> {
  const initdb = binary(native, 'initdb')
  await run(initdb, ['-D', draft, '--no-sync', ...initialisation], { account, input: '' })
  const single = [
    '--single',
    '-F',
    '-D',
    draft,
    '-c',
    'exit_on_error=true',
    '-c',
    'log_checkpoints=off',
    'postgres',
  ]
  await run(binary(native, 'postgres'), single, { account, input: `${firstStatements.join(';\n')};\n` })
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  if (isDurable) await run(initdb, ['-D', draft, '--sync-only', ...method], { account, input: '' })
}

/** The builtin provider orders and folds Unicode alike on every system, and knows Cyrillic; libc may not. */
const initialisation = [
  `--username=${superuser}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
]

/** The text of a client's error can quote the value it refused. Clients receive it; the log must not. */
const firstStatements = [
  `create database ${database}`,
  `alter role ${superuser} set log_min_messages = 'fatal'`,
]

/** What PostgreSQL inherits from us: no PG* variable may steer it, and no secret of ours may lie in it. */
export const environment = { LC_ALL: 'C', TZ: 'UTC' }

async function run(file: string, args: string[], how: { account: Account; input: string }): Promise<void> {
  const output: string[] = []
  const child = spawn(file, args, {
    ...how.account,
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  }
  child.stdin.on('error', () => {})
  child.stdin.end(how.input)
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', (error) => fail(unstartable(file, error))).once('close', done)
  })
  if (code === 0) return
  const lines = output.join('').split('\n')
  const told = lines.filter((line) => /error|FATAL|PANIC|could not/i.test(line)).slice(0, 3)
  throw new DataDirectoryUnusable(
    `PostgreSQL could not make a database: ${told.join(' | ') || `${file} ended with ${code}`}. ` +
      `Nothing was kept; start again when that is put right, or set DATA_DIR.`,
  )
}

/** A missing loader is reported as if the program itself were missing: so it looks on a system without glibc. */
export function unstartable(file: string, cause: Error): Error {
  const riddle = errorCode(cause) === 'ENOENT' && existsSync(file)
  const why = riddle ? 'this system has no glibc (Alpine has none)' : cause.message
  return new EmbeddedPostgresUnavailable(
    `Cannot run ${file}: ${why}. Use another base system, ${elsewhere}.`,
    { cause },
  )
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
