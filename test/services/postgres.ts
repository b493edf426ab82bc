// PostgreSQL servers of a test: a primary and a streaming replica, from the binaries that npm installs.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { accountFor } from '../../src/base/postgres/account.ts'
import { binary, usableBinaries } from '../../src/base/postgres/binaries.ts'
import { ensureCluster, environment } from '../../src/base/postgres/cluster.ts'
import { freePort } from '../support/nats.ts'
import { waitUntil, withDeadline } from '../support/wait-until.ts'

export interface PostgresServer {
  port: number
  url: string
  query<Row>(sql: string): Promise<Row[]>
  /** Stops it as a crash does: connections are cut and nothing is written any more. */
  crash(): Promise<void>
}

export interface PostgresPair {
  primary: PostgresServer
  replica: PostgresServer
}

/** With `isSynchronous`, the primary acknowledges a commit only after the replica has it on disk. */
export async function openPostgresPair({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-services-'))
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const account = accountFor(folder)
  if (account) chownSync(folder, account.uid, account.gid)
  const native = usableBinaries(account, folder, () => {})
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await ensureCluster(first, { native, account, isDurable: false })
  writeFileSync(join(first, 'pg_hba.conf'), hbaRules)
  // A cluster that was shut down may be copied as files; the copy then follows the original.
  execFileSync('cp', ['-a', first, second])
  const ports = [await freePort(), await freePort()] as const
  writeFileSync(join(second, 'standby.signal'), '')
  writeFileSync(
    join(second, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=bozor application_name=second'\n`,
  )
  const open = (cluster: string, port: number, more: Record<string, string>) =>
    startPostgres({ file: binary(native, 'postgres'), cluster, port, account, settings: more })
  const primary = await open(first, ports[0], isSynchronous ? { synchronous_standby_names: 'second' } : {})
  const replica = await open(second, ports[1], {})
  await waitUntil(async () => (await primary.query(`select 1 from pg_stat_replication`)).length === 1, {
    what: 'the replica follows the primary',
  })
  return { primary, replica }
}

const hbaRules = 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n'

const replication = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  hot_standby: 'on',
  max_connections: '120',
  shared_buffers: '64MB',
  io_method: 'sync',
}

async function startPostgres(given: {
  file: string
  cluster: string
  port: number
  account: { uid: number; gid: number } | undefined
  settings: Record<string, string>
}): Promise<PostgresServer> {
  const { port } = given
  const settings = { ...replication, port: String(port), ...given.settings }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(given.file, ['-D', given.cluster, ...args], {
    ...given.account,
    cwd: '/',
    env: environment,
    stdio: 'ignore',
  })
  child.unref()
  after(() => crash(child))
  const url = `postgres://bozor@127.0.0.1:${port}/bozor`
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows as Row[]
  }
  await waitUntil(() => query('select 1').then(Boolean, () => false), {
    what: `PostgreSQL answers on port ${port}`,
    timeoutMs: 60_000,
  })
  return { port, url, query, crash: () => crash(child) }
}

async function crash(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGQUIT')
  await withDeadline(ended, 'PostgreSQL ends')
}
