// Access to PostgreSQL: reads without a transaction, writes inside one, at one instant.

import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Cache } from './cache.ts'
import { type Clock, elapsedMs } from './clock.ts'
import { startConnectionWatchdog, streamOf } from './connection-watchdog.ts'
import { idleMs } from './idle-time.ts'
import { LoadBatches } from './load-batches.ts'
import { insertEvents } from './outbox.ts'
import { Pipeline } from './pipeline.ts'
import { jitter } from './random.ts'
import { Replica, type ReplicaOptions } from './replica.ts'
import { isContention, throwAsRefusal } from './sql-errors.ts'
import { asWritten, getTypeParser } from './sql-values.ts'
import type { Environment, PacketTx, PendingEvent, Reader, Tx } from './transaction.ts'

export type { Environment, PacketTx, PendingEvent, Reader, Tx } from './transaction.ts'
export { isConstraintViolation, isLockTimeout, violatedUnique } from './sql-errors.ts'

/** Through a pooler in session mode (`isPooled`), settings are sent after connecting: poolers refuse them at the start. */
export type DatabaseConnection = pg.PoolConfig & { isPooled?: boolean }

export interface DatabaseOptions {
  connection: DatabaseConnection
  environment: Environment
  clock: Clock
  poolSize: number
  slowQueries?: SlowQueries
  /** A streaming replica for reads that may lag. */
  replica?: ReplicaOptions | undefined
}

/** Reports statements that take at least this long, waiting for earlier ones of the same packet included. */
export interface SlowQueries {
  fromMs: number
  report(sql: string, ms: number): void
}

/**
 * Requests share a pool. The relay, which does one thing at a time, has a connection of its own: it never waits for a
 * request, and its large statements are planned once instead of once per connection. Jobs have a few: neither do they wait
 * for requests, nor requests for them.
 */
export type PoolName = 'requests' | 'background' | 'jobs'

const triesPerTransaction = 4
/** Used where the connection sets no other timeout. */
const defaultTimeouts = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
  connectionTimeoutMillis: 4_000,
}
const maxNamedStatements = 600
const maxJobConnections = 4
/** Small, so that slow statements of a busy process are reported too. */
const idleShareOfSlowQueries = 0.05

export class Database {
  readonly environment: Environment
  readonly clock: Clock
  /** For a thread or process that opens its own connection. */
  readonly connection: DatabaseConnection
  /** Called with the events of every transaction of this process after its commit. */
  onPublished: (events: readonly PendingEvent[]) => void = () => {}
  /** Set in processes that receive events, which invalidate it. Without it, every read goes to the database. */
  cache: Cache | undefined
  readonly #pools: Record<PoolName, pg.Pool>
  readonly #names = new Map<string, string>()
  readonly #stopWatchdogs: (() => void)[]
  readonly #slowQueries: SlowQueries
  readonly #replica: Replica | undefined
  readonly #batches = new LoadBatches()

