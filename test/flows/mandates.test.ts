// Mandates: an agent orders for a client within limits that the client set, and not beyond them.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith } from '../support/client.ts'
import { newApplication } from '../support/oauth.ts'
import { cash, address, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { call, url } = platform
const shop = await openOrdering(platform)
const scopes = ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write'] as const
const agent = await newApplication(platform, { type: 'server', scopes: [...scopes] })
const other = await newApplication(platform, { type: 'server', scopes: [...scopes] })

let phones = 998_935_551_000
const signUp = async () => {
  const body = { name: 'Aziza', phone: `+${phones++}`, password: 'four plums in a basket' }
  const browser = browserWith(url, await shop.post('/v1/auth/register', body))
  return { ...browser, buyer: { ClientId: Number(browser.client.id) } }
}
type Client = Awaited<ReturnType<typeof signUp>>

const sums = (amount: number) => ({ amount: amount * 100, currency: 'UZS' })
const inAnHour = () => new Date(platform.app.shops.test.clock.now().getTime() + 3_600_000).toISOString()

const grant = async (client: Client, more: object = {}) => {
  const body = {
    application_id: agent.id,
    budget: sums(1_000),
    expires_at: inAnHour(),
    needs_confirmation: false,
    ...more,
  }
  const reply = await client.call('POST', '/v1/mandates', { body })
  equal(reply.status, 201, reply.text)
  return reply.body.data.mandate
}
const read = async (client: Client, id: string) =>
  (await client.call('GET', `/v1/mandates/${id}`)).body.data.mandate
/** The agent orders with its own key. */
const order = (client: Client, more: object = {}, key = agent.apiKey) =>
  shop.post(
    '/api/cart/orders',
    { ...client.buyer, PaymentMethodId: cash, DeliveryAddress: address, ...more },
    { key },
  )
const cartOf = async (client: Client) => (await client.call('GET', '/api/cart/items')).body.data

/** Runs a refused order and fails if it changed the cart, the mandate or the orders. */
async function refusedWithoutChange(
  code: Parameters<typeof assertRefused>[0],
  client: Client,
  mandateId: string,
  run: () => ReturnType<typeof order>,
) {
  const state = async () => ({
    cart: await cartOf(client),
    mandate: await read(client, mandateId),
    orders: (await client.call('GET', '/v1/orders')).body.data.pagination.total,
  })
  const before = await state()
  const details = assertRefused(code, await run())
  deepEqual(await state(), before)
  return details
}

test('an application orders within the budget, the order names the mandate, and a cancelled order is released', async () => {
  const client = await signUp()
  const offer = await shop.stock.offer({ price: 300 })
  const mandate = await grant(client)
  deepEqual([mandate.status, mandate.left, mandate.category_ids], ['active', sums(1_000), []])
  await shop.put(client.buyer, offer, 2)
  const placed = await order(client, { MandateId: mandate.id })
  equal(placed.status, 201, placed.text)
  const [id] = placed.body.data.OrderIds
  equal((await shop.get(id)).mandate_id, mandate.id)
  deepEqual((await read(client, mandate.id)).left, sums(400))
  const [used] = (await shop.events('MandateUsed')).slice(-1)
  deepEqual(
    [used!.subject, used!.fields['amount'], used!.fields['left']],
    [`mandate/${mandate.id}`, 600, 400],
  )

  await shop.put(client.buyer, offer, 2)
  const details = await refusedWithoutChange('mandate_budget_exceeded', client, mandate.id, () =>
    order(client, { MandateId: mandate.id }),
  )
  deepEqual(details.violations, [
    {
      code: 'mandate_budget_exceeded',
      limit: 1_000,
      used: 600,
      requested: 600,
      available: 400,
      remedy: { action: 'remove' },
    },
  ])
  await shop.act(id, 'cancel')
  deepEqual((await read(client, mandate.id)).left, sums(1_000))
  equal((await order(client, { MandateId: mandate.id })).status, 201)
})

test('of two orders at once that exceed the budget together one is placed', async () => {
  const client = await signUp()
  const offers = [await shop.stock.offer({ price: 600 }), await shop.stock.offer({ price: 600 })]
  const mandate = await grant(client)
  for (const it of offers) await shop.put(client.buyer, it)
  const replies = await Promise.all(
    offers.map((it) =>
      shop.post(
        '/api/cart/orders-v2',
        {
          ...client.buyer,
          OfferIds: [it],
          MandateId: mandate.id,
          PaymentMethodId: cash,
          DeliveryAddress: address,
        },
        { key: agent.apiKey },
      ),
    ),
  )
  deepEqual(replies.map((it) => it.status).toSorted(), [201, 422])
  deepEqual((await read(client, mandate.id)).spent, sums(600))
})

test('a mandate that is missing, foreign, expired or revoked refuses the order and changes nothing', async () => {
  const [client, otherClient] = [await signUp(), await signUp()]
  const mandate = await grant(client)
  const foreign = await grant(otherClient)
  const ofOther = await grant(client, { application_id: other.id })
  await shop.put(client.buyer, await shop.stock.offer({ price: 300 }))
  const refused = (code: Parameters<typeof assertRefused>[0], body: object) =>
    refusedWithoutChange(code, client, mandate.id, () => order(client, body))

  await refused('mandate_required', {})
  for (const id of [foreign.id, ofOther.id, '019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d']) {
    const { violations } = await refused('mandate_invalid', { MandateId: id })
    equal(violations[0].reason, 'unknown')
  }
  await refused('validation_failed', { MandateId: 'mine' })
  const own = await client.call('POST', `/v1/mandates/${mandate.id}/revoke`)
  equal(own.body.data.mandate.status, 'revoked')
  equal((await refused('mandate_invalid', { MandateId: mandate.id })).violations[0].reason, 'revoked')
  // A revoked mandate does not set the application free.
  await refused('mandate_required', {})
  const short = await grant(client)
  await shop.advance('PT2H')
  const { violations } = await refused('mandate_invalid', { MandateId: short.id })
  deepEqual([violations[0].reason, violations[0].expires_at], ['expired', short.expires_at])
  // The client's own session needs no mandate.
  const ordered = await client.call('POST', '/api/cart/orders', {
    body: { PaymentMethodId: cash, DeliveryAddress: address },
  })
  equal(ordered.status, 201, ordered.text)
})

test('only products of the allowed categories and of those below them are ordered', async () => {
  const client = await signUp()
  const made = async (body: object) => (await shop.post('/v1/catalog/categories', body)).body.data.category.id
  const root = await made({ slug: 'tea', name: { en: 'Tea' } })
  const below = await made({ slug: 'green-tea', name: { en: 'Green tea' }, parent_id: Number(root) })
  const product = { id: 70, category_id: Number(below), slug: 'sencha', name: { en: 'Sencha' } }
  await shop.stock.load('product', product)
  const inside = await shop.stock.offer({ price: 100, productId: product.id })
  const outside = await shop.stock.offer({ price: 100 })
  const mandate = await grant(client, { category_ids: [root] })
  await shop.put(client.buyer, inside)
  await shop.put(client.buyer, outside)
  const { violations } = await refusedWithoutChange('mandate_category_not_allowed', client, mandate.id, () =>
    order(client, { MandateId: mandate.id }),
  )
  deepEqual(
    violations.map((it: { offer_id: number }) => it.offer_id),
    [outside],
  )
  deepEqual(violations[0].category_ids, [Number(root)])
  equal((await client.call('DELETE', `/api/cart/items/${outside}`)).status, 200)
  equal((await order(client, { MandateId: mandate.id })).status, 201)
})

test('an order that needs a confirmation waits for the client, for this cart and total, once', async () => {
  const client = await signUp()
  const offer = await shop.stock.offer({ price: 200 })
  const mandate = await grant(client, { needs_confirmation: true })
  await shop.put(client.buyer, offer)
  const refused = () =>
    refusedWithoutChange('confirmation_required', client, mandate.id, () =>
      order(client, { MandateId: mandate.id }),
    )
  const { violations } = await refused()
  const { cart_version } = violations[0].remedy
  equal(cart_version, (await cartOf(client)).Version)
  const confirm = (body: object) => client.call('POST', `/v1/mandates/${mandate.id}/confirmations`, { body })
  equal((await confirm({ cart_version, total: sums(100) })).status, 201)
  await refused()
  equal((await confirm({ cart_version, total: sums(200) })).status, 201)
  // The agent changes the cart after the client has seen it.
  await shop.put(client.buyer, offer)
  await refused()
  assertRefused('version_mismatch', await confirm({ cart_version, total: sums(400) }))
  const current = (await cartOf(client)).Version
  equal((await confirm({ cart_version: current, total: sums(400) })).status, 201)
  equal((await order(client, { MandateId: mandate.id })).status, 201)
  await shop.put(client.buyer, offer)
  await refused()
})

test('only the client and staff grant and revoke; applications read what was granted to them', async () => {
  const client = await signUp()
  const mandate = await grant(client)
  const asAgent = { key: agent.apiKey }
  const body = { application_id: agent.id, budget: sums(9), expires_at: inAnHour() }
  assertRefused('insufficient_permissions', await shop.post('/v1/mandates', body, asAgent))
  for (const step of ['revoke', 'confirmations'])
    assertRefused(
      'insufficient_permissions',
      await shop.post(`/v1/mandates/${mandate.id}/${step}`, { cart_version: 1, total: sums(1) }, asAgent),
    )
  const otherClient = await signUp()
  assertRefused('not_found', await otherClient.call('POST', `/v1/mandates/${mandate.id}/revoke`))
  assertRefused('not_found', await otherClient.call('GET', `/v1/mandates/${mandate.id}`))
  const seenBy = async (key: string) => (await call('GET', '/v1/mandates', { key })).body.data.mandates
  equal(
    (await seenBy(agent.apiKey)).some((it: { id: string }) => it.id === mandate.id),
    true,
  )
  equal(
    (await seenBy(other.apiKey)).some((it: { id: string }) => it.id === mandate.id),
    false,
  )
  const onDevice = await newApplication(platform, { type: 'mobile', scopes: [...scopes] })
  assertRefused('insufficient_permissions', await call('GET', '/v1/mandates', { key: onDevice.apiKey }))

  const made = await shop.post('/v1/admin/mandates', { customer_id: client.client.id, ...body })
  equal(made.status, 201, made.text)
  equal(made.body.data.mandate.needs_confirmation, true)
  const path = `/v1/admin/mandates/${made.body.data.mandate.id}/revoke`
  for (let times = 0; times < 2; times++)
    equal((await shop.post(path, {})).body.data.mandate.status, 'revoked')
  const all = await call('GET', `/v1/admin/mandates?customer_id=${client.client.id}`)
  equal(all.body.data.mandates.length, 2)
  equal((await shop.post(`/v1/admin/clients/${client.client.id}/erase`, {})).status, 200)
  equal((await call('GET', `/v1/mandates/${mandate.id}`, asAgent)).body.data.mandate.status, 'revoked')
})

test('a grant with unknown application or category, or with a wrong expiry or budget, is refused with each field', async () => {
  const client = await signUp()
  const granted = (more: object) =>
    client.call('POST', '/v1/mandates', {
      body: { application_id: agent.id, budget: sums(1), expires_at: inAnHour(), ...more },
    })
  const fields = async (more: object) =>
    assertRefused('validation_failed', await granted(more)).fields.map((it: { path: string }) => it.path)
  deepEqual(
    await fields({ application_id: 'app_none', category_ids: [999_999], expires_at: '2020-01-01T00:00:00Z' }),
    ['application_id', 'category_ids.0', 'expires_at'],
  )
  deepEqual(await fields({ expires_at: '2099-01-01T00:00:00Z' }), ['expires_at'])
  deepEqual(await fields({ budget: { amount: 0, currency: 'UZS' } }), ['budget.amount'])
  deepEqual(await fields({ budget: { amount: 5, currency: 'USD' } }), ['budget.currency'])
})
