// Two PostgreSQL servers that Patroni keeps as primary and replica, with etcd as its store. HAProxy leads to the primary,
// PgBouncer pools connections to HAProxy: the programs of Debian, as an operator would combine them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type Account, accountFor } from '../../src/base/postgres/account.ts'
import { freePort } from '../support/nats.ts'
import { waitFor, waitUntil, withDeadline } from '../support/wait-until.ts'
import { startProgram } from './processes.ts'

/** How long Patroni's key of the primary lives: after a crash of the whole machine the replica waits this long. */
export const ttlSeconds = 20

/** Each check is a call to Patroni's API, which also serves HAProxy. */
const pollMs = 100

interface Member {
  name: string
  folder: string
  databasePort: number
  apiPort: number
  child: ChildProcess
}

export interface PatroniCluster {
  /** Through PgBouncer and HAProxy, to whichever server is the primary. */
  url: string
  query<Row>(sql: string): Promise<Row[]>
  /** Waits until a replica may take over without loss, as Patroni sees it. */
  replicates(): Promise<void>
  /** Ends the primary's PostgreSQL and its Patroni at once, as when a machine loses power. */
  crashPrimary(): Promise<void>
  /** Ends the primary's PostgreSQL alone; its Patroni stays. */
  crashPrimaryDatabase(): Promise<void>
  primaryName(): Promise<string | undefined>
}

/** With synchronous replication: a commit is acknowledged when the replica has it too. */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-patroni-'))
  chmodSync(folder, 0o755)
  const account = accountFor(folder)
  const etcdPort = await startEtcd(folder)
  const members: Member[] = []
  after(async () => {
    for (const it of members) await crash(it)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  // Not "first": the word has a meaning in the list of synchronous servers.
  for (const name of ['node1', 'node2']) members.push(await startMember(name, { folder, etcdPort, account }))
  const proxyPort = await startHaproxy(folder, members)
  const poolerPort = await startPgbouncer(folder, proxyPort, account)
  const primary = async () => {
    for (const it of members) if (await isAt(it, '/primary')) return it
    return undefined
  }
  const direct = (member: Member) => `postgres://bozor@127.0.0.1:${member.databasePort}/bozor`
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const member = await waitFor(primary, { what: 'a primary', timeoutMs: 120_000, pollMs })
    const client = new pg.Client(direct(member))
    client.on('error', () => {})
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows as Row[]
  }
  await createDatabase(
    await waitFor(primary, { what: 'Patroni elects a primary', timeoutMs: 120_000, pollMs }),
  )
  const replicates = () =>
    waitUntil(async () => (await Promise.all(members.map((it) => isAt(it, '/synchronous')))).includes(true), {
      what: 'a replica may take over without loss, as Patroni sees it',
      timeoutMs: 180_000,
      pollMs,
    })
  await replicates()
  return {
    url: `postgres://bozor@127.0.0.1:${poolerPort}/bozor`,
    query,
    replicates,
    crashPrimary: async () => crash((await primary())!),
    crashPrimaryDatabase: async () => process.kill(postmasterOf((await primary())!)!, 'SIGKILL') && undefined,
    primaryName: async () => (await primary())?.name,
  }
}

async function startEtcd(folder: string): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()]
  const at = (port: number) => `http://127.0.0.1:${port}`
  const args = ['--data-dir', join(folder, 'etcd'), '--name', 'one', '--initial-cluster', `one=${at(peer)}`]
  const addresses = ['--listen-client-urls', at(client), '--advertise-client-urls', at(client)]
  const peers = ['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)]
  await startProgram('etcd', [...args, ...addresses, ...peers], client)
  return client
}

/** Debian keeps the programs of PostgreSQL outside of PATH, in a folder per version. */
export const serverPrograms = (): string | undefined => {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  return newest && dirname(newest)
}

