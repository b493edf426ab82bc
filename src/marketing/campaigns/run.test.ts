// Campaigns at work, with the test clock moved: what sets them off, what holds them back, and what came of them.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { alwaysAwake, campaigns, openCampaigns } from '../../../test/support/campaigns.ts'
import { openPromotions } from '../../../test/support/promotions.ts'
import { openPlatform, type Reply } from '../../../test/support/shop.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { publish } from '../../base/outbox.ts'
import { isHeldOut } from './holdout.ts'

const shop = await openPlatform()
const desk = await openCampaigns(shop)
const { wish } = openWishlists(shop)
const { planned } = openPromotions(shop)
const { call } = shop
const { db } = shop.app.shops.test
const now = () => db.clock.now()
type Reader = { ClientId: number }
const only = (...readers: Reader[]) => ({ clients: { ids: readers.map((it) => String(it.ClientId)) } })

const pathsOf = ({ body }: Reply): string[] =>
  body.error.details.fields.map((it: { path: string }) => it.path)

async function readers(count: number): Promise<Reader[]> {
  const made: Reader[] = []
  while (made.length < count) made.push(await desk.reader())
  return made
}

test('a cart that is left is told of once, and again when it is touched and left again', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const [offer, other] = [await desk.stock.offer(), await desk.stock.offer()]
  const { id } = await desk.started({ when: { cart_abandoned: { days: 3 } }, audience: [only(reader)] })
  await desk.put(reader, offer)
  await desk.advance('P2DT23H')
  deepEqual(await desk.outcomes(id), {})
  await desk.advance('PT2H')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
  await desk.advance('P1D')
  await desk.run()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
  await desk.put(reader, other)
  await desk.advance('P3DT1H')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent sent' })
  await desk.step(id, 'finish')
})

test('what was left before the start, or came to be during a pause, is nobody’s occasion', async () => {
  const [early, resting, late] = (await readers(3)) as [Reader, Reader, Reader]
  const offer = await desk.stock.offer()
  await desk.put(early, offer)
  await desk.advance('PT5H')
  const { id } = await desk.started({
    when: { cart_abandoned: { hours: 4 } },
    audience: [only(early, resting, late)],
  })
  await desk.put(resting, offer)
  await desk.step(id, 'pause')
  await desk.advance('PT5H')
  await desk.step(id, 'resume')
  await desk.put(late, offer)
  await desk.advance('PT5H')
  deepEqual(await desk.outcomes(id), { [late.ClientId]: 'sent' })
  await desk.step(id, 'finish')
})

test('a date reaches everybody who is meant, once, and is then done with', async () => {
  const [one, two, absent] = (await readers(3)) as [Reader, Reader, Reader]
  const at = new Date(now().getTime() + 3_600_000).toISOString()
  const { id } = await desk.started({ when: { at }, audience: [only(one, two)] })
  await desk.advance('PT59M')
  deepEqual(await desk.outcomes(id), {})
  await desk.advance('PT2M')
  deepEqual(await desk.written(id), [one.ClientId, two.ClientId])
  equal((await desk.outcomes(id))[absent.ClientId], undefined)
  const { state, finish_reason } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data.campaign
  deepEqual([state, finish_reason], ['finished', 'done'])
  const fact = { channel: 'email', category: 'marketing', clientId: one.ClientId, campaignId: Number(id) }
  await db.transaction((tx) =>
    publish(tx, { type: 'NotificationFailed', notificationId: 'x', reason: 'refused', ...fact }),
  )
  await desk.settle()
  deepEqual([(await desk.results(id)).sent, (await desk.results(id)).failed], [2, 1])
})

test('a clock that jumps over several due times writes one letter', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const { id } = await desk.started({ when: { cron: '0 0 10 * * ?' }, audience: [only(reader)] })
  await desk.advance('P5D')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
  await desk.advance('P1D')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent sent' })
  await desk.step(id, 'finish')
})

test('what falls into quiet hours waits for their end', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const minute = 60_000
  const shown = (at: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Tashkent',
      hour: '2-digit',
      minute: '2-digit',
    }).format(at)
  const from = now().getTime() + 30 * minute
  const { id } = await desk.started({
    when: { at: new Date(from + 10 * minute).toISOString() },
    audience: [only(reader)],
    quiet_hours: { from: shown(from), to: shown(from + 120 * minute) },
  })
  await desk.advance('PT45M')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  deepEqual((await desk.results(id)).waiting, 1)
  await desk.advance('PT1H')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  await desk.advance('PT50M')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
})

