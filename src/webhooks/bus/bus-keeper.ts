// Keeps the message bus told and listened to, for both environments, whether it is there at the moment or not.

import type { Environment } from '../../base/db.ts'
import type { Log } from '../../base/log.ts'
import { Loop } from '../../base/loop.ts'
import { eventsAfter, newestPosition, type Placed } from '../../base/outbox.ts'
import { secretUuid } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import { cloudEventText, moduleOf } from '../cloud-event.ts'
import { beginBus, busPosition, endTurn, noteArrived, takeTurn } from '../store/bus.ts'
import type { Bus, OutgoingEvent } from './nats.ts'
import { takeMessage } from './take-message.ts'

const batchSize = 250
const pollMs = 1_000
const leaseSeconds = 30
const graceMs = 1_500

const environments = ['live', 'test'] as const

export class BusKeeper {
  readonly #shops: Record<Environment, Shop>
  readonly #url: string
  readonly #log: Log
  readonly #lease = secretUuid()
  readonly #loops: Loop[]
  #bus: Promise<Bus> | undefined
  #closed = false

  constructor(shops: Record<Environment, Shop>, { natsUrl, log }: { natsUrl: string; log: Log }) {
    this.#shops = shops
    this.#url = natsUrl
    this.#log = log
    const onError = (error: unknown) => {
      if (!this.#closed) log.warn('the message bus is not reached; trying again', { error })
    }
    this.#loops = environments.flatMap((environment) => {
      const telling = new Loop(() => this.#tell(shops[environment]), { pollMs, onError })
      const hearing = new Loop(() => this.#hear(shops[environment]), { pollMs, onError })
      shops[environment].relay.follow(() => telling.wake())
      return [telling, hearing]
    })
  }

  async start(): Promise<void> {
    for (const environment of environments)
      await this.#shops[environment].db.transaction(async (tx) => beginBus(tx, await newestPosition(tx)))
    for (const loop of this.#loops) loop.start()
  }

  /** A bus that does not answer is not waited for: what was under way is told again, or offered again. */
  async close(): Promise<void> {
    this.#closed = true
    const ended = this.#loops.map((it) => it.close())
    await within(
      graceMs,
      Promise.resolve(this.#bus).then((it) => it?.close()),
    )
    await within(graceMs, Promise.all(ended))
    for (const environment of environments)
      await this.#shops[environment].db.transaction((tx) => endTurn(tx, this.#lease)).catch(() => {})
  }

  /** Tells the bus some of what it has not heard; true when there may be more. */
  async #tell({ db, environment }: Shop): Promise<boolean> {
    const read = db.read()
    const known = await busPosition(read)
    if (known === undefined || known >= (await newestPosition(read))) return false
    const bus = await this.#connected()
    const position = await db.transaction((tx) => takeTurn(tx, { lease: this.#lease, leaseSeconds }))
    if (position === undefined) return false
    const batch = await eventsAfter(db.read(), position, batchSize)
    const last = batch.at(-1)
    if (!last) return false
    await bus.send(environment, this.#fitting(batch, environment, bus.mostBytes))
    await db.transaction((tx) => noteArrived(tx, this.#lease, last.position))
    return batch.length === batchSize
  }

  /** What the bus can never take must not hold up the rest. */
  #fitting(batch: readonly Placed[], environment: Environment, mostBytes: number): OutgoingEvent[] {
    const all = batch.map((it) => ({
      id: it.id,
      subject: `shop.${environment}.${moduleOf(it.event.type)}.${it.event.type}`,
      text: cloudEventText(it, environment),
    }))
    return all.filter(({ id, subject, text }) => {
      const fits = Buffer.byteLength(text) < mostBytes
      if (!fits) this.#log.error('an event is too large for the message bus', { id, subject })
      return fits
    })
  }

  async #hear({ db, environment }: Shop): Promise<boolean> {
    const bus = await this.#connected()
    await bus.receive(environment, (message) => takeMessage(db, message))
    return !this.#closed
  }

  /** One line for all loops: whoever comes first opens it, and a line that is gone is opened anew by one alone. */
  async #connected(): Promise<Bus> {
    const before = this.#bus
    const known = await before?.catch(() => undefined)
    if (known && !known.isClosed) return known
    if (this.#closed) throw new Error('closed')
    // Loaded only when it is needed: most shops start without a bus.
    if (this.#bus === before) this.#bus = import('./nats.ts').then(({ connectBus }) => connectBus(this.#url))
    return this.#bus!
  }
}

/** Waits for the end of something, good or bad, but not for long. */
async function within(ms: number, waited: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const late = setTimeout(resolve, ms)
  waited.then(
    () => resolve(),
    () => resolve(),
  )
  await promise
  clearTimeout(late)
}
