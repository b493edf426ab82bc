// Campaigns when things go wrong: runs at once, processes that die, and clients who change their mind in between.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { alwaysAwake, campaigns, openCampaigns } from '../support/campaigns.ts'
import { times } from '../support/carts.ts'
import { databaseUrl } from '../support/database.ts'
import { bozorChild } from '../support/process.ts'
import { openPlatform } from '../support/shop.ts'

const crowd = 2_000
const shop = await openPlatform()
const desk = await openCampaigns(shop)
const { call } = shop
const { db } = shop.app.shops.test
const asleep = { from: '00:00', to: '23:59' }

type Reader = { ClientId: number }
const only = (...readers: Reader[]) => ({ clients: { ids: readers.map((it) => String(it.ClientId)) } })
const soon = () => new Date(db.clock.now().getTime() + 60_000).toISOString()

/** Many clients who agreed to mails, in a language that tells them from all others. */
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

/** How many notifications a campaign wrote, to how many clients, and what it counted itself. */
async function tally(id: string) {
  const { written, clients } = await db
    .read()
    .one<{ written: number; clients: number }>(
      `select count(*) as written, count(distinct client_id) as clients from marketing_notifications where campaign_id = $1`,
      [id],
    )
  return { written, clients, sent: (await desk.results(id)).sent as number }
}

/** Someone whose occasion has come, and who must wait because everybody sleeps. */
async function waitingReader(): Promise<{
  reader: Reader
  offer: number
  id: string
  awake(): Promise<void>
}> {
  const reader = await desk.reader()
  const offer = await desk.stock.offer()
  const { id } = await desk.started({
    when: { cart_abandoned: { hours: 1 } },
    audience: [only(reader)],
    quiet_hours: asleep,
  })
  await desk.put(reader, offer)
  await desk.advance('PT2H')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  const awake = async () => {
    await desk.step(id, 'pause')
    await call('PATCH', `${campaigns}/${id}`, { body: { quiet_hours: alwaysAwake } })
    await desk.step(id, 'resume')
    await desk.run()
  }
  return { reader, offer, id, awake }
}

test('a cart that is ordered between selection and sending is not written about', async () => {
  const { reader, id, awake } = await waitingReader()
  await desk.ordered(reader)
  await awake()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'occasion_over' })
  deepEqual(await desk.written(id), [])
  deepEqual((await desk.results(id)).suppressed, { occasion_over: 1 })
})

test('a cart that is touched between selection and sending is not left any more', async () => {
  const { reader, offer, id, awake } = await waitingReader()
  await desk.put(reader, offer)
  await awake()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'occasion_over' })
})

test('consent that is withdrawn between selection and sending is kept to', async () => {
  const { reader, id, awake } = await waitingReader()
  await desk.withdraw(reader.ClientId)
  await awake()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'no_consent' })
  deepEqual(await desk.written(id), [])
})

test('goods that sold out between selection and sending are not praised', async () => {
  const { reader, offer, id, awake } = await waitingReader()
  await desk.stock.offer({ id: offer, productId: offer, quantity: 0 })
  await awake()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'occasion_over' })
})

test('two processes that run at once, again and again, write to everybody once', async () => {
  await manyReaders(100_000)
  const other = await openPlatform({ connection: shop.connection })
  const { id } = await desk.started({ when: { at: soon() } })
  await desk.advance('PT2M')
  const runs = times(6, (at) => (at % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns'))
  await Promise.all(runs)
  await desk.run()
  await desk.run()
  const { written, clients, sent } = await tally(id)
  deepEqual([written, sent], [clients, clients])
  ok(clients >= crowd, String(clients))
})

test('a budget is not passed by a single message when two processes spend it', async () => {
  await manyReaders(200_000)
  const other = await openPlatform({ connection: shop.connection })
  const { id } = await desk.started({ when: { at: soon() }, price_tiyin: 7, budget_tiyin: 7_003 })
  await desk.advance('PT2M')
  await Promise.all(
    times(4, (at) => (at % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns')),
  )
  await desk.run()
  const { campaign } = (await call('GET', `${campaigns}/${id}`)).body.data
  deepEqual(
    [await tally(id), campaign.cost_tiyin, campaign.finish_reason],
    [{ written: 1_000, clients: 1_000, sent: 1_000 }, 7_000, 'budget_reached'],
  )
})

test('a cap holds though two campaigns and two processes write to the same clients at once', async () => {
  const rules = '/v1/marketing/campaign-rules'
  equal((await call('PATCH', rules, { body: { messages_per_day: 1 } })).status, 200)
  const readers: Reader[] = []
  while (readers.length < 40) readers.push(await desk.reader())
  const other = await openPlatform({ connection: shop.connection })
  const at = soon()
  const both = [
    await desk.started({ when: { at }, audience: [only(...readers)] }),
    await desk.started({ when: { at }, audience: [only(...readers)] }),
  ]
  await desk.advance('PT2M')
  await Promise.all(
    times(6, (turn) => (turn % 2 === 0 ? shop : other).app.shops.test.jobs.runNow('run-campaigns')),
  )
  await desk.run()
  const outcomes = await Promise.all(both.map(({ id }) => desk.outcomes(id)))
  for (const { ClientId } of readers)
    deepEqual(outcomes.map((it) => it[ClientId]).toSorted(), ['frequency_cap', 'sent'])
  equal((await call('PATCH', rules, { body: { messages_per_day: 2 } })).status, 200)
})

test('after a pause is answered nothing is sent', async () => {
  await manyReaders(300_000)
  const { id } = await desk.started({ when: { cron: '0 0 * * * ?' } })
  const moving = desk.advance('PT61M')
  while ((await tally(id)).sent === 0) await new Promise((done) => setTimeout(done, 5))
  await desk.step(id, 'pause')
  const { sent } = await tally(id)
  await moving
  await desk.run()
  equal((await tally(id)).sent, sent)
  await desk.step(id, 'resume')
  await desk.run()
  const after = await tally(id)
  ok(sent < after.sent, `${sent} ${after.sent}`)
  deepEqual([after.written, after.sent], [after.clients, after.clients])
  await desk.step(id, 'finish')
})

test('kill -9 in the middle of a run, again and again: everybody is written to once', async () => {
  // Nobody but the processes that die does the work.
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
    // Whatever it is doing when the first of its messages is there, it does not finish it.
    while (code === undefined && (await written()) === before)
      await new Promise((done) => setTimeout(done, 2))
    if (kills < 5) child.kill('SIGKILL')
    await end
    isDone = code === 0
    if (!isDone) kills++
    // The lease of who died runs out after a minute; nobody wants to wait for it here.
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
