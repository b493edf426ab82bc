// Campaigns with concurrent runs, killed processes and clients who change their consent in between.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { noQuietHours, campaigns, openCampaigns } from '../support/campaigns.ts'
import { times } from '../support/carts.ts'
import { databaseUrl } from '../support/database.ts'
import { bozorChild } from '../support/process.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const crowd = 2_000
const shop = await openPlatform()
const setup = await openCampaigns(shop)
const { call } = shop
const { db } = shop.app.shops.test

type Reader = { ClientId: number }
const only = (...readers: Reader[]) => ({ clients: { ids: readers.map((it) => String(it.ClientId)) } })
const soon = () => new Date(db.clock.now().getTime() + 60_000).toISOString()

/** Many clients who consented to mails, in a language that no other client uses. */
async function manyReaders(first: number, into = db): Promise<void> {
  await into.transaction(async (tx) => {
    const ids = times(crowd, (at) => first + at)
    await tx.all(
      `insert into identity_clients (id, name, email, created_at, updated_at)
       select id, 'C' || id, 'c' || id || '@mail.uz', $2, $2 from unnest($1::int8[]) as it (id)`,
      [ids, tx.now],
    )
    await tx.all(
      `insert into marketing_consents (id, holder, client_id, channel, category, is_granted, source, at)
       select gen_random_uuid(), 'client/' || id, id, 'email', 'marketing', true, 'test', $2 from unnest($1::int8[]) as it (id)`,
      [ids, tx.now],
    )
  })
}

/** The number of notifications, of clients, and the counter of the campaign. */
async function tally(id: string) {
  const { written, clients } = await db
    .read()
    .one<{ written: number; clients: number }>(
      `select count(*) as written, count(distinct client_id) as clients from marketing_notifications where campaign_id = $1`,
      [id],
    )
  return { written, clients, sent: (await setup.results(id)).sent as number }
}

/** A target that is due after the quiet hours. */
async function waitingReader(): Promise<{
  reader: Reader
  offer: number
  id: string
  awake(): Promise<void>
}> {
  const reader = await setup.reader()
  const offer = await setup.stock.offer()
  const { id } = await setup.started({
    when: { cart_abandoned: { hours: 1 } },
    audience: [only(reader)],
    quiet_hours: setup.asleep(),
  })
  await setup.put(reader, offer)
  await setup.advance('PT2H')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  const awake = async () => {
    await setup.step(id, 'pause')
    await call('PATCH', `${campaigns}/${id}`, { body: { quiet_hours: noQuietHours } })
    await setup.step(id, 'resume')
    await setup.run()
  }
  return { reader, offer, id, awake }
}

test('sends nothing about a cart that is ordered before sending', async () => {
  const { reader, id, awake } = await waitingReader()
  await setup.ordered(reader)
  await awake()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'occasion_over' })
  deepEqual(await setup.written(id), [])
  deepEqual((await setup.results(id)).suppressed, { occasion_over: 1 })
})

test('sends nothing about a cart that is changed before sending', async () => {
  const { reader, offer, id, awake } = await waitingReader()
  await setup.put(reader, offer)
  await awake()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'occasion_over' })
})

test('sends nothing after consent is withdrawn before sending', async () => {
  const { reader, id, awake } = await waitingReader()
  await setup.withdraw(reader.ClientId)
  await awake()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'no_consent' })
  deepEqual(await setup.written(id), [])
})

test('sends nothing about an offer that sells out before sending', async () => {
  const { reader, offer, id, awake } = await waitingReader()
  await setup.stock.offer({ id: offer, productId: offer, quantity: 0 })
  await awake()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'occasion_over' })
})

