import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform, type Reply } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
let lastClient = 100
const newClient = () => ({ ClientId: ++lastClient })
const { call } = shop
const items = '/api/cart/items'
const add = (buyer: object, OfferId: number, Quantity = 1, more: object = {}): Promise<Reply> =>
  call('POST', items, { body: { ...buyer, OfferId, Quantity, ...more } })
const view = async (buyer: Record<string, unknown>) => {
  const query = new URLSearchParams(buyer as Record<string, string>)
  const reply = await call('GET', `${items}?${query}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}
const eventsOf = (cartId: string): Promise<{ type: string; fields: Record<string, unknown> }[]> =>
  shop.app.shops.test.db
    .read()
    .all(`select type, fields from outbox_events where subject = $1 order by sequence`, [`cart/${cartId}`])

test('a first item opens the cart, and the reply shows it whole', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 12_345.67, old_price_tiyin: 2_000_000, quantity: 7 })
  const reply = await add(buyer, offer, 2)
  equal(reply.status, 200, reply.text)
  const { data } = reply.body
  equal(reply.headers.get('etag'), '"1-ru"')
  equal(data.Version, 1)
  equal(data.TotalAmount, 24_691.34)
  equal(data.TotalItemsCount, 2)
  equal(data.Currency, 'UZS')
  equal(data.ExpiresAt, null)
  deepEqual(data.ModeratedItems, [])
  const [item] = data.Items
  equal(item.OfferId, offer)
  equal(item.Title, `Товар ${offer}`)
  equal(item.Price, 12_345.67)
  equal(item.OldPrice, 20_000)
  equal(item.PriceAtAdd, 12_345.67)
  equal(item.LoanCondition, null)
  deepEqual(item.BnplDetails, { HasDailyPayment: false, PrepaymentAmount: null })
  deepEqual(item.PurchaseRestrictions, {
    IsAvailable: true,
    Reason: null,
    AvailableQuantity: 7,
    MaxQuantity: 7,
    ReservedUntil: null,
    Messages: [],
  })
  ok(item.Images[0].LgPath.startsWith('http://'))
  deepEqual(
    data.AvailablePaymentMethods.map((it: { Id: number; Reason: string | null }) => [it.Id, it.Reason]),
    [
      [1, null],
      [2, 'loan_condition_required'],
      [3, null],
      [4, 'payment_method_not_allowed'],
    ],
  )
  deepEqual(await view(buyer), data)
  deepEqual(await eventsOf(data.CartId), [
    {
      type: 'CartCreated',
      fields: { cartId: data.CartId, buyerId: buyer.ClientId, occurredOn: data.CreatedAt },
    },
    {
      type: 'ItemAddedToCart',
      fields: { cartId: data.CartId, offerId: offer, quantity: 2, occurredOn: data.CreatedAt },
    },
  ])
})

test('a repeated add sums the units and keeps the loan condition unless another is named', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ loan_condition_ids: [3, 4] })
  await add(buyer, offer, 1, { LoanConditionId: 3 })
  const again = await add(buyer, offer, 2)
  equal(again.body.data.Items[0].Quantity, 3)
  equal(again.body.data.Version, 2)
  // 3 × 10 000 × 1.24 / 12.
  deepEqual(again.body.data.Items[0].LoanCondition, {
    Id: 3,
    Duration: 12,
    Commission: 24,
    EarlyCommissionPercent: 100,
    MonthlyRepayment: 3_100,
    EventId: null,
  })
  // 3 × 10 000 × 1.12 / 6.
  deepEqual(
    again.body.data.Items[0].LoanConditions.map((it: { Id: number; MonthlyRepayment: number }) => [
      it.Id,
      it.MonthlyRepayment,
    ]),
    [
      [3, 3_100],
      [4, 5_600],
    ],
  )
  const other = await add(buyer, offer, 1, { LoanConditionId: 4 })
  equal(other.body.data.Items[0].LoanCondition.Id, 4)
})

test('a buyer without a cart sees an empty one, and none is created', async () => {
  const data = await view(newClient())
  equal(data.CartId, null)
  equal(data.Version, 0)
  deepEqual([data.Items, data.TotalAmount, data.TotalItemsCount], [[], 0, 0])
})

test('changes of quantity, removals and clearing are each published', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  await add(buyer, one)
  await add(buyer, two)
  const five = await call('PATCH', `${items}/quantity`, { body: { ...buyer, OfferId: one, NewQuantity: 5 } })
  equal(five.body.data.Items[0].Quantity, 5, five.text)
  const gone = await call('DELETE', `${items}/${two}`, { body: buyer })
  equal(gone.body.data.Items.length, 1)
  const cleared = await call('DELETE', `${items}?ClientId=${buyer.ClientId}`)
  deepEqual([cleared.body.data.Items, cleared.body.data.Version], [[], 5])
  deepEqual(
    (await eventsOf(cleared.body.data.CartId)).map((it) => it.type),
    [
      'CartCreated',
      'ItemAddedToCart',
      'ItemAddedToCart',
      'CartItemChanged',
      'ItemRemovedFromCart',
      'CartCleared',
    ],
  )
})

test('a refused add creates no cart, no line and no event', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 2 })
  const details = assertRefused('stock_exceeded', await add(buyer, offer, 3))
  deepEqual(details.violations, [
    {
      code: 'stock_exceeded',
      offer_id: offer,
      requested: 3,
      available: 2,
      remedy: { action: 'set_quantity', quantity: 2 },
    },
  ])
  equal((await view(buyer)).CartId, null)
})

test('an unknown offer is 404', async () => {
  assertRefused('not_found', await add(newClient(), 999_999))
})
