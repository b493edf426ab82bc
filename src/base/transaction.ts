// The handles through which use cases reach the database. `database.ts` implements them.

import type { Event } from '../events.ts'
import type { CacheKey, CacheKind, CacheLoad } from './cache.ts'

export type Environment = 'live' | 'test'

/** Reads committed data. It opens no transaction and may be shared. */
export interface Reader {
  readonly environment: Environment
  readonly now: Date
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The only row; any other number of rows is a bug. */
  one<Row>(sql: string, values?: readonly unknown[]): Promise<Row>
  maybe<Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined>
  /** Values from this process's cache, loaded when they are missing; see cache.ts. */
  cached<K extends CacheKey, V>(
    kind: CacheKind<V>,
    keys: readonly K[],
    load: CacheLoad<K, V>,
  ): Promise<Map<K, V>>
  /**
   * Loads values by key; keys without a value are left out. What several requests ask for in one turn of the event loop
   * is loaded by one call of the same `load`. A transaction loads alone.
   */
  together<K extends CacheKey, V>(load: BatchLoad<K, V>, keys: readonly K[]): Promise<Map<K, V>>
}

export type BatchLoad<K extends CacheKey, V> = (read: Reader, keys: K[]) => Promise<Map<K, V>>

/** One transaction at one instant. */
export interface Tx extends Reader {
  /** The events published in this transaction so far. They are inserted right before the commit. */
  readonly published: PendingEvent[]
  /** The W3C trace context of the request. It is stored with the events and passed on with them. */
  traceparent: string | undefined
  /**
   * Sends a write whose result is not needed. It travels with the next statement and costs no round trip of its own. If it
   * fails, the transaction fails; `onError` then gets the cause.
   */
  later(sql: string, values?: readonly unknown[], onError?: (error: unknown) => void): void
  /** Sends all statements of `ask` in one packet; the results arrive one after the other. */
  pipeline<T>(ask: () => T): T
  /** Runs work in a savepoint: if it fails, its writes are undone and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Runs after the commit and before the reply; not at all after a rollback. */
  afterCommit(work: () => void | Promise<void>): void
}

/** The statements of a transaction that travels in one packet. They may write; there are no events and no savepoints. */
export type PacketTx = Reader

/** An event with the id that it gets in the outbox. */
export interface PendingEvent {
  id: string
  event: Event
}
