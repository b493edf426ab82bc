// The one way to the database: reads without a transaction, writes inside one, at one instant.

import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Event } from '../events.ts'
import type { Clock } from './clock.ts'
import type { Key, Load, Memory, MemoryKind } from './memory.ts'
import { writeFacts } from './outbox.ts'
import { jitter } from './random.ts'
import { Refusal, refuse } from './refusal.ts'
import { watchForSilence } from './silence.ts'

export type Environment = 'live' | 'test'

/** Reads what is committed. It opens no transaction and may be used by many at once. */
export interface Reader {
  readonly environment: Environment
  readonly now: Date
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The only row; any other number of rows is a bug. */
  one<Row>(sql: string, values?: readonly unknown[]): Promise<Row>
  maybe<Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined>
  /** What was loaded before and is still true as far as this process has heard; see memory.ts. */
  recall<K extends Key, V>(kind: MemoryKind<V>, keys: readonly K[], load: Load<K, V>): Promise<Map<K, V>>
}

/** One transaction, happening at one instant. The only handle through which a use case reaches the database. */
export interface Tx extends Reader {
  /** The facts told in this transaction so far. Its commit writes them down; then listeners hear of them. */
  readonly told: ToldFact[]
  /**
   * Does a write whose result nobody needs. It travels with the next statement, so it costs no wait of its own;
   * if it fails, the transaction fails. What it returns may be watched, and must not be waited for in between.
   */
  later(sql: string, values?: readonly unknown[]): Promise<unknown>
  /** Sends all that is asked for within one turn in one packet; the answers come one after the other. */
  together<T>(ask: () => T): T
  /** Runs work that may fail alone: its writes are undone and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Runs after the commit and before the reply. A rolled back transaction forgets it. */
  afterCommit(work: () => void | Promise<void>): void
}

/** A fact with the id under which it stands in the outbox. */
export interface ToldFact {
  id: string
  event: Event
}

export interface DatabaseOptions {
  connection: pg.PoolConfig
  environment: Environment
  clock: Clock
  poolSize: number
}

/**
 * Callers share connections. What the house does for itself, one thing at a time, may keep one of its own: it waits for
 * no caller, and its statements, large ones, are planned once and not once for each of many.
 */
export type Lane = 'callers' | 'house'

const triesPerTransaction = 4
const statementTimeoutMs = 15_000
const lockTimeoutMs = 5_000
const connectTimeoutMs = 4_000
const maxNamedStatements = 600

export class Database {
  readonly environment: Environment
  readonly clock: Clock
  /** Where it stands, for a thread or a process that opens one of its own. */
  readonly connection: pg.PoolConfig
  /** Hears the facts of every transaction of this process that commits. */
  onTold: (facts: readonly ToldFact[]) => void = () => {}
  /** Given to a process that hears facts; without it, everything is asked of the database. */
  memory: Memory | undefined
  readonly #pools: Record<Lane, pg.Pool>
  readonly #names = new Map<string, string>()
  readonly #endWatches: (() => void)[]

