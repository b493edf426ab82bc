import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openOrdering } from '../../test/support/orders.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { Refusal } from '../base/refusal.ts'
import { callRoute } from './call-route.ts'
import { parseArguments } from './command.ts'
import { ordersCommand } from './orders.ts'
import { promotionsCommand } from './promotions.ts'
import { rowsText } from './resource-command.ts'
import { stockCommand } from './stock.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const place = { environment: 'test', timezone: 'Asia/Tashkent' } as const
// The shape of a reply differs by route.
// oxlint-disable-next-line typescript/no-explicit-any
const ask = (route: string, more: object = {}): Promise<any> =>
  callRoute(platform.app, place, { route, ...more })

test('a command sees and cancels an order as the API does, and leaves an audit entry', async () => {
  const buyer = shop.newClient()
  const offer = await shop.stock.offer()
  await shop.put(buyer, offer)
  const [id] = await shop.ordered(buyer)
  const params = { id: String(id) }
  const { orders } = await ask('GET /v1/orders', { query: { per_page: '1' } })
  equal(orders[0].id, String(id))
  const before = await shop.onHand(offer)
  await ask('POST /v1/orders/{id}/cancel', { params, body: {} })
  equal((await ask('GET /v1/orders/{id}', { params })).order.status, 'cancelled')
  equal(await shop.onHand(offer), before + 1)
  const entries = await shop
    .read()
    .all(`select 1 from identity_audit where method = 'CLI' and path like '%cancel'`)
  equal(entries.length, 1)
})

test('stock is adjusted with the rules of the API', async () => {
  const offer = await shop.stock.offer()
  const before = await shop.onHand(offer)
  const adjust = (change: unknown, id = String(offer)) =>
    ask('POST /v1/catalog/offers/{offer_id}/stock-adjustments', {
      params: { offer_id: id },
      body: { change, reason: 'Recounted' },
    })
  equal((await adjust(3)).on_hand, before + 3)
  for (const [change, id, code] of [
    ['many', String(offer), 'validation_failed'],
    [1, 'x', 'not_found'],
    [1, '99999999', 'not_found'],
    [-1_000_000, String(offer), 'stock_exceeded'],
  ] as const)
    await rejects(adjust(change, id), (error) => error instanceof Refusal && error.code === code)
})

test('every action of the commands is a route, and its arguments are passed on', async () => {
  for (const command of [ordersCommand, stockCommand, promotionsCommand]) {
    match(command.help, /--json/)
    await rejects(command.run({} as never, parseArguments(command, ['nosuch'])), /use "/)
    await rejects(command.run({} as never, parseArguments(command, ['show'])), /use "\w+ show/)
  }
  deepEqual((await ask('GET /v1/marketing/promotions')).promotions, [])
})

test('rows are shown as a table, with fields within fields', () => {
  equal(
    rowsText([{ id: 1, total: { amount: 5 }, note: null }], ['id', 'total.amount', 'note']),
    'id  total.amount  note\n1   5',
  )
  equal(rowsText([], ['id']), 'none')
})
