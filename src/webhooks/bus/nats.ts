// NATS JetStream: publishing and receiving. Loaded only with NATS_URL.

import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  StorageType,
} from '@nats-io/jetstream'
import {
  connect,
  headers,
  InvalidArgumentError,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node'
import type { Environment } from '../../base/database.ts'
import { events } from '../../events.ts'

const dayNanos = 86_400 * 1e9
const keepDays = 30
/** Within it JetStream drops duplicates; consumers must compare ids nevertheless. */
const duplicateWindowNanos = 600 * 1e9
const consumerName = 'bozor'
const ackWaitNanos = 30 * 1e9
const redeliverAfterMs = 1_000
const fetchMessages = 100
const fetchMs = 2_000
const publishTimeoutMs = 5_000
const pingTimeoutMs = 3_000
/** An error code of JetStream that the client has no name for. */
const messageTooLarge = 10_054

export interface OutgoingEvent {
  id: string
  subject: string
  text: string
  traceparent: string | undefined
}

export interface IncomingMessage {
  subject: string
  /** Unique among messages. */
  name: string
  payload: Uint8Array
}

export interface Receiver {
  /** Called when the bus has answered. */
  onReached(): void
  handle(message: IncomingMessage): Promise<void>
}

export interface Bus {
  /** Returns when JetStream has stored all of them, except those that are too large for it, which are returned. */
  send(environment: Environment, batch: readonly OutgoingEvent[]): Promise<OutgoingEvent[]>
  /** Waits for messages for a short time and handles each; a handled message is acknowledged. */
  receive(environment: Environment, receiver: Receiver): Promise<void>
  readonly isClosed: boolean
  close(): Promise<void>
}

function traceHeaders(traceparent: string): MsgHdrs {
  const given = headers()
  given.set('traceparent', traceparent)
  return given
}

/**
 * Connects and creates missing streams. The client reconnects by itself. The servers of a cluster are separated by commas;
 * the credentials of the first one are used for all.
 */
export async function connectBus(addresses: string): Promise<Bus> {
  const connection = await connect({ ...connectionOptions(addresses), maxReconnectAttempts: -1 })
  try {
    const manager = await jetstreamManager(connection)
    for (const environment of ['live', 'test'] as const) await prepare(manager, environment)
    return busOver(connection, manager)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Connects once and disconnects; throws when no server accepts the connection. */
export async function pingBus(addresses: string): Promise<void> {
  const connection = await connect({
    ...connectionOptions(addresses),
    reconnect: false,
    timeout: pingTimeoutMs,
  })
  await connection.close()
}

function connectionOptions(addresses: string) {
  const urls = addresses.split(',').map((it) => new URL(it.trim()))
  return {
    servers: urls.map((it) => it.host),
    name: 'bozor',
    ...loginOf(urls[0]!),
    // The client has one setting for all servers; a `tls://` address must never be used without TLS.
    ...(urls.some((it) => it.protocol === 'tls:') && { tls: {} }),
  }
}

/** As in NATS URLs: `user:password@`, or `token@`. */
function loginOf({ username, password }: URL): { user: string; pass: string } | { token: string } | {} {
  if (username === '') return {}
  const name = decodeURIComponent(username)
  return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) }
}

function busOver(connection: NatsConnection, manager: JetStreamManager): Bus {
  const client: JetStreamClient = jetstream(connection)
  const open = new Set<ConsumerMessages>()
  /** A stream may have been removed, or the bus restarted empty: creates the streams for the next attempt. */
  const recreateStreams = async (environment: Environment, failure: unknown): Promise<never> => {
    await prepare(manager, environment)
    throw failure
  }
  return {
    send: async (environment, batch) => {
      const publish = ({ subject, text, id, traceparent }: OutgoingEvent) =>
        client.publish(subject, text, {
          msgID: id,
          timeout: publishTimeoutMs,
          ...(traceparent && { headers: traceHeaders(traceparent) }),
        })
      const failures = (await Promise.allSettled(batch.map(publish))).map((it) =>
        it.status === 'rejected' ? (it.reason as unknown) : undefined,
      )
      const failure = failures.find((it) => it !== undefined && !isTooLarge(it))
      if (failure !== undefined) await recreateStreams(environment, failure)
      return batch.filter((_it, at) => failures[at] !== undefined)
    },
    receive: async (environment, { onReached, handle }) => {
      const consumer = await client.consumers
        .get(incomingStream(environment), consumerName)
        .catch((error: unknown) => recreateStreams(environment, error))
      onReached()
      const messages = await consumer.fetch({ max_messages: fetchMessages, expires: fetchMs })
      open.add(messages)
      try {
        for await (const message of messages) await handleMessage(message, handle)
      } finally {
        open.delete(messages)
      }
    },
    get isClosed() {
      return connection.isClosed()
    },
    close: async () => {
      for (const messages of open) messages.stop()
      await connection.close()
    },
  }
}

/** Larger with its headers than the server accepts, or than an operator lets the stream store. */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof InvalidArgumentError && error.message.includes('max_payload')) ||
  (error instanceof JetStreamApiError && error.code === messageTooLarge)

