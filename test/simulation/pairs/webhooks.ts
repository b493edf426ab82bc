import { Relay } from '../../../src/base/relay.ts'
import type { Database, Tx } from '../../../src/base/database.ts'
import { silentLog } from '../../../src/base/log.ts'
import { publish } from '../../../src/base/outbox.ts'
import { secretUuid } from '../../../src/base/random.ts'
import { openVault } from '../../../src/base/vault.ts'
import { enqueueEvents } from '../../../src/webhooks/deliveries/enqueue-events.ts'
import { recordAttempts } from '../../../src/webhooks/deliveries/record-attempts.ts'
import { claimDue } from '../../../src/webhooks/deliveries/store.ts'
import { changeEndpoint, createEndpoint } from '../../../src/webhooks/endpoints/endpoints.ts'
import type { NewPair } from '../pairs.ts'
import type { Work } from '../race.ts'

const vault = openVault({ secretKey: Buffer.alloc(32, 7), dataDir: '' })

/** The only endpoint, with an empty queue; returns its id. */
async function newEndpoint(db: Database): Promise<string> {
  await db.transaction((tx) => tx.all(`delete from webhooks_deliveries`))
  await db.transaction((tx) => tx.all(`update webhooks_endpoints set state = 'deleted'`))
  await relay(db)
  const input = { url: 'https://hook.example/1', description: '', filters: ['ModelActivated'] }
  const { endpoint } = await db.transaction((tx) => createEndpoint(tx, vault, input))
  return endpoint.id
}

/** Gives positions to all events. */
async function relay(db: Database): Promise<void> {
  const relay = new Relay(db, silentLog())
  await relay.catchUp()
  await relay.close()
}

/** Two events of different subjects that match the endpoint. */
async function newEvents(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    for (const modelId of [1, 2]) publish(tx, { type: 'ModelActivated', modelId, checksum: '' })
  })
  await relay(db)
}

const queueOf = (db: Database, id: string) => () =>
  db.read().one(
    `select waiting, failures, (select count(*) from webhooks_deliveries where endpoint_id = $1) as deliveries
     from webhooks_endpoints where id = $1`,
    [id],
  )

const twoEndpointChanges: NewPair = async (db) => {
  const id = await newEndpoint(db)
  const change = (changes: object) => ({ changes, ifMatch: undefined })
  return {
    works: [
      async (tx) => void (await changeEndpoint(tx, id, change({ description: 'new' }))),
      async (tx) => void (await changeEndpoint(tx, id, change({ filters: ['OrdersCreated'] }))),
    ],
    observe: () => db.read().one(`select description, filters from webhooks_endpoints where id = $1`, [id]),
  }
}

/** An event goes into the queue of an endpoint once. */
const enqueuedTwice: NewPair = async (db) => {
  const id = await newEndpoint(db)
  await newEvents(db)
  const work: Work<void> = { process: async ({ db: own }) => void (await enqueueEvents(own)) }
  return { works: [work, work], observe: queueOf(db, id) }
}

const claim = (tx: Tx, lease: string) =>
  claimDue(tx, {
    lease,
    leaseSeconds: 30,
    perEndpoint: 1,
    perFailing: 1,
    failingFrom: 5,
    busy: new Map(),
    shared: 0,
  })

/** A delivery is claimed by one of two processes. */
const deliveryClaimedTwice: NewPair = async (db) => {
  await newEndpoint(db)
  await newEvents(db)
  await enqueueEvents(db)
  const take = async (tx: Tx) => (await claim(tx, secretUuid())).map((it) => it.id)
  return {
    works: [async (tx) => void (await take(tx)), async (tx) => void (await take(tx))],
    observe: () => db.read().one(`select count(distinct lease) as claimed from webhooks_deliveries`),
  }
}

/** Attempts of two processes count on one endpoint. */
const attemptsOfOneEndpoint: NewPair = async (db) => {
  const id = await newEndpoint(db)
  await newEvents(db)
  await enqueueEvents(db)
  const sent = { milliseconds: 1, status: 500, reply: null, error: null, retryAfter: undefined }
  const attempt = async (): Promise<Work<void>> => {
    const lease = secretUuid()
    const [delivery] = await db.transaction((tx) => claim(tx, lease))
    return (tx) => recordAttempts(tx, lease, [{ delivery: delivery!, headers: {}, sent }])
  }
  return { works: [await attempt(), await attempt()], observe: queueOf(db, id) }
}

export const webhookPairs: Readonly<Record<string, NewPair>> = {
  twoEndpointChanges,
  enqueuedTwice,
  deliveryClaimedTwice,
  attemptsOfOneEndpoint,
}
