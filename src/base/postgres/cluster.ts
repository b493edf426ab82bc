// Creates the cluster. It is created under another name and renamed when it is complete, so an existing cluster is always
// complete, and nothing that could hold data is ever removed.

import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { closeSync, fsyncSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, requireUserName } from './account.ts'
import {
  DataDirectoryUnusable,
  externalDatabaseHint,
  EmbeddedPostgresUnavailable,
  errorCode,
} from './errors.ts'
import { binary, majorVersion, type Binaries } from './binaries.ts'
import { database, superuser } from './settings.ts'

/** Creates the cluster if it is missing and returns whether it did. Refuses one of another PostgreSQL version. */
export async function ensureCluster(cluster: string, options: ClusterOptions): Promise<boolean> {
  if (existsSync(cluster) && entriesOf(cluster).length > 0) {
    requireReadable(cluster, options.native)
    return false
  }
  await makeCluster(cluster, options)
  return true
}

interface ClusterOptions {
  native: Binaries
  account: Account
  /** False for tests, which need no protection from a power cut. */
  isDurable: boolean
}

function requireReadable(cluster: string, native: Binaries): void {
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    throw new DataDirectoryUnusable(
      `${cluster} holds files but no database. Move it away to start with an empty database, or set DATA_DIR.`,
    )
  }
  const made = readFileSync(versionFile, 'utf8').trim()
  const major = majorVersion(native)
  if (made === major) return
  throw new DataDirectoryUnusable(
    `The database in ${cluster} was made by PostgreSQL ${made}, and this version brings PostgreSQL ${major}. ` +
      'With the version of Bozor that made it run "bozor backup FOLDER"; then move that database away and run ' +
      '"bozor restore FOLDER" with this version. docs/operations/upgrade.md has the steps.',
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

async function makeCluster(cluster: string, options: ClusterOptions): Promise<void> {
  const { account } = options
  if (!account) requireUserName()
  const draft = `${cluster}.making`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (account) chownSync(draft, account.uid, account.gid)

  try {
    await fill(draft, options)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  if (existsSync(cluster)) rmdirSync(cluster)
  renameSync(draft, cluster)
  syncDirectory(dirname(cluster))
}

/** One flush at the end is as safe as a flush per step, and faster. */
async function fill(draft: string, { native, account, isDurable }: ClusterOptions): Promise<void> {
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

/** The builtin provider sorts and folds Unicode the same way on every system; libc may not know Cyrillic. */
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

/** Error messages can quote values. Clients receive them; the server log must not. */
const firstStatements = [
  `create database ${database}`,
  `alter role ${superuser} set log_min_messages = 'fatal'`,
]

/** The environment of PostgreSQL: no PG* variables and no secrets of this process. */
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
    child.once('error', (error) => fail(cannotRunError(file, error))).once('close', done)
  })
  if (code === 0) return
  const lines = output.join('').split('\n')
  const errors = lines.filter((line) => /error|FATAL|PANIC|could not/i.test(line)).slice(0, 3)
  throw new DataDirectoryUnusable(
    `PostgreSQL could not create a database: ${errors.join(' | ') || `${file} ended with ${code}`}. ` +
      `Nothing was kept. Fix the cause and start again, or set DATA_DIR.`,
  )
}

/** Without glibc, the missing loader is reported as if the program itself were missing. */
export function cannotRunError(file: string, cause: Error): Error {
  const isLoaderMissing = errorCode(cause) === 'ENOENT' && existsSync(file)
  const why = isLoaderMissing ? 'this system has no glibc (Alpine has none)' : cause.message
  return new EmbeddedPostgresUnavailable(
    `Cannot run ${file}: ${why}. Use another base system, ${externalDatabaseHint}.`,
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