  constructor({ connection, environment, clock, poolSize, slowQueries, replica }: DatabaseOptions) {
    this.#slowQueries = slowQueries ?? { fromMs: Infinity, report() {} }
    this.environment = environment
    this.clock = clock
    this.connection = connection
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, isPooled, ...rest } = {
      ...defaultTimeouts,
      ...connection,
    }
    const timeouts = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout }
    const session = { search_path: `${environment},platform`, timezone: 'UTC', ...timeouts }
    const settings = {
      application_name: `bozor-${environment}`,
      types: { getTypeParser },
      pipeline: true,
    } as pg.PoolConfig
    const { connectionTimeoutMillis } = rest
    const primary = {
      ...rest,
      ...settings,
      ...(isPooled ? setAfterConnecting(session, connectionTimeoutMillis) : setAtStart(session)),
    }
    this.#pools = {
      requests: openPool({ ...primary, max: poolSize, idleTimeoutMillis: 60_000 }),
      background: openPool({ ...primary, max: 1, idleTimeoutMillis: 0 }),
      jobs: openPool({ ...primary, max: maxJobConnections, idleTimeoutMillis: 10_000 }),
    }
    this.#stopWatchdogs = Object.values(this.#pools).map((it) => startConnectionWatchdog(it, connection))
    if (!replica) return
    const copy = { connectionString: replica.url, connectionTimeoutMillis }
    const pool = openPool({
      ...copy,
      ...settings,
      ...setAtStart(session),
      max: poolSize,
      idleTimeoutMillis: 60_000,
    })
    this.#stopWatchdogs.push(startConnectionWatchdog(pool, copy))
    this.#replica = new Replica(pool, { primary: this.#pools.requests, environment, log: replica.log })
  }

  /** A reader whose instant is now. */
  read(): Reader {
    const all = <Row>(sql: string, values?: readonly unknown[]) =>
      this.#queryPool<Row>(this.#pools.requests, sql, values).catch(throwAsRefusal)
    const reader: Reader = {
      environment: this.environment,
      now: this.clock.now(),
      ...counted(all),
      cached: (kind, keys, load) => (this.cache ? this.cache.getOrLoad(kind, keys, load) : load([...keys])),
      together: (load, keys) => this.#batches.load(reader, load, keys),
    }
    return reader
  }

  /**
   * A reader for reports and exports, whose data may be some seconds old: the replica, if there is one that
   * follows closely. It does not use the cache, because what it loads may be older than the last invalidation.
   */
  readLagging(): Reader {
    const replica = this.#replica
    const primary = this.read()
    if (!replica?.isUsable()) return primary
    const all = <Row>(sql: string, values?: readonly unknown[]) =>
      replica.ask(
        (pool) => this.#queryPool<Row>(pool, sql, values),
        () => primary.all<Row>(sql, values),
      )
    const reader: Reader = {
      ...primary,
      ...counted(all),
      cached: (_kind, keys, load) => load([...keys]),
      together: (load, keys) => load(reader, [...keys]),
    }
    return reader
  }

  /** False when there is a replica and it is not used. */
  get isReplicaUsable(): boolean {
    return this.#replica?.isUsable() ?? true
  }

  /** Commits everything that `work` writes, or nothing. It may run several times (deadlocks), so it must have no other effects. */
  transaction<T>(work: (tx: Tx) => Promise<T>, pool: PoolName = 'requests'): Promise<T> {
    return this.#run(work, { ending: 'commit', pool })
  }

  /** A transaction of a job. Its instant is earlier than now if the test clock was moved past the job. */
  jobTransaction<T>(work: (tx: Tx) => Promise<T>, now?: Date): Promise<T> {
    return this.#run(work, { ending: 'commit', pool: 'jobs', now })
  }

  /**
   * A transaction of a job in one round trip: `ask` starts all its statements before it waits, so none depends on the
   * result of another. They travel in one packet with the commit.
   */
  jobPacket<T>(ask: (tx: PacketTx) => Promise<T>, now?: Date): Promise<T> {
    return this.#run(ask, { ending: 'commit', pool: 'jobs', now, isOnePacket: true })
  }

  /** Runs a transaction and rolls it back. */
  dryRun<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#run(work, { ending: 'rollback', pool: 'requests' })
  }

  get load(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pools.requests
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async close(): Promise<void> {
    for (const stop of this.#stopWatchdogs) stop()
    await this.#replica?.close()
    await Promise.all(Object.values(this.#pools).map((it) => it.end()))
  }

  async #run<T>(work: (tx: Tx) => Promise<T>, way: RunMode): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryOnce(work, way)
      } catch (error) {
        if (!isContention(error) || attempt === triesPerTransaction) return throwAsRefusal(error)
        await new Promise((done) => setTimeout(done, 5 * 2 ** attempt * (0.5 + jitter())))
      }
    }
  }

  async #tryOnce<T>(work: (tx: Tx) => Promise<T>, { ending, pool, now, isOnePacket }: RunMode): Promise<T> {
    const client = await this.#pools[pool].connect()
    const wire = new Pipeline(client)
    const published: PendingEvent[] = []
    const hooks: Hook[] = []
    let result: T
    try {
      wire.later(() => client.query('begin'))
      // The cache holds what is valid at the present: a promotion that has ended is not in it.
      const cache = now === undefined ? this.cache : undefined
      const tx = this.#tx(wire, { now: now ?? this.clock.now(), cache, published, hooks })
      const end = () => client.query(ending)
      if (isOnePacket) result = await wire.whole(() => work(tx), end)
      else {
        result = await work(tx)
        insertEvents(tx, published)
        await wire.settled(end)
      }
    } catch (error) {
      // A connection that cannot roll back is discarded instead of returned to the pool.
      await wire
        .now(() => client.query('rollback'))
        .then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
      throw (await wire.firstFailure()) ?? error
    }
    client.release()
    if (ending === 'commit') {
      if (published.length > 0) this.onPublished(published)
      for (const hook of hooks) await hook()
    }
    return result
  }

  #tx(
    wire: Pipeline,
    {
      now,
      cache,
      published,
      hooks,
    }: { now: Date; cache: Cache | undefined; published: PendingEvent[]; hooks: Hook[] },
  ): Tx {
    const all = <Row>(sql: string, values: readonly unknown[] = []) =>
      wire.now(() => this.#query<Row>(wire.client, sql, values))
    const tx: Tx = {
      environment: this.environment,
      now,
      published,
      traceparent: undefined,
      ...counted(all),
      // Uncommitted changes must not enter the cache, and cached values would hide them.
      cached: (kind, keys, load) =>
        cache && !published.some(({ event }) => kind.dependsOn?.(event) ?? true)
          ? cache.getOrLoad(kind, keys, load)
          : load([...keys]),
      together: (load, keys) => load(tx, [...keys]),
      later: (sql, values = [], onError) => wire.later(() => this.#query(wire.client, sql, values), onError),
      pipeline: (ask) => wire.together(ask),
      afterCommit: (work) => void hooks.push(work),
      attempt: async (work) => {
        const before = { published: published.length, hooks: hooks.length }
        await wire.settled(() => wire.client.query('savepoint attempt'))
        try {
          const result = await work()
          await wire.settled(() => wire.client.query('release savepoint attempt'))
          return result
        } catch (error) {
          // Released too: an enclosing attempt uses a savepoint of the same name.
          await wire.now(() => wire.client.query('rollback to savepoint attempt; release savepoint attempt'))
          wire.discardUnsettled()
          published.length = before.published
          hooks.length = before.hooks
          throw error
        }
      },
    }
    return tx
  }

  async #queryPool<Row>(pool: pg.Pool, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const name = this.#nameOf(sql)
    const beganMs = elapsedMs()
    const beganIdleMs = idleMs()
    const { rows } = await pool.query({ text: sql, values: values.map(asWritten), ...(name && { name }) })
    this.#noteTime(sql, beganMs, beganIdleMs)
    return rows as Row[]
  }

  #query<Row>(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<Row[]> {
    const beganMs = elapsedMs()
    const beganIdleMs = idleMs()
    return new Promise((done, fail) => {
      // Built directly: the driver copies a configuration object property by property, which is slow on this path.
      const query = new pg.Query(sql, values.map(asWritten), (error, result) => {
        this.#noteTime(sql, beganMs, beganIdleMs)
        if (error) fail(error)
        else done(result.rows as Row[])
      }) as pg.Query & { name: string | undefined }
      query.name = this.#nameOf(sql)
      client.query(query)
    })
  }

  /** A process that was never idle meanwhile did not wait for the database: the reply waited for the process. */
  #noteTime(sql: string, beganMs: number, beganIdleMs: number): void {
    const ms = elapsedMs() - beganMs
    if (ms < this.#slowQueries.fromMs) return
    if (idleMs() - beganIdleMs >= ms * idleShareOfSlowQueries) this.#slowQueries.report(sql, ms)
  }

  /** Named statements are planned once per connection; the cap bounds the memory of the database server. */
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known || this.#names.size >= maxNamedStatements) return known
    const name = createHash('sha1').update(sql).digest('base64url')
    this.#names.set(sql, name)
    return name
  }
}