test('no client gets more messages than the caps of all campaigns allow', async () => {
  const [reader] = (await readers(1)) as [Reader]
  await call('PATCH', '/v1/marketing/campaign-rules', { body: { messages_per_day: 1, messages_per_week: 2 } })
  const at = (hours: number) => new Date(now().getTime() + hours * 3_600_000).toISOString()
  const made = []
  for (const hours of [1, 2, 26, 51])
    made.push(await desk.started({ when: { at: at(hours) }, audience: [only(reader)] }))
  for (const step of ['PT1H5M', 'PT1H', 'P1D', 'P1DT1H']) await desk.advance(step)
  const outcomes = []
  for (const { id } of made) outcomes.push((await desk.outcomes(id))[reader.ClientId])
  deepEqual(outcomes, ['sent', 'frequency_cap', 'sent', 'frequency_cap'])
  await call('PATCH', '/v1/marketing/campaign-rules', {
    body: { messages_per_day: 50, messages_per_week: 500 },
  })
})

test('a budget is kept to the message, whoever turns out to have no address', async () => {
  const unreachable = await desk.reader({ email: null })
  const people = await readers(4)
  const at = new Date(now().getTime() + 60_000).toISOString()
  const { id } = await desk.started({
    when: { at },
    audience: [only(unreachable, ...people)],
    price_tiyin: 100,
    budget_tiyin: 399,
  })
  await desk.advance('PT2M')
  equal((await desk.written(id)).length, 3)
  const results = await desk.results(id)
  deepEqual(
    [results.sent, results.cost, results.waiting, results.suppressed],
    [3, { amount: 300, currency: 'UZS' }, 0, { no_address: 1, budget_reached: 1 }],
  )
  const { finish_reason, cost_tiyin } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data
    .campaign
  deepEqual([finish_reason, cost_tiyin], ['budget_reached', 300])
})

test('an order that arrived is told of so many days later', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const template = await desk.template('{{order.id}} {{#order.lines}}{{name}}{{/order.lines}}')
  const { id } = await desk.started({
    when: { order_delivered: { days: 7 } },
    audience: [only(reader)],
    template,
  })
  await desk.put(reader, await desk.stock.offer())
  const [order] = (await desk.ordered(reader)) as [number]
  const { fulfilment } = await desk.act(order, 'fulfilments')
  await desk.act(order, `fulfilments/${fulfilment.id}/ship`)
  await desk.act(order, `fulfilments/${fulfilment.id}/deliver`)
  await desk.settle()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  await desk.advance('P6D')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  await desk.advance('P1DT1M')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
  await desk.step(id, 'finish')
})

test('a wish that comes true is told of once, with all that came true', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const [one, two, three] = [
    await desk.stock.offer({ price: 1_000 }),
    await desk.stock.offer({ price: 1_000 }),
    await desk.stock.offer({ price: 1_000, quantity: 0 }),
  ]
  for (const it of [one, two, three]) await wish(reader, it)
  const template = await desk.template('{{offer.name}} {{#offers.lines}}{{price}} {{/offers.lines}}')
  const cheaper = await desk.started({
    when: { wish_cheaper: { percent: 20 } },
    audience: [only(reader)],
    template,
  })
  const back = await desk.started({ when: { wish_back_in_stock: {} }, audience: [only(reader)], template })
  await desk.advance('PT20M')
  deepEqual([await desk.outcomes(cheaper.id), await desk.outcomes(back.id)], [{}, {}])
  for (const id of [one, two]) await desk.stock.offer({ id, productId: id, price: 700 })
  await desk.stock.offer({ id: three, productId: three, price: 1_000, quantity: 1 })
  await desk.advance('PT20M')
  // Two wishes at once are two occasions and one letter.
  deepEqual(await desk.outcomes(cheaper.id), { [reader.ClientId]: 'sent repeated' })
  deepEqual(await desk.outcomes(back.id), { [reader.ClientId]: 'sent' })
  await desk.advance('P2D')
  deepEqual(await desk.outcomes(cheaper.id), { [reader.ClientId]: 'sent repeated' })
  for (const { id } of [cheaper, back]) await desk.step(id, 'finish')
})

