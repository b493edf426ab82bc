// The message bus: events go out to JetStream and come in from it. Loaded only by shops that have one.

import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  StorageType,
} from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Environment } from '../../base/db.ts'
import { events } from '../../events.ts'

const dayNanos = 86_400 * 1e9
const keepDays = 30
/** Within it JetStream drops what it was told twice; consumers look at ids all the same. */
const duplicateWindowNanos = 600 * 1e9
const consumerName = 'bozor'
const ackWaitNanos = 30 * 1e9
const redeliverAfterMs = 1_000
const fetchMessages = 100
const fetchMs = 2_000
const publishWithinMs = 5_000

export interface OutgoingEvent {
  id: string
  subject: string
  text: string
}

export interface IncomingMessage {
  subject: string
  /** A name that no other message has. */
  name: string
  payload: Uint8Array
}

export interface Bus {
  /** Returns when all of them are kept by JetStream. */
  send(environment: Environment, batch: readonly OutgoingEvent[]): Promise<void>
  /** Waits a moment for messages and hands each on; one that is taken without failing never comes again. */
  receive(environment: Environment, take: (message: IncomingMessage) => Promise<void>): Promise<void>
  readonly mostBytes: number
  readonly isClosed: boolean
  close(): Promise<void>
}

/**
 * Connects, and makes the streams if they are missing. Once connected, it comes back by itself. The servers of a cluster
 * are separated by commas; the first address says how all of them are entered.
 */
export async function connectBus(addresses: string): Promise<Bus> {
  const urls = addresses.split(',').map((it) => new URL(it.trim()))
  const connection = await connect({
    servers: urls.map((it) => it.host),
    name: 'bozor',
    maxReconnectAttempts: -1,
    ...loginOf(urls[0]!),
    ...(urls[0]!.protocol === 'tls:' && { tls: {} }),
  })
  try {
    const manager = await jetstreamManager(connection)
    for (const environment of ['live', 'test'] as const) await prepare(manager, environment)
    return busOver(connection, manager)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** As NATS writes it: `user:password@`, or a token alone. */
function loginOf({ username, password }: URL): { user: string; pass: string } | { token: string } | {} {
  if (username === '') return {}
  const name = decodeURIComponent(username)
  return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) }
}

function busOver(connection: NatsConnection, manager: JetStreamManager): Bus {
  const client: JetStreamClient = jetstream(connection)
  const open = new Set<ConsumerMessages>()
  /** Somebody may have removed a stream under us, or the bus came back empty: the next try finds it again. */
  const made = async (environment: Environment, failure: unknown): Promise<never> => {
    await prepare(manager, environment)
    throw failure
  }
  return {
    send: async (environment, batch) => {
      const publish = ({ subject, text, id }: OutgoingEvent) =>
        client.publish(subject, text, { msgID: id, timeout: publishWithinMs })
      const outcomes = await Promise.allSettled(batch.map(publish))
      const failure = outcomes.find((it) => it.status === 'rejected')
      if (!failure) return
      await made(environment, failure.reason)
    },
    receive: async (environment, take) => {
      const consumer = await client.consumers
        .get(incomingStream(environment), consumerName)
        .catch((error: unknown) => made(environment, error))
      const messages = await consumer.fetch({ max_messages: fetchMessages, expires: fetchMs })
      open.add(messages)
      try {
        for await (const message of messages) await takeOne(message, take)
      } finally {
        open.delete(messages)
      }
    },
    get mostBytes() {
      return connection.info?.max_payload ?? 1_000_000
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

/** It is acknowledged when it has been taken in for good, and not before. */
async function takeOne(message: JsMsg, take: (message: IncomingMessage) => Promise<void>): Promise<void> {
  const { subject, data, info } = message
  try {
    await take({ subject, name: `${info.stream}:${info.streamSequence}`, payload: data })
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
  await manager.consumers.add(name, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitNanos,
    // Every failure to take one in is ours, so it is offered until we can.
    max_deliver: -1,
  })
}

/** What an operator has set on a stream stays; only subjects that are missing are added. */
async function ensureStream(
  manager: JetStreamManager,
  { name, subjects }: { name: string; subjects: string[] },
): Promise<void> {
  const known = await manager.streams.info(name).catch((error: Error & { code?: number }) => {
    if (error.message.includes('stream not found')) return undefined
    throw error
  })
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
  const missing = subjects.filter((it) => !known.config.subjects.includes(it))
  if (missing.length > 0)
    await manager.streams.update(name, { subjects: [...known.config.subjects, ...missing] })
}