test('two concurrent processes send one message per client', async () => {
  await manyReaders(100_000)
  const other = await openPlatform({ connection: shop.connection })
  const { id } = await setup.started({ when: { at: soon() } })
  await setup.advance('PT2M')
  const runs = times(6, (at) => (at % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns'))
  await Promise.all(runs)
  await setup.run()
  await setup.run()
  const { written, clients, sent } = await tally(id)
  deepEqual([written, sent], [clients, clients])
  ok(clients >= crowd, String(clients))
})

test('two processes never exceed the budget', async () => {
  await manyReaders(200_000)
  const other = await openPlatform({ connection: shop.connection })
  const { id } = await setup.started({ when: { at: soon() }, price_tiyin: 7, budget_tiyin: 7_003 })
  await setup.advance('PT2M')
  await Promise.all(
    times(4, (at) => (at % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns')),
  )
  await setup.run()
  const { campaign } = (await call('GET', `${campaigns}/${id}`)).body.data
  deepEqual(
    [await tally(id), campaign.cost_tiyin, campaign.finish_reason],
    [{ written: 1_000, clients: 1_000, sent: 1_000 }, 7_000, 'budget_reached'],
  )
})

test('a frequency cap holds for two campaigns and two processes at once', async () => {
  const rules = '/v1/marketing/campaign-rules'
  equal((await call('PATCH', rules, { body: { messages_per_day: 1 } })).status, 200)
  const readers: Reader[] = []
  while (readers.length < 40) readers.push(await setup.reader())
  const other = await openPlatform({ connection: shop.connection })
  const at = soon()
  const both = [
    await setup.started({ when: { at }, audience: [only(...readers)] }),
    await setup.started({ when: { at }, audience: [only(...readers)] }),
  ]
  await setup.advance('PT2M')
  await Promise.all(
    times(6, (turn) => (turn % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns')),
  )
  await setup.run()
  const outcomes = await Promise.all(both.map(({ id }) => setup.outcomes(id)))
  for (const { ClientId } of readers)
    deepEqual(outcomes.map((it) => it[ClientId]).toSorted(), ['frequency_cap', 'sent'])
  equal((await call('PATCH', rules, { body: { messages_per_day: 2 } })).status, 200)
})

test('sends nothing after the reply to a pause', async () => {
  await manyReaders(300_000)
  const { id } = await setup.started({ when: { cron: '0 0 * * * ?' } })
  const moving = setup.advance('PT61M')
  await waitUntil(async () => (await tally(id)).sent > 0, { what: 'the campaign sends', pollMs: 5 })
  await setup.step(id, 'pause')
  const { sent } = await tally(id)
  await moving
  await setup.run()
  equal((await tally(id)).sent, sent)
  await setup.step(id, 'resume')
  await setup.run()
  const after = await tally(id)
  ok(sent < after.sent, `${sent} ${after.sent}`)
  deepEqual([after.written, after.sent], [after.clients, after.clients])
  await setup.step(id, 'finish')
})

test('sends one message per client when runs are killed again and again', async () => {
  // Only the killed processes run campaigns.
  const place = await openPlatform({ jobs: [] })
  const there = await openCampaigns(place)
  const far = place.app.shops.test.db
  await manyReaders(1, far)
  const { id } = await there.started({
    when: { at: new Date(far.clock.now().getTime() + 60_000).toISOString() },
  })
  await there.advance('PT2M')
  const written = async () =>
    (await far.read().one<{ count: number }>(`select count(*) as count from marketing_notifications`)).count
  let kills = 0
  for (let isDone = false; !isDone;) {
    const before = await written()
    const child = bozorChild(['jobs', 'run', 'run-campaigns'], {
      DATABASE_URL: databaseUrl(place.connection),
    })
    const end = once(child, 'exit')
    let code: number | null | undefined
    void end.then(([it]) => (code = it as number | null))
    // It is killed as soon as its first message is stored.
    await waitUntil(async () => code !== undefined || (await written()) !== before, {
      what: 'the run stores a message or ends',
      pollMs: 2,
    })
    if (kills < 5) child.kill('SIGKILL')
    await end
    isDone = code === 0
    if (!isDone) ok(++kills <= 5, `the run that was not killed exits with ${code}`)
    // The lease of a killed process expires after a minute; the test does not wait for it.
    await far.transaction((tx) => tx.all(`update job_leases set leased_until = now() - interval '1 second'`))
  }
  equal(kills, 5)
  const { clients } = await far
    .read()
    .one<{ clients: number }>(`select count(distinct client_id) as clients from marketing_notifications`)
  deepEqual(
    [await written(), clients, (await there.results(id)).sent, (await there.results(id)).waiting],
    [crowd, crowd, crowd, 0],
  )
})