  constructor({ connection, environment, clock, poolSize }: DatabaseOptions) {
    this.environment = environment
    this.clock = clock
    this.connection = connection
    const settings = {
      ...connection,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: `bozor-${environment}`,
      options: `-c search_path=${environment},platform -c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs} -c idle_in_transaction_session_timeout=30000 -c timezone=UTC`,
      types: { getTypeParser },
      pipeline: true,
    } as pg.PoolConfig
    this.#pools = {
      callers: new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 60_000 }),
      house: new pg.Pool({ ...settings, max: 1, idleTimeoutMillis: 0 }),
    }
    for (const pool of Object.values(this.#pools)) {
      // A connection that breaks is replaced at the next use, idle or not; without listeners it would end the process.
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
    }
    this.#endWatches = Object.values(this.#pools).map((it) => watchForSilence(it, connection))
  }

  /** A reader whose instant is now. */
  read(): Reader {
    const all = async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const name = this.#nameOf(sql)
      const query = { text: sql, values: values.map(asWritten), ...(name && { name }) }
      return (await this.#pools.callers.query(query).catch(asRefusal)).rows as Row[]
    }
    return {
      environment: this.environment,
      now: this.clock.now(),
      ...counted(all),
      recall: (kind, keys, load) => (this.memory ? this.memory.recall(kind, keys, load) : load([...keys])),
    }
  }

  /** Commits all that `work` does, or nothing. Deadlocks are tried again, so `work` must not touch the world. */
  transaction<T>(work: (tx: Tx) => Promise<T>, lane: Lane = 'callers'): Promise<T> {
    return this.#run(work, { ending: 'commit', lane })
  }

  /** Does all that a transaction would do, and then undoes it. */
  rehearse<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#run(work, { ending: 'rollback', lane: 'callers' })
  }

  get load(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pools.callers
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async close(): Promise<void> {
    for (const end of this.#endWatches) end()
    await Promise.all(Object.values(this.#pools).map((it) => it.end()))
  }

  async #run<T>(work: (tx: Tx) => Promise<T>, way: Way): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryOnce(work, way)
      } catch (error) {
        if (!isContention(error) || attempt === triesPerTransaction) return asRefusal(error)
        await new Promise((done) => setTimeout(done, 5 * 2 ** attempt * (0.5 + jitter())))
      }
    }
  }

  async #tryOnce<T>(work: (tx: Tx) => Promise<T>, { ending, lane }: Way): Promise<T> {
    const client = await this.#pools[lane].connect()
    const wire = new Wire(client)
    const told: ToldFact[] = []
    const hooks: Hook[] = []
    let result: T
    try {
      wire.later(() => client.query('begin'))
      const tx = this.#tx(wire, told, hooks)
      result = await work(tx)
      writeFacts(tx, told)
      await wire.settled(() => client.query(ending))
    } catch (error) {
      // A connection that cannot even roll back is thrown away instead of going back to the pool.
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
      if (told.length > 0) this.onTold(told)
      for (const hook of hooks) await hook()
    }
    return result
  }

  #tx(wire: Wire, told: ToldFact[], hooks: Hook[]): Tx {
    const all = <Row>(sql: string, values: readonly unknown[] = []) =>
      wire.now(() => this.#query<Row>(wire.client, sql, values))
    return {
      environment: this.environment,
      now: this.clock.now(),
      told,
      ...counted(all),
      // What it told of is not committed yet: nobody else may see it, so it is neither recalled nor remembered.
      recall: (kind, keys, load) =>
        this.memory && !told.some(({ event }) => kind.heeds?.(event) ?? true)
          ? this.memory.recall(kind, keys, load)
          : load([...keys]),
      later: (sql, values = []) => wire.later(() => this.#query(wire.client, sql, values)),
      together: (ask) => wire.together(ask),
      afterCommit: (work) => void hooks.push(work),
      attempt: async (work) => {
        const before = { told: told.length, hooks: hooks.length }
        await wire.settled(() => wire.client.query('savepoint attempt'))
        try {
          const result = await work()
          await wire.settled(() => wire.client.query('release savepoint attempt'))
          return result
        } catch (error) {
          // Released too: an attempt around this one has a mark of the same name, and means its own.
          await wire.now(() => wire.client.query('rollback to savepoint attempt; release savepoint attempt'))
          wire.forget()
          told.length = before.told
          hooks.length = before.hooks
          throw error
        }
      },
    }
  }

  #query<Row>(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<Row[]> {
    return new Promise((done, fail) => {
      // Made by hand, because the driver copies a configuration property by property, which costs more than to send it.
      const query = new pg.Query(sql, values.map(asWritten), (error, result) =>
        error ? fail(error) : done(result.rows as Row[]),
      ) as pg.Query & { name: string | undefined }
      query.name = this.#nameOf(sql)
      client.query(query)
    })
  }

  /** Named statements are planned once a connection; the cap keeps a careless caller from filling the server. */
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known || this.#names.size >= maxNamedStatements) return known
    const name = createHash('sha1').update(sql).digest('base64url')
    this.#names.set(sql, name)
    return name
  }
}