test('a promotion that starts is told of to the whole audience, unless it is over before anybody is awake', async () => {
  const [reader, later] = (await readers(2)) as [Reader, Reader]
  const offer = await desk.stock.offer({ price: 1_000 })
  const template = await desk.template('{{promotion.title}} {{promotion.url}}')
  const { id } = await desk.started({ when: { promotion_started: {} }, audience: [only(reader)], template })
  const asleep = await desk.started({
    when: { promotion_started: {} },
    audience: [only(later)],
    template,
    quiet_hours: { from: '00:00', to: '23:59' },
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
  const other = await desk.started({ when: { promotion_started: { promotion: distant.id } }, template })
  await desk.advance('PT30M')
  deepEqual(await desk.outcomes(id), {})
  await desk.advance('PT31M')
  await desk.settle()
  await desk.run()
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'sent' })
  deepEqual(await desk.outcomes(asleep.id), { [later.ClientId]: 'waiting' })
  deepEqual(await desk.outcomes(other.id), {})
  await desk.advance('P3D')
  await desk.step(asleep.id, 'pause')
  await call('PATCH', `/v1/marketing/campaigns/${asleep.id}`, { body: { quiet_hours: alwaysAwake } })
  await desk.step(asleep.id, 'resume')
  await desk.run()
  deepEqual(await desk.outcomes(asleep.id), { [later.ClientId]: 'occasion_over' })
  for (const it of [id, asleep.id, other.id]) await desk.step(it, 'finish')
})

test('a campaign for a promotion that runs already would wait for ever, and is not started', async () => {
  const offer = await desk.stock.offer({ price: 1_000 })
  const { id: promotion } = await planned({ offer_ids: [offer], discount_percent: 5 })
  const { id } = await desk.draft({ when: { promotion_started: { promotion } } })
  const reply = await call('POST', `${campaigns}/${id}/start`)
  deepEqual([reply.status, pathsOf(reply)], [422, ['when.promotion_started.promotion']])
})

test('a pause that outlasts the end, or the one date, is not taken up again', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const inHours = (hours: number) => new Date(now().getTime() + hours * 3_600_000).toISOString()
  const ending = await desk.started({ ends_at: inHours(2) })
  const missed = await desk.started({ when: { at: inHours(1) }, audience: [only(reader)] })
  const begun = await desk.started({
    when: { at: inHours(1) },
    audience: [only(reader)],
    quiet_hours: { from: '00:00', to: '23:59' },
  })
  await desk.step(missed.id, 'pause')
  await desk.advance('PT90M')
  deepEqual(await desk.outcomes(begun.id), { [reader.ClientId]: 'waiting' })
  for (const { id } of [ending, begun]) await desk.step(id, 'pause')
  await desk.advance('PT2H')
  const resumed = (id: string) => call('POST', `${campaigns}/${id}/resume`)
  deepEqual(pathsOf(await resumed(ending.id)), ['ends_at'])
  deepEqual(pathsOf(await resumed(missed.id)), ['when.at'])
  // Whoever was found before the pause still gets his letter.
  await call('PATCH', `${campaigns}/${begun.id}`, { body: { quiet_hours: alwaysAwake } })
  equal((await resumed(begun.id)).status, 200)
  await desk.run()
  deepEqual(await desk.outcomes(begun.id), { [reader.ClientId]: 'sent' })
  const later = await call('PATCH', `${campaigns}/${ending.id}`, { body: { ends_at: inHours(2) } })
  equal(later.status, 200, later.text)
  for (const verb of ['resume', 'finish']) await desk.step(ending.id, verb)
})