async function startMember(
  name: string,
  { folder, etcdPort, account }: { folder: string; etcdPort: number; account: Account },
): Promise<Member> {
  const own = join(folder, name)
  mkdirSync(own)
  const [databasePort, apiPort] = [await freePort(), await freePort()]
  const file = join(own, 'patroni.json')
  const users = {
    superuser: { username: 'bozor' },
    replication: { username: 'bozor' },
    rewind: { username: 'bozor' },
  }
  // YAML includes JSON.
  const settings = {
    scope: 'bozor',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: ttlSeconds,
        loop_wait: 2,
        retry_timeout: 3,
        // A database that ended is not waited for: the replica takes over at once.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 120 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${databasePort}`,
      connect_address: `127.0.0.1:${databasePort}`,
      data_dir: join(own, 'data'),
      bin_dir: serverPrograms(),
      pgpass: join(own, 'pgpass'),
      authentication: users,
      parameters: { unix_socket_directories: own, shared_buffers: '64MB' },
    },
  }
  writeFileSync(file, JSON.stringify(settings))
  if (account) for (const it of [own, file]) chownSync(it, account.uid, account.gid)
  const env = { PATH: process.env['PATH'], HOME: own, LANG: 'C.UTF-8' }
  const child = spawn('patroni', [file], { ...account, cwd: own, env, stdio: 'ignore' })
  child.unref()
  const member = { name, folder: own, databasePort, apiPort, child }
  await waitUntil(() => isAt(member, '/health'), {
    what: `Patroni starts the ${name} server`,
    timeoutMs: 120_000,
  })
  return member
}

async function isAt({ apiPort }: Member, path: string): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${apiPort}${path}`).catch(() => undefined)
  await reply?.body?.cancel()
  return reply?.status === 200
}

async function createDatabase(member: Member): Promise<void> {
  const client = new pg.Client(`postgres://bozor@127.0.0.1:${member.databasePort}/postgres`)
  await client.connect()
  await client.query('create database bozor')
  await client.end()
}

/** Leads to the server whose Patroni says that it is the primary, and cuts connections to one that no longer is. */
async function startHaproxy(folder: string, members: readonly Member[]): Promise<number> {
  const port = await freePort()
  const servers = members.map(
    (it) => `  server ${it.name} 127.0.0.1:${it.databasePort} check port ${it.apiPort}`,
  )
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${lines.join('\n')}\n`)
  await startProgram('haproxy', ['-db', '-f', file], port)
  return port
}

async function startPgbouncer(folder: string, databasePort: number, account: Account): Promise<number> {
  const port = await freePort()
  const own = join(folder, 'pgbouncer')
  mkdirSync(own)
  const lines = [
    '[databases]',
    `bozor = host=127.0.0.1 port=${databasePort} dbname=bozor user=bozor`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = session',
    'default_pool_size = 80',
    'max_client_conn = 200',
    'server_login_retry = 1',
    `logfile = ${join(own, 'log')}`,
  ]
  const file = join(own, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  if (account) for (const it of [own, file]) chownSync(it, account.uid, account.gid)
  await startProgram('pgbouncer', [file], port, account)
  return port
}

/** The process of the running database; undefined when none runs. */
function postmasterOf({ folder }: Member): number | undefined {
  const [file] = globSync(join(folder, 'data/postmaster.pid'))
  return file === undefined ? undefined : Number(readFileSync(file, 'utf8').split('\n')[0])
}

async function crash(member: Member): Promise<void> {
  const { child } = member
  const isOver = child.exitCode !== null || child.signalCode !== null
  const ended = isOver ? undefined : once(child, 'exit')
  child.kill('SIGKILL')
  await (ended && withDeadline(ended, `Patroni of the server ${member.name} ends`))
  const pid = postmasterOf(member)
  if (pid === undefined) return
  // The whole group of processes: the postmaster alone would leave its children at work for a moment.
  try {
    execFileSync('pkill', ['-KILL', '-P', String(pid)])
  } catch {
    // It had no children.
  }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