type Hook = () => void | Promise<void>

interface Way {
  ending: 'commit' | 'rollback'
  lane: Lane
}

/**
 * The connection of one transaction. Statements that nobody waits for are held back and sent in one packet with the
 * next that somebody does: most of what a small write costs is the number of packets.
 */
class Wire {
  readonly client: pg.PoolClient
  #unsettled: Promise<unknown>[] = []
  #held = false

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  later(send: () => Promise<unknown>): Promise<unknown> {
    if (!this.#held) this.#stream.cork()
    this.#held = true
    const sent = send()
    // It is looked at when the transaction settles; until then nobody has missed it.
    sent.catch(() => {})
    this.#unsettled.push(sent)
    return sent
  }

  now<T>(send: () => Promise<T>): Promise<T> {
    const sent = send()
    if (this.#held) this.#stream.uncork()
    this.#held = false
    return sent
  }

  /** The stream counts how often it was corked: what is sent within goes out when this is over. */
  together<T>(ask: () => T): T {
    this.#stream.cork()
    try {
      return ask()
    } finally {
      this.#stream.uncork()
    }
  }

  /** Sends and waits for everything before it too: one failure is a failure of all. */
  async settled(send: () => Promise<unknown>): Promise<void> {
    const before = this.#unsettled
    this.#unsettled = []
    const last = this.now(send)
    last.catch(() => {})
    await Promise.all([...before, last])
  }

  /** Why the transaction was lost, when a statement that nobody waited for lost it: the next only says that it is. */
  async firstFailure(): Promise<unknown> {
    const outcomes = await Promise.allSettled(this.#unsettled)
    return outcomes.find((it) => it.status === 'rejected')?.reason
  }

  forget(): void {
    this.#unsettled = []
  }

  get #stream(): Writable {
    return (this.client as unknown as { connection: { stream: Writable } }).connection.stream
  }
}

/** What the database said when a unique constraint stopped a row: its name, else undefined. */
export const brokenUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined

/** Whether a row broke a constraint, or held a value that its column cannot. */
export const isContradiction = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')

/** Whether somebody else held a row for longer than we wait. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03'

/** Whether a value could not be read as the type it was meant to have: no number, no instant, no text. */
export const isUnreadableValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('22') === true

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

const isContention = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')

const busyCodes = new Set(['40P01', '40001', '55P03', '57014', '53300'])
const lostCodes = /^(08...|53[12]00|57P0[1-5]|58030|25006|XX001)$/
const lostSocket =
  /ECONN|ENOENT|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|not queryable/

/** Turns what the database could not do just now into the reply for it, and leaves bugs alone. */
function asRefusal(error: unknown): never {
  if (error instanceof Refusal) throw error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (error instanceof pg.DatabaseError && busyCodes.has(code))
    throw refuse('service_unavailable', { retry_after: 1 })
  if ((error instanceof pg.DatabaseError && lostCodes.test(code)) || lostSocket.test(`${code} ${message}`))
    throw refuse('storage_unavailable', { retry_after: 2 })
  throw error
}

/** The driver writes an instant part by part in the local zone; ISO says the same at once. */
const asWritten = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

const int8 = 20
const int8Array = 1016
const timestamptz = 1184
const parseInt8Array = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))

/** The driver's parsers, except that int8 becomes a number: every id and amount of ours fits one. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return safeInteger
  if (oid === int8Array) return parseInt8Array
  if (oid === timestamptz) return instantOf
  return pg.types.getTypeParser(oid, format as 'text')
}

/** Connections speak UTC, so every instant ends in `+00`. */
const instantOf = (text: string): Date => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number`)
  return value
}