test('whoever is held out gets nothing, and his orders are compared', async () => {
  const people = await readers(40)
  const offer = await desk.stock.offer({ price: 2_000, quantity: 1_000 })
  const at = new Date(now().getTime() + 60_000).toISOString()
  const { id } = await desk.started({ when: { at }, audience: [only(...people)], holdout_percent: 50 })
  const ids = people.map((it) => it.ClientId)
  const held = ids.filter((it) => isHeldOut(Number(id), it, 50))
  const told = ids.filter((it) => !held.includes(it))
  ok(held.length > 5 && told.length > 5)
  await desk.advance('PT2M')
  deepEqual(await desk.written(id), told)
  for (const ClientId of [told[0]!, told[1]!, told[2]!, held[0]!]) {
    await desk.put({ ClientId }, offer)
    await desk.ordered({ ClientId })
  }
  await desk.put({ ClientId: told[0]! }, offer)
  const [second] = (await desk.ordered({ ClientId: told[0]! })) as [number]
  await desk.settle()
  const before = await desk.results(id)
  deepEqual(
    [before.sent, before.held_out, before.told, before.holdout],
    [
      told.length,
      held.length,
      { clients: told.length, buyers: 3, orders: 4, revenue: sums(8_000), conversion: 3 / told.length },
      { clients: held.length, buyers: 1, orders: 1, revenue: sums(2_000), conversion: 1 / held.length },
    ],
  )
  equal(before.uplift.difference, 3 / told.length - 1 / held.length)
  ok(before.uplift.low < before.uplift.difference && before.uplift.difference < before.uplift.high)
  await desk.act(second, 'cancel', { reason: 'no' })
  await desk.advance('P8D')
  await desk.put({ ClientId: told[5]! }, offer)
  await desk.ordered({ ClientId: told[5]! })
  await desk.settle()
  const after = await desk.results(id)
  deepEqual([after.told.buyers, after.told.orders, after.told.revenue], [3, 3, sums(6_000)])
})

test('who cannot be reached is held out as little as he is told, over every channel', async () => {
  const at = new Date(now().getTime() + 60_000).toISOString()
  const made: { id: string; people: Reader[] }[] = []
  for (const channel of ['sms', 'push'] as const) {
    const people: Reader[] = []
    while (people.length < 12) people.push(await desk.reader({ consents: false }))
    const reachable = people.slice(0, 6)
    for (const [index, { ClientId }] of reachable.entries())
      await desk.reach(ClientId, channel, `${channel === 'sms' ? '+99890000' : 'device-'}${1000 + index}`)
    for (const { ClientId } of people) await desk.agree(ClientId, channel)
    const template = await desk.template('{{client.name}}', channel)
    const audience = [only(...people)]
    const { id } = await desk.started({ when: { at }, channel, template, audience, holdout_percent: 50 })
    made.push({ id, people: reachable })
  }
  await desk.advance('PT2M')
  for (const { id, people } of made) {
    const { sent, held_out, suppressed, told, holdout } = await desk.results(id)
    const held = people.filter((it) => isHeldOut(Number(id), it.ClientId, 50)).length
    deepEqual([sent, held_out, suppressed], [6 - held, held, { no_address: 6 }])
    deepEqual([told.clients, holdout.clients], [6 - held, held])
    equal((await desk.written(id)).length, 6 - held)
  }
})

test('a campaign whose template was switched off rests, and says why', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const template = await desk.template()
  const { id } = await desk.started({ when: { cron: '0 0 * * * ?' }, audience: [only(reader)], template })
  await db.transaction((tx) =>
    tx.all(`update marketing_templates set is_active = false where slug = $1`, [template]),
  )
  await desk.advance('PT61M')
  const { state, pause_reason } = (await call('GET', `/v1/marketing/campaigns/${id}`)).body.data.campaign
  deepEqual([state, pause_reason], ['paused', 'template_unusable'])
  equal((await call('POST', `/v1/marketing/campaigns/${id}/resume`)).status, 422)
  deepEqual(await desk.written(id), [])
})

test('a campaign ends with its period, and who waits then is not written to', async () => {
  const [reader] = (await readers(1)) as [Reader]
  const { id } = await desk.started({
    when: { cron: '0 0 * * * ?' },
    audience: [only(reader)],
    quiet_hours: { from: '00:00', to: '23:59' },
    ends_at: new Date(now().getTime() + 7_200_000).toISOString(),
  })
  await desk.advance('PT61M')
  deepEqual(await desk.outcomes(id), { [reader.ClientId]: 'waiting' })
  await desk.advance('P1D')
  const results = await desk.results(id)
  deepEqual([results.waiting, results.sent, results.suppressed], [0, 0, { campaign_finished: 1 }])
  await desk.advance('P1D')
  deepEqual(await desk.written(id), [])
})

test('a clock that is set back does not keep a campaign from what happens then', async () => {
  const { id } = await desk.started({ when: { cart_abandoned: { hours: 1 } }, audience: [] })
  await desk.advance('P30D')
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  await desk.run()
  const [reader] = (await readers(1)) as [Reader]
  await desk.put(reader, await desk.stock.offer())
  await desk.advance('PT2H')
  equal((await desk.outcomes(id))[reader.ClientId], 'sent')
  await desk.step(id, 'finish')
})

const sums = (sums: number) => ({ amount: sums * 100, currency: 'UZS' })
