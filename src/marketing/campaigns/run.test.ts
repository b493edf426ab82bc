// Running campaigns, with the test clock moved: triggers, limits and results.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { noQuietHours, campaigns, openCampaigns } from '../../../test/support/campaigns.ts'
import { openPromotions } from '../../../test/support/promotions.ts'
import { openPlatform, type Reply } from '../../../test/support/shop.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { publish } from '../../base/outbox.ts'
import { isHeldOut } from './campaign.ts'

const shop = await openPlatform()
const setup = await openCampaigns(shop)
const { addToWishlist } = openWishlists(shop)
const { planned } = openPromotions(shop)
const { call } = shop
const { db } = shop.app.shops.test
const now = () => db.clock.now()
type Reader = { ClientId: number }
const only = (...readers: Reader[]) => ({ clients: { ids: readers.map((it) => String(it.ClientId)) } })

const shown = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tashkent', hour: '2-digit', minute: '2-digit' }).format(
    at,
  )
/** Some hours from now, in the time zone of the shop. */
const timeOfDay = (hours: number) => shown(now().getTime() + hours * 3_600_000)

const pathsOf = ({ body }: Reply): string[] =>
  body.error.details.fields.map((it: { path: string }) => it.path)

async function readers(count: number): Promise<Reader[]> {
  const made: Reader[] = []
  while (made.length < count) made.push(await setup.reader())
  return made
}

test('an abandoned cart triggers one message, and another when it is changed and abandoned again', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const [offer, other] = [await setup.stock.offer(), await setup.stock.offer()]
  const { id } = await setup.started({ when: { cart_abandoned: { days: 3 } }, audience: [only(reader)] })
  await setup.put(reader, offer)
  await setup.advance('P2DT23H')
  deepEqual(await setup.outcomes(id), {})
  await setup.advance('PT2H')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  await setup.advance('P1D')
  await setup.run()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  await setup.put(reader, other)
  await setup.advance('P3DT1H')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent sent' })
  await setup.step(id, 'finish')
})

test('carts abandoned before the start or during a pause trigger nothing', async () => {
  const [early, resting, late] = (await readers(3)) as [Reader, Reader, Reader]
  const offer = await setup.stock.offer()
  await setup.put(early, offer)
  await setup.advance('PT5H')
  const { id } = await setup.started({
    when: { cart_abandoned: { hours: 4 } },
    audience: [only(early, resting, late)],
  })
  await setup.put(resting, offer)
  await setup.step(id, 'pause')
  await setup.advance('PT5H')
  await setup.step(id, 'resume')
  await setup.put(late, offer)
  await setup.advance('PT5H')
  deepEqual(await setup.outcomes(id), { [late.ClientId]: 'sent' })
  await setup.step(id, 'finish')
})

test('a date addresses the whole audience once, then the campaign finishes', async () => {
  const [one, two, absent] = (await readers(3)) as [Reader, Reader, Reader]
  const at = new Date(now().getTime() + 3_600_000).toISOString()
  const { id } = await setup.started({ when: { at }, audience: [only(one, two)] })
  await setup.advance('PT59M')
  deepEqual(await setup.outcomes(id), {})
  await setup.advance('PT2M')
  deepEqual(await setup.written(id), [one.ClientId, two.ClientId])
  equal((await setup.outcomes(id))[absent.ClientId], undefined)
  const { state, finish_reason } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data.campaign
  deepEqual([state, finish_reason], ['finished', 'done'])
  const sort = { channel: 'email', category: 'marketing' } as const
  const counted = { ...sort, clientId: one.ClientId, campaignId: Number(id) }
  await db.transaction(async (tx) =>
    publish(tx, { type: 'NotificationFailed', notificationId: 'x', reason: 'refused', ...counted }),
  )
  await setup.settle()
  deepEqual([(await setup.results(id)).sent, (await setup.results(id)).failed], [2, 1])
})

test('a clock that jumps over several due times sends one message', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const { id } = await setup.started({ when: { cron: '0 0 10 * * ?' }, audience: [only(reader)] })
  await setup.advance('P5D')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  await setup.advance('P1D')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent sent' })
  await setup.step(id, 'finish')
})

test('messages in quiet hours wait for their end', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const minute = 60_000
  const from = now().getTime() + 30 * minute
  const { id } = await setup.started({
    when: { at: new Date(from + 10 * minute).toISOString() },
    audience: [only(reader)],
    quiet_hours: { from: shown(from), to: shown(from + 120 * minute) },
  })
  await setup.advance('PT45M')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  deepEqual((await setup.results(id)).waiting, 1)
  await setup.advance('PT1H')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  await setup.advance('PT50M')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
})

