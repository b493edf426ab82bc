import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts } from '../../../test/support/carts.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)

test('carts are listed with their value, the left ones apart, and no session id is shown', async () => {
  const offer = await stock.offer({ price: 300 })
  const left = carts.newClient()
  await carts.put(left, offer, 2)
  await shop.call('POST', '/v1/test/clock', { body: { advance: 'PT30H' } })
  const guest = { SessionId: 'guest-session-of-a-test' }
  await shop.call('POST', '/api/cart/items', { body: { ...guest, OfferId: offer, Quantity: 1 } })
  await shop.call('GET', '/api/cart/items?ClientId=99999')
  const listed = async (query = '') => {
    const reply = await shop.call('GET', `/v1/admin/carts${query}`)
    equal(reply.status, 200, reply.text)
    ok(!reply.text.includes(guest.SessionId))
    return reply.body.data.carts
  }
  const all = await listed()
  deepEqual(
    all.map((it: { client_id: string | null }) => it.client_id),
    [null, String(left.ClientId)],
  )
  match(all[0].guest, /^guest-[0-9a-f]{32}$/)
  deepEqual([all[1].lines, all[1].units, all[1].value], [1, 2, { amount: 60_000, currency: 'UZS' }])
  equal((await listed('?unchanged_hours=24')).length, 1)
  equal((await listed('?unchanged_hours=48')).length, 0)
  equal((await listed('?buyer=guest'))[0].client_id, null)
  equal((await listed('?sort=created_at'))[0].client_id, String(left.ClientId))
})