type SessionSettings = Record<string, string | number | boolean | undefined>

/** Without a round trip of their own. */
const setAtStart = (settings: SessionSettings): pg.PoolConfig => ({
  options: Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
})

/** A pooler accepts connections also while it has no database, so these statements have the time limit of connecting. */
function setAfterConnecting(
  settings: SessionSettings,
  limitMs = defaultTimeouts.connectionTimeoutMillis,
): pg.PoolConfig {
  const sql = Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')
  const onConnect = async (client: pg.ClientBase) => {
    const timer = setTimeout(() => streamOf(client).destroy(), limitMs)
    await client.query(sql).finally(() => clearTimeout(timer))
  }
  return { onConnect } as pg.PoolConfig
}

function openPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(settings)
  // A broken connection is replaced at its next use. Without these listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Hook = () => void | Promise<void>

interface RunMode {
  ending: 'commit' | 'rollback'
  pool: PoolName
  /** The instant of the transaction; the clock's by default. */
  now?: Date | undefined
  isOnePacket?: boolean
}

function counted(all: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>) {
  return {
    all,
    one: async <Row>(sql: string, values?: readonly unknown[]): Promise<Row> => {
      const rows = await all<Row>(sql, values)
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`)
      return rows[0]!
    },
    maybe: async <Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined> => {
      const rows = await all<Row>(sql, values)
      if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`)
      return rows[0]
    },
  }
}