test('no client gets more messages than the frequency caps allow', async () => {
  const [reader] = (await readers(1)) as [Reader]
  await call('PATCH', '/v1/marketing/campaign-rules', { body: { messages_per_day: 1, messages_per_week: 2 } })
  const at = (hours: number) => new Date(now().getTime() + hours * 3_600_000).toISOString()
  const made = []
  for (const hours of [1, 2, 26, 51])
    made.push(await setup.started({ when: { at: at(hours) }, audience: [only(reader)] }))
  for (const step of ['PT1H5M', 'PT1H', 'P1D', 'P1DT1H']) await setup.advance(step)
  const outcomes = []
  for (const { id } of made) outcomes.push((await setup.outcomes(id))[reader.ClientId])
  deepEqual(outcomes, ['sent', 'frequency_cap', 'sent', 'frequency_cap'])
  await call('PATCH', '/v1/marketing/campaign-rules', {
    body: { messages_per_day: 50, messages_per_week: 500 },
  })
})

test('keeps the message budget exactly, also when clients have no address', async () => {
  const unreachable = await setup.reader({ email: null })
  const people = await readers(4)
  const at = new Date(now().getTime() + 60_000).toISOString()
  const { id } = await setup.started({
    when: { at },
    audience: [only(unreachable, ...people)],
    price_tiyin: 100,
    budget_tiyin: 399,
  })
  await setup.advance('PT2M')
  equal((await setup.written(id)).length, 3)
  const results = await setup.results(id)
  deepEqual(
    [results.sent, results.cost, results.waiting, results.suppressed],
    [3, { amount: 300, currency: 'UZS' }, 0, { no_address: 1, budget_reached: 1 }],
  )
  const { finish_reason, cost_tiyin } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data
    .campaign
  deepEqual([finish_reason, cost_tiyin], ['budget_reached', 300])
})

test('a delivered order triggers a message some days later', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const template = await setup.template('{{order.id}} {{#order.lines}}{{name}}{{/order.lines}}')
  const { id } = await setup.started({
    when: { order_delivered: { days: 7 } },
    audience: [only(reader)],
    template,
  })
  await setup.put(reader, await setup.stock.offer())
  const [order] = (await setup.ordered(reader)) as [number]
  const { fulfilment } = await setup.act(order, 'fulfilments')
  await setup.act(order, `fulfilments/${fulfilment.id}/ship`)
  await setup.act(order, `fulfilments/${fulfilment.id}/deliver`)
  await setup.settle()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  await setup.advance('P6D')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  await setup.advance('P1DT1M')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  await setup.step(id, 'finish')
})

test('an available wishlist item triggers one message that lists all of them', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const [one, two, three] = [
    await setup.stock.offer({ price: 1_000 }),
    await setup.stock.offer({ price: 1_000 }),
    await setup.stock.offer({ price: 1_000, quantity: 0 }),
  ]
  for (const it of [one, two, three]) await addToWishlist(reader, it)
  const template = await setup.template('{{offer.name}} {{#offers.lines}}{{price}} {{/offers.lines}}')
  const cheaper = await setup.started({
    when: { wishlist_cheaper: { percent: 20 } },
    audience: [only(reader)],
    template,
  })
  const back = await setup.started({
    when: { wishlist_back_in_stock: {} },
    audience: [only(reader)],
    template,
  })
  await setup.advance('PT20M')
  deepEqual([await setup.outcomes(cheaper.id), await setup.outcomes(back.id)], [{}, {}])
  for (const id of [one, two]) await setup.stock.offer({ id, productId: id, price: 700 })
  await setup.stock.offer({ id: three, productId: three, price: 1_000, quantity: 1 })
  await setup.advance('PT20M')
  // Two wishlist items at once are two occasions and one message.
  deepEqual(await setup.outcomes(cheaper.id), { [reader.ClientId]: 'sent repeated' })
  deepEqual(await setup.outcomes(back.id), { [reader.ClientId]: 'sent' })
  await setup.advance('P2D')
  deepEqual(await setup.outcomes(cheaper.id), { [reader.ClientId]: 'sent repeated' })
  for (const { id } of [cheaper, back]) await setup.step(id, 'finish')
})

