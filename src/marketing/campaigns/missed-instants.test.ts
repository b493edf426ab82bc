// A test clock that is moved past the end of a campaign, of a cart, or past a date: what was due on the way is sent.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openCampaigns } from '../../../test/support/campaigns.ts'
import { openPromotions } from '../../../test/support/promotions.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { dayMs, hourMs } from '../../base/clock.ts'
import { minuteIn } from '../../base/time-zone.ts'
import { missedInstants } from './missed-instants.ts'

const shop = await openPlatform()
const setup = await openCampaigns(shop)
const { planned } = openPromotions(shop)
const { clock } = shop.app.shops.test.db
const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
const only = (reader: { ClientId: number }) => ({ clients: { ids: [String(reader.ClientId)] } })
const campaignOf = async (id: string) =>
  (await shop.call('GET', `/v1/marketing/campaigns/${id}`)).body.data.campaign

test('a clock that is moved past the end of a campaign sends what was due while it ran', async () => {
  const timings = [
    () => ({ when: { at: after(2 * hourMs) }, ends_at: after(dayMs) }),
    () => ({ when: { cron: '0 0 10 * * ?' }, ends_at: after(5 * dayMs) }),
    () => ({ when: { cart_abandoned: { hours: 4 } }, ends_at: after(dayMs) }),
  ]
  for (const timing of timings) {
    const record = timing()
    const reader = await setup.reader()
    await setup.put(reader, await setup.stock.offer())
    const { id } = await setup.started({ ...record, audience: [only(reader)] })
    await setup.advance('P10D')
    deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' }, JSON.stringify(record))
    equal((await campaignOf(id)).state, 'finished')
  }
})

test('a clock that is moved past the deletion of an abandoned cart sends the message about it', async () => {
  const reader = await setup.reader()
  await setup.put(reader, await setup.stock.offer())
  const { id } = await setup.started({ when: { cart_abandoned: { days: 3 } }, audience: [only(reader)] })
  await setup.advance('P20D')
  deepEqual(await setup.outcomes(id), { [reader.ClientId]: 'sent' })
  await setup.step(id, 'finish')
})

test('a clock that is moved past the start and the end of a promotion sends the message about it', async () => {
  const [reader, other] = [await setup.reader(), await setup.reader()]
  const offer = await setup.stock.offer({ price: 1_000 })
  const planFrom = (startMs: number, endMs: number) =>
    planned({
      offer_ids: [offer],
      discount_percent: 20,
      starts_at: after(startMs),
      ends_at: after(endMs),
    })
  await planFrom(hourMs, 2 * hourMs)
  const later = await planFrom(3 * dayMs, 3 * dayMs + hourMs)
  const template = await setup.template('{{promotion.title}} {{promotion.url}}')
  const any = await setup.started({ when: { promotion_started: {} }, audience: [only(reader)], template })
  const one = await setup.started({
    when: { promotion_started: { promotion: later.id } },
    audience: [only(other)],
    template,
  })
  await setup.advance('P6D')
  await setup.settle()
  await setup.run()
  deepEqual(await setup.outcomes(any.id), { [reader.ClientId]: 'sent sent' })
  deepEqual(await setup.outcomes(one.id), { [other.ClientId]: 'sent' })
  for (const { id } of [any, one]) await setup.step(id, 'finish')
})

const utc = (text: string) => new Date(`2026-01-${text}:00Z`)
const promotions = [
  { id: 1, startsAt: utc('05T10:00'), endsAt: utc('07T10:00') },
  { id: 2, startsAt: utc('06T22:00'), endsAt: utc('07T10:00') },
  { id: 3, startsAt: utc('08T22:00'), endsAt: utc('09T08:00') },
  { id: 4, startsAt: utc('10T10:00'), endsAt: utc('25T10:00') },
]
const period = {
  after: utc('01T12:00'),
  until: utc('20T12:00'),
  zone: 'UTC',
  minuteOf: minuteIn('UTC'),
  promotions,
}
const night = { from: '21:00', to: '09:00' }

test('the missed instants of a campaign lie outside quiet hours and before its end', () => {
  const at = (text: string) => ({ at: utc(text).toISOString() })
  const rows: [string, Parameters<typeof missedInstants>[0], string[]][] = [
    ['a date in the evening', { trigger: at('05T22:00'), endsAt: null }, ['2026-01-06T09:00:00.000Z']],
    ['a date by day', { trigger: at('05T10:00'), endsAt: null }, ['2026-01-05T10:00:00.000Z']],
    ['a date after the period', { trigger: at('25T10:00'), endsAt: null }, []],
    [
      'an end before the date',
      { trigger: at('05T10:00'), endsAt: utc('04T12:00') },
      ['2026-01-04T11:59:59.999Z'],
    ],
    [
      'an end in the night after the date',
      { trigger: at('05T22:00'), endsAt: utc('06T03:00') },
      ['2026-01-05T20:59:59.999Z'],
    ],
    [
      'a schedule',
      { trigger: { cron: '0 0 10 * * ?' }, endsAt: utc('04T12:00') },
      ['2026-01-04T10:00:00.000Z', '2026-01-04T11:59:59.999Z'],
    ],
    ['carts', { trigger: { cart_abandoned: { days: 3 } }, endsAt: null }, ['2026-01-04T12:05:00.000Z']],
    [
      'promotions that end in the period, not in quiet hours',
      { trigger: { promotion_started: {} }, endsAt: null },
      ['2026-01-05T10:00:00.000Z', '2026-01-07T09:00:00.000Z'],
    ],
    [
      'one promotion',
      { trigger: { promotion_started: { promotion: '2' } }, endsAt: null },
      ['2026-01-07T09:00:00.000Z'],
    ],
    ['deliveries', { trigger: { order_delivered: { days: 3 } }, endsAt: null }, []],
  ]
  for (const [name, campaign, expected] of rows)
    deepEqual(
      missedInstants(campaign, night, period).map((it) => it.toISOString()),
      expected,
      name,
    )
})
