import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openOrdering } from '../../../test/support/orders.ts'
import { openPlatform } from '../../../test/support/shop.ts'

test('sales are counted by day, without cancelled revenue, and days without orders are zero', async () => {
  const shop = await openPlatform()
  const orders = await openOrdering(shop)
  const offerId = await orders.stock.offer({ price: 50_000 })
  const buy = async () => {
    const buyer = orders.newClient()
    await orders.put(buyer, offerId, 1)
    return (await orders.ordered(buyer))[0]!
  }
  await buy()
  const cancelled = await buy()
  await orders.post(`/v1/orders/${cancelled}/cancel`, {})
  const { status, body } = await shop.call('GET', '/v1/orders/metrics')
  equal(status, 200)
  equal(body.data.days.length, 30)
  const { day, ...today } = body.data.days.at(-1)
  equal(day, body.data.to)
  deepEqual(today, { orders: 2, cancelled: 1, buyers: 2, revenue_tiyin: 5_000_000 })
  equal(body.data.days[0].orders, 0)
  for (const query of ['from=2026-02-30', 'from=2026-02-01&to=2026-01-01', 'from=2020-01-01&to=2026-01-01'])
    equal((await shop.call('GET', `/v1/orders/metrics?${query}`)).status, 422, query)
  const key = await shop.makeKey({ scopes: ['orders:read'] })
  equal((await shop.call('GET', '/v1/orders/metrics', { key })).status, 403)
})

test('today is the day of the caller’s time zone', async () => {
  const platform = await openPlatform()
  const last = async (zone: string) =>
    (await platform.call('GET', '/v1/orders/metrics', { headers: { 'x-timezone': zone } })).body.data.to
  const dayOf = (zone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(platform.app.shops.test.db.clock.now())
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Tashkent'])
    equal(await last(zone), dayOf(zone), zone)
})