test('a started promotion addresses the whole audience unless it ends during quiet hours', async () => {
  const [reader, later] = (await readers(2)) as [Reader, Reader]
  const offer = await setup.stock.offer({ price: 1_000 })
  const template = await setup.template('{{promotion.title}} {{promotion.url}}')
  const { id } = await setup.started({ when: { promotion_started: {} }, audience: [only(reader)], template })
  const asleep = await setup.started({
    when: { promotion_started: {} },
    audience: [only(later)],
    template,
    quiet_hours: setup.asleep(),
  })
  const starts = now().getTime() + 3_600_000
  const plan = { title: 'Навруз', title_uz: 'Navro‘z', offer_ids: [offer], discount_percent: 20 }
  await planned({
    ...plan,
    slug: 'navruz',
    starts_at: new Date(starts).toISOString(),
    ends_at: new Date(starts + 3 * 86_400_000).toISOString(),
  })
  const distant = await planned({ ...plan, starts_at: new Date(starts + 9 * 86_400_000).toISOString() })
  const other = await setup.started({ when: { promotion_started: { promotion: distant.id } }, template })
  await setup.advance('PT30M')
  deepEqual(await setup.outcomes(id), {})
  await setup.advance('PT31M')
  await setup.settle()
  await setup.run()
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  deepEqual(await setup.outcomes(asleep.id), { [later.ClientId]: 'waiting' })
  deepEqual(await setup.outcomes(other.id), {})
  await setup.advance('P3D')
  await setup.step(asleep.id, 'pause')
  await call('PATCH', `/v1/marketing/campaigns/${asleep.id}`, { body: { quiet_hours: noQuietHours } })
  await setup.step(asleep.id, 'resume')
  await setup.run()
  deepEqual(await setup.outcomes(asleep.id), { [later.ClientId]: 'occasion_over' })
  for (const it of [id, asleep.id, other.id]) await setup.step(it, 'finish')
})

test('refuses to start a campaign for a promotion that runs already', async () => {
  const offer = await setup.stock.offer({ price: 1_000 })
  const { id: promotion } = await planned({ offer_ids: [offer], discount_percent: 5 })
  const { id } = await setup.draft({ when: { promotion_started: { promotion } } })
  const reply = await call('POST', `${campaigns}/${id}/start`)
  deepEqual([reply.status, pathsOf(reply)], [422, ['when.promotion_started.promotion']])
})

test('refuses to resume after the end or the one date has passed', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const inHours = (hours: number) => new Date(now().getTime() + hours * 3_600_000).toISOString()
  const ending = await setup.started({ ends_at: inHours(2) })
  const missed = await setup.started({ when: { at: inHours(1) }, audience: [only(reader)] })
  const begun = await setup.started({
    when: { at: inHours(1) },
    audience: [only(reader)],
    quiet_hours: setup.asleep(),
  })
  await setup.step(missed.id, 'pause')
  await setup.advance('PT90M')
  deepEqual(await setup.outcomes(begun.id), { [reader.ClientId]: 'waiting' })
  for (const { id } of [ending, begun]) await setup.step(id, 'pause')
  await setup.advance('PT2H')
  const resumed = (id: string) => call('POST', `${campaigns}/${id}/resume`)
  deepEqual(pathsOf(await resumed(ending.id)), ['ends_at'])
  deepEqual(pathsOf(await resumed(missed.id)), ['when.at'])
  // Targets found before the pause still get their message.
  await call('PATCH', `${campaigns}/${begun.id}`, { body: { quiet_hours: noQuietHours } })
  equal((await resumed(begun.id)).status, 200)
  await setup.run()
  deepEqual(await setup.outcomes(begun.id), { [reader.ClientId]: 'sent' })
  const later = await call('PATCH', `${campaigns}/${ending.id}`, { body: { ends_at: inHours(2) } })
  equal(later.status, 200, later.text)
  for (const verb of ['resume', 'finish']) await setup.step(ending.id, verb)
})