/** Acknowledges a message only after it is stored. */
async function handleMessage(
  message: JsMsg,
  handle: (message: IncomingMessage) => Promise<void>,
): Promise<void> {
  const { subject, data, info, timestampNanos } = message
  // A stream that is created again counts from 1 again, so the name has the time too.
  const name = `${info.stream}:${info.streamSequence}:${timestampNanos}`
  try {
    await handle({ subject, name, payload: data })
  } catch (error) {
    message.nak(redeliverAfterMs)
    throw error
  }
  message.ack()
}

const outgoingStream = (environment: Environment) => `SHOP_${environment.toUpperCase()}`
const incomingStream = (environment: Environment) => `INTEGRATION_${environment.toUpperCase()}`

async function prepare(manager: JetStreamManager, environment: Environment): Promise<void> {
  const modules = [...new Set(Object.values(events).map((it) => it.module)), 'unknown']
  await ensureStream(manager, {
    name: outgoingStream(environment),
    subjects: modules.map((it) => `shop.${environment}.${it}.*`),
  })
  const name = incomingStream(environment)
  await ensureStream(manager, { name, subjects: [`integration.${environment}.>`] })
  const consumer = await foundUnless(
    JetStreamApiCodes.ConsumerNotFound,
    manager.consumers.info(name, consumerName),
  )
  if (consumer) return
  await manager.consumers.add(name, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitNanos,
    // A failure to store a message is always temporary, so it is offered without limit.
    max_deliver: -1,
  })
}

/** Undefined if JetStream answers with the code of what is missing. */
const foundUnless = <T>(missing: number, found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === missing) return undefined
    throw error
  })

/** Keeps what an operator has configured; adds missing subjects only. */
async function ensureStream(
  manager: JetStreamManager,
  { name, subjects }: { name: string; subjects: string[] },
): Promise<void> {
  const known = await foundUnless(JetStreamApiCodes.StreamNotFound, manager.streams.info(name))
  if (!known) {
    await manager.streams.add({
      name,
      subjects,
      storage: StorageType.File,
      max_age: keepDays * dayNanos,
      duplicate_window: duplicateWindowNanos,
    })
    return
  }
  const present = known.config.subjects
  const missing = subjects.filter((it) => !present.some((pattern) => covers(pattern, it)))
  if (missing.length > 0) await manager.streams.update(name, { subjects: [...present, ...missing] })
}

/** Whether every subject that matches `subject` matches `pattern`: `*` stands for one part, `>` for the rest. */
export function covers(pattern: string, subject: string): boolean {
  const parts = subject.split('.')
  const wanted = pattern.split('.')
  return (
    (wanted.at(-1) === '>' ? parts.length >= wanted.length : parts.length === wanted.length) &&
    wanted.every((it, at) => it === '>' || it === parts[at] || (it === '*' && parts[at] !== '>'))
  )
}
