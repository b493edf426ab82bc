import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest } from '../support/carts.ts'
import { address, card, cash, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)

test('a guest orders with a name and a phone number, and not without', async () => {
  const guest = newGuest()
  await shop.put(guest, await shop.stock.offer())
  const order = (more: object) =>
    shop.post('/api/cart/orders', { ...guest, PaymentMethodId: cash, DeliveryAddress: address, ...more })
  const missing = assertRefused('validation_failed', await order({}))
  deepEqual([missing.fields[0].path, missing.fields[0].rule], ['Contact', 'required'])
  const invalid = await order({ Contact: { Name: 'Aziza', Phone: '12', Email: 'nobody' } })
  deepEqual(
    assertRefused('validation_failed', invalid).fields.map((it: { path: string }) => it.path),
    ['Contact.Phone', 'Contact.Email'],
  )
  for (const Contact of [{ Name: ' ', Phone: '901234567' }, { Phone: '901234567' }, { Name: 'Aziza' }])
    assertRefused('validation_failed', await order({ Contact }))
  const made = await order({ Contact: { Name: 'Aziza', Phone: '90 123-45-67', Email: 'A@Mail.uz' } })
  equal(made.status, 201, made.text)
  deepEqual((await shop.get(made.body.data.OrderIds[0])).contact, {
    name: 'Aziza',
    phone: '+998901234567',
    email: 'a@mail.uz',
  })
})

test('the contact of a client comes from the profile and can be replaced for one order', async () => {
  const registered = await shop.post('/v1/auth/register', {
    name: 'Botir',
    phone: '+998935550101',
    password: 'four plums in a basket',
  })
  const buyer = { ClientId: Number(registered.body.data.client.id) }
  const contactOf = async (more: object) => {
    await shop.put(buyer, await shop.stock.offer())
    return (await shop.get((await shop.ordered(buyer, more))[0]!)).contact
  }
  deepEqual(await contactOf({}), { name: 'Botir', phone: '+998935550101', email: null })
  equal((await contactOf({ Contact: { Name: 'Dilshod', Phone: '901112233' } })).name, 'Dilshod')
})

test('the orders of an erased client keep no contact and no address', async () => {
  const phone = '+998935550102'
  const registered = await shop.post('/v1/auth/register', {
    name: 'Gulnora',
    phone,
    password: 'four plums in a basket',
  })
  const buyer = { ClientId: Number(registered.body.data.client.id) }
  await shop.put(buyer, await shop.stock.offer())
  const [id] = await shop.ordered(buyer)
  await shop.put(buyer, await shop.stock.offer())
  const home = { Region: 'UZ-TK', City: 'Toshkent', Street: 'Bogishamol', House: '7' }
  const [structured] = await shop.ordered(buyer, { DeliveryAddress: undefined, Delivery: { Address: home } })
  const before = await shop.get(structured!)
  deepEqual([before.contact.phone, before.delivery.address.street], [phone, 'Bogishamol'])
  equal((await shop.post(`/v1/admin/clients/${buyer.ClientId}/erase`, {})).status, 200)
  for (const it of [await shop.get(id!), await shop.get(structured!)])
    deepEqual([it.contact, it.delivery_address, it.delivery.address], [null, '', null])
})

test('an order shows picture, partner, payment method and payment deadline, in the list too', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer())
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  const order = await shop.get(id!)
  const listed = (await platform.call('GET', `/v1/orders?customer_id=${buyer.ClientId}`)).body.data.orders[0]
  for (const it of [order, listed]) {
    ok(it.lines[0].image.md_path.startsWith('http'), it.lines[0].image.md_path)
    equal(typeof it.partner_name, 'string')
    ok(it.payment_method.name.length > 0)
    equal(Date.parse(it.pay_until) - Date.parse(it.created_at), 30 * 60_000)
  }
  await shop.act(id!, 'cancel')
  equal((await shop.get(id!)).pay_until, null)
})

test('an order that was not paid in time comes back to the cart on request, once', async () => {
  const buyer = shop.newClient()
  const [sold, gone] = [await shop.stock.offer(), await shop.stock.offer({ id: 910_001 })]
  await shop.put(buyer, sold, 2)
  await shop.put(buyer, gone, 1)
  const [id] = await shop.ordered(buyer, { PaymentMethodId: card })
  assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/to-cart`, {}))
  await shop.advance('PT31M')
  deepEqual((await shop.get(id!)).allowed, ['to_cart'])
  await shop.stock.load('offer', {
    id: gone,
    product_id: gone,
    partner_id: 1,
    price_tiyin: 100,
    quantity: 5,
    is_active: false,
  })
  const { skipped, order } = await shop.act(id!, 'to-cart')
  deepEqual(
    [skipped.map((it: { line: number; reason: string }) => [it.line, it.reason]), order.allowed],
    [[[2, 'offer_unavailable']], []],
  )
  deepEqual(await shop.unitsOf(buyer), { [sold]: 2 })
  assertRefused('invalid_transition', await shop.post(`/v1/orders/${id}/to-cart`, {}))
})