test('held-out clients get no message, and their orders are compared', async () => {
  const people = await readers(40)
  const offer = await setup.stock.offer({ price: 2_000, quantity: 1_000 })
  const at = new Date(now().getTime() + 60_000).toISOString()
  const { id } = await setup.started({ when: { at }, audience: [only(...people)], holdout_percent: 50 })
  const ids = people.map((it) => it.ClientId)
  const held = ids.filter((it) => isHeldOut(Number(id), it, 50))
  const reached = ids.filter((it) => !held.includes(it))
  ok(held.length > 5 && reached.length > 5)
  await setup.advance('PT2M')
  deepEqual(await setup.written(id), reached)
  for (const ClientId of [reached[0]!, reached[1]!, reached[2]!, held[0]!]) {
    await setup.put({ ClientId }, offer)
    await setup.ordered({ ClientId })
  }
  await setup.put({ ClientId: reached[0]! }, offer)
  const [second] = (await setup.ordered({ ClientId: reached[0]! })) as [number]
  await setup.settle()
  const before = await setup.results(id)
  deepEqual(
    [before.sent, before.held_out, before.reached, before.holdout],
    [
      reached.length,
      held.length,
      { clients: reached.length, buyers: 3, orders: 4, revenue: sums(8_000), conversion: 3 / reached.length },
      { clients: held.length, buyers: 1, orders: 1, revenue: sums(2_000), conversion: 1 / held.length },
    ],
  )
  equal(before.uplift.difference, 3 / reached.length - 1 / held.length)
  ok(before.uplift.low < before.uplift.difference && before.uplift.difference < before.uplift.high)
  await setup.act(second, 'cancel', { reason: 'no' })
  await setup.advance('P8D')
  await setup.put({ ClientId: reached[5]! }, offer)
  await setup.ordered({ ClientId: reached[5]! })
  await setup.settle()
  const after = await setup.results(id)
  deepEqual([after.reached.buyers, after.reached.orders, after.reached.revenue], [3, 3, sums(6_000)])
})

test('clients without an address are neither reached nor held out, on every channel', async () => {
  const at = new Date(now().getTime() + 60_000).toISOString()
  const made: { id: string; people: Reader[] }[] = []
  for (const channel of ['sms', 'push'] as const) {
    const people: Reader[] = []
    while (people.length < 12) people.push(await setup.reader({ consents: false }))
    const reachable = people.slice(0, 6)
    for (const [index, { ClientId }] of reachable.entries())
      await setup.reach(ClientId, channel, `${channel === 'sms' ? '+99890000' : 'device-'}${1000 + index}`)
    for (const { ClientId } of people) await setup.agree(ClientId, channel)
    const template = await setup.template('{{client.name}}', channel)
    const audience = [only(...people)]
    const { id } = await setup.started({ when: { at }, channel, template, audience, holdout_percent: 50 })
    made.push({ id, people: reachable })
  }
  await setup.advance('PT2M')
  for (const { id, people } of made) {
    const { sent, held_out, suppressed, reached, holdout } = await setup.results(id)
    const held = people.filter((it) => isHeldOut(Number(id), it.ClientId, 50)).length
    deepEqual([sent, held_out, suppressed], [6 - held, held, { no_address: 6 }])
    deepEqual([reached.clients, holdout.clients], [6 - held, held])
    equal((await setup.written(id)).length, 6 - held)
  }
})

test('pauses a campaign whose template becomes inactive, with a reason', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const template = await setup.template()
  const { id } = await setup.started({ when: { cron: '0 0 * * * ?' }, audience: [only(reader)], template })
  await db.transaction((tx) =>
    tx.all(`update marketing_templates set is_active = false where slug = $1`, [template]),
  )
  await setup.advance('PT61M')
  const { state, pause_reason } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data.campaign
  deepEqual([state, pause_reason], ['paused', 'template_unusable'])
  equal((await call('POST', `/v1/marketing/campaigns/${id}/resume`)).status, 422)
  deepEqual(await setup.written(id), [])
})

test('a campaign ends with its period, and undecided targets get no message', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const { id } = await setup.started({
    when: { cron: '0 0 * * * ?' },
    audience: [only(reader)],
    quiet_hours: { from: timeOfDay(-1), to: timeOfDay(5) },
    ends_at: new Date(now().getTime() + 7_200_000).toISOString(),
  })
  await setup.advance('PT61M')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'waiting' })
  await setup.advance('P1D')
  const results = await setup.results(id)
  deepEqual([results.waiting, results.sent, results.suppressed], [0, 0, { campaign_finished: 1 }])
  await setup.advance('P1D')
  deepEqual(await setup.written(id), [])
})

test('a campaign finds occasions after the clock is set back', async () => {
  const { id } = await setup.started({ when: { cart_abandoned: { hours: 1 } }, audience: [] })
  await setup.advance('P30D')
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  await setup.run()
  const [reader] = (await readers(1)) as [Reader]
  await setup.put(reader, await setup.stock.offer())
  await setup.advance('PT2H')
  equal((await setup.outcomes(id))[reader.ClientId], 'sent')
  await setup.step(id, 'finish')
})

const sums = (sums: number) => ({ amount: sums * 100, currency: 'UZS' })
