// Publishes events to the message bus and receives integration events from it, for both environments. Reconnects and
// retries while the bus is unreachable.

import type { Environment } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import { Loop } from '../../base/loop.ts'
import { eventsAfter, newestPosition, type RelayedEvent } from '../../base/outbox.ts'
import { secretUuid } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import { cloudEventText, moduleOf } from '../events/cloud-event.ts'
import { initBusPosition, busPosition, releaseBus, saveBusPosition, leaseBus } from './store.ts'
import type { Bus, OutgoingEvent } from './nats.ts'
import { receiveMessage } from './receive-message.ts'

const batchSize = 250
const pollMs = 1_000
const leaseSeconds = 30
const graceMs = 1_500

const environments = ['live', 'test'] as const

export class MessageBus {
  readonly #shops: Record<Environment, Shop>
  readonly #url: string
  readonly #log: Log
  readonly #lease = secretUuid()
  readonly #loops: Loop[]
  #bus: Promise<Bus> | undefined
  #closed = false
  #isReachable = false

  /** Whether the bus has answered since the last failure. */
  get isReachable(): boolean {
    return this.#isReachable
  }

  constructor(shops: Record<Environment, Shop>, { natsUrl, log }: { natsUrl: string; log: Log }) {
    this.#shops = shops
    this.#url = natsUrl
    this.#log = log
    const onError = (error: unknown) => {
      const isStorage = error instanceof StorageFailure
      if (!isStorage) this.#isReachable = false
      if (this.#closed) return
      if (isStorage) log.warn('message bus waits for the database; retrying', { error: error.cause })
      else log.warn('message bus unreachable; retrying', { error })
    }
    this.#loops = environments.flatMap((environment) => {
      const publishing = new Loop(() => this.#publish(shops[environment]), { pollMs, onError })
      const receiving = new Loop(() => this.#receive(shops[environment]), { pollMs, onError })
      shops[environment].relay.subscribeInOrder(() => publishing.wake())
      return [publishing, receiving]
    })
  }

  async start(): Promise<void> {
    for (const environment of environments)
      await this.#shops[environment].db.transaction(async (tx) =>
        initBusPosition(tx, await newestPosition(tx)),
      )
    for (const loop of this.#loops) loop.start()
  }

  /** Does not wait for a bus that does not answer: what was in progress is published or offered again. */
  async close(): Promise<void> {
    this.#closed = true
    const ended = this.#loops.map((it) => it.close())
    await waitAtMost(
      graceMs,
      Promise.resolve(this.#bus).then((it) => it?.close()),
    )
    await waitAtMost(graceMs, Promise.all(ended))
    for (const environment of environments)
      await this.#shops[environment].db.transaction(async (tx) => releaseBus(tx, this.#lease)).catch(() => {})
  }

  /** Publishes one batch; true when there may be more. */
  async #publish({ db, environment }: Shop): Promise<boolean> {
    const read = db.read()
    const known = await stored(busPosition(read))
    if (known === undefined || known >= (await stored(newestPosition(read)))) return false
    const bus = await this.#connected()
    const position = await stored(db.transaction((tx) => leaseBus(tx, { lease: this.#lease, leaseSeconds })))
    if (position === undefined) return false
    const batch = await stored(eventsAfter(db.read(), position, batchSize))
    const last = batch.at(-1)
    if (!last) return false
    const dropped = await bus.send(
      environment,
      batch.map((it) => outgoing(it, environment)),
    )
    // They would block all later ones.
    for (const { id, subject } of dropped)
      this.#log.error('event too large for the message bus', { event_id: id, subject })
    await stored(db.transaction(async (tx) => saveBusPosition(tx, this.#lease, last.position)))
    return batch.length === batchSize
  }

  async #receive({ db, environment }: Shop): Promise<boolean> {
    const bus = await this.#connected()
    await bus.receive(environment, {
      onReached: () => (this.#isReachable = true),
      handle: (message) => stored(receiveMessage(db, message)),
    })
    return !this.#closed
  }

  /** One connection for all loops; only one of them reopens a closed connection. */
  async #connected(): Promise<Bus> {
    const before = this.#bus
    const known = await before?.catch(() => undefined)
    if (known && !known.isClosed) return known
    if (this.#closed) throw new Error('closed')
    // Loaded on demand: most installations have no bus.
    if (this.#bus === before) this.#bus = import('./nats.ts').then(({ connectBus }) => connectBus(this.#url))
    return this.#bus!
  }
}

/** The database failed, not the bus. */
class StorageFailure extends Error {}

async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new StorageFailure('the database failed', { cause })
  }
}

const outgoing = (it: RelayedEvent, environment: Environment): OutgoingEvent => ({
  id: it.id,
  subject: `shop.${environment}.${moduleOf(it.event.type)}.${it.event.type}`,
  text: cloudEventText(it, environment),
  traceparent: it.traceparent,
})

/** Waits until a promise settles, but not longer than a limit. */
async function waitAtMost(ms: number, waited: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const late = setTimeout(resolve, ms)
  waited.then(
    () => resolve(),
    () => resolve(),
  )
  await promise
  clearTimeout(late)
}
