// What an erased client leaves behind: in no table, in no stored reply, and in no message that can still be shown.

import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { openMailServer } from '../support/mail.ts'
import { openNotifications } from '../support/notifications.ts'
import { address, cash, openOrdering } from '../support/orders.ts'
import { openReceiver } from '../support/receiver.ts'
import { assertRefused } from '../support/refused.ts'
import { type CallOptions, openPlatform, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await openMailServer()
const gateway = await openReceiver()
const env = {
  TEST_SMTP_URL: server.url,
  TEST_SMS_URL: gateway.url,
  MAIL_FROM: 'Bozor <shop@bozor.uz>',
  PUBLIC_URL: 'https://shop.uz',
}
const platform = await openPlatform({ env })
const { app, call, url } = platform
const shop = await openOrdering(platform)
const post = await openNotifications(platform)
const { db } = app.shops.test

let keys = 0
const withKey = (options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, 'idempotency-key': `erasure-${++keys}` },
})
const succeeded = (reply: Reply): Reply => {
  equal(Math.floor(reply.status / 100), 2, reply.text)
  return reply
}
const erase = async (id: string | number) =>
  succeeded(await call('POST', `/v1/admin/clients/${id}/erase`, withKey()))

/** Tables with a row that holds one of the texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await db
    .read()
    .all<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('test', 'platform')`,
    )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db
      .read()
      .all(`select 1 from ${name} t where t::text like any ($1) limit 1`, [texts.map((it) => `%${it}%`)])
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('stored replies, message logs and refused calls of an erased client hold nothing personal', async () => {
  const email = 'zebo.yoldosheva@mail.uz'
  const body = { name: 'Zebo Yoldosheva', email, phone: '+998935557788', password }
  const browser = browserWith(url, await call('POST', '/v1/auth/register', withKey({ body })))
  const { id } = browser.client
  const buyer = { ClientId: Number(id) }
  const own = { 'x-csrf-token': browser.csrfToken }
  const home = { region: 'UZ-TK', city: 'Toshkent', street: 'Bogishamol', house: '77' }
  const saved = { body: { title: 'Zebo home', address: home }, headers: own }
  succeeded(await browser.call('POST', '/v1/auth/addresses', withKey(saved)))
  succeeded(await browser.call('PATCH', '/v1/auth/me', withKey({ body: { name: 'Zebo Yol' }, headers: own })))
  succeeded(await call('PATCH', `/v1/admin/clients/${id}`, withKey({ body: { name: 'Zebo Yoldosheva' } })))
  await shop.put(buyer, await shop.stock.offer())
  const Delivery = { Address: { Region: 'UZ-TK', City: 'Toshkent', Street: 'Bogishamol', House: '77' } }
  const order = { ...buyer, PaymentMethodId: cash, Delivery }
  const placed = succeeded(await call('POST', '/api/cart/orders', withKey({ body: order })))
  const [orderId] = placed.body.data.OrderIds
  succeeded(await call('POST', `/v1/orders/${orderId}/cancel`, withKey({ body: {} })))
  server.answer({ recipient: () => ({ code: 550, text: `no mailbox ${email}` }) })
  const refused = await post.send({
    client_id: id,
    channel: 'email',
    template: 'code',
    variables: { custom: { code: 'Zebo-1' } },
  })
  await post.became(refused.id, 'dead')
  server.answer({})
  assertRefused(
    'validation_failed',
    await call('POST', '/v1/auth/register', { body: { ...body, email: 'x' } }),
  )
  assertRefused('validation_failed', await call('PATCH', `/v1/admin/clients/${id}`, { body: { ...body } }))
  await waitUntil(async () => (await tablesWith('auth/register')).length > 0)
  notEqual((await tablesWith('Zebo', 'yoldosheva@', '935557788', 'Bogishamol')).length, 0)

  await erase(id)
  deepEqual(await tablesWith('Zebo', 'yoldosheva@', '935557788', 'Bogishamol'), [])
})

test('a write is not repeated after its client was erased, and its reply is gone', async () => {
  const registered = await call('POST', '/v1/auth/register', {
    body: { name: 'Lola', email: 'lola.gone@mail.uz', password },
  })
  const buyer = { ClientId: Number(registered.body.data.client.id) }
  await shop.put(buyer, await shop.stock.offer())
  const body = { ...buyer, PaymentMethodId: cash, DeliveryAddress: address }
  const options = withKey({ body })
  const [first] = succeeded(await call('POST', '/api/cart/orders', options)).body.data.OrderIds
  equal((await call('POST', '/api/cart/orders', options)).body.data.OrderIds[0], first)
  await erase(buyer.ClientId)
  const { resource, id } = assertRefused('not_found', await call('POST', '/api/cart/orders', options))
  deepEqual([resource, id], ['client', String(buyer.ClientId)])
  const { orders } = (await call('GET', `/v1/orders?customer_id=${buyer.ClientId}`)).body.data
  deepEqual(
    orders.map((it: { id: string }) => it.id),
    [String(first)],
  )
})

test('replies to other clients are still replayed after an erasure', async () => {
  const kept = shop.newClient()
  const registered = await call('POST', '/v1/auth/register', {
    body: { name: 'Malika', email: 'malika.gone@mail.uz', password },
  })
  await shop.put(kept, await shop.stock.offer())
  const options = withKey({ body: { ...kept, PaymentMethodId: cash, DeliveryAddress: address } })
  const first = succeeded(await call('POST', '/api/cart/orders', options))
  await erase(registered.body.data.client.id)
  equal((await call('POST', '/api/cart/orders', options)).text, first.text)
})

test('a message to an erased client is shown without its values, and its links say that they are dead', async () => {
  const client = await post.client('Nigora')
  await post.consents(client.client.id, 'email', true)
  const { id } = await post.news(Number(client.client.id))
  await post.became(id, 'sent')
  const mail = server.mails.find((it) => it.to.includes(client.email))!
  const links = [...mail.html!.matchAll(/https:\/\/shop\.uz(\/[mu]\/[\w-]+)/g)].map((it) => it[1]!)
  equal(links.length, 4)
  await erase(client.client.id)
  const shown = await post.get(id)
  deepEqual([shown.to, shown.content.text], [null, ''])
  const statuses: number[] = []
  for (const link of links) {
    const reply = await fetch(url + link, { redirect: 'manual', headers: { 'accept-language': 'en' } })
    statuses.push(reply.status)
    if (reply.status === 404) match(await reply.text(), /The link does not work/)
  }
  deepEqual(statuses.toSorted(), [200, 200, 404, 404])
})

test('messages that an erasure cancels are ended and purged like others', async () => {
  const client = await post.client('Ozoda')
  const { id } = await post.news(Number(client.client.id), {
    category: 'transactional',
    notBefore: new Date(Date.now() + 3_600_000),
  })
  equal((await post.get(id)).status, 'queued')
  await erase(client.client.id)
  const cancelled = await post.get(id)
  deepEqual([cancelled.status, cancelled.reason, cancelled.next_attempt_at], ['cancelled', 'erased', null])
  notEqual(cancelled.ended_at, null)
  deepEqual(
    assertRefused('invalid_transition', await call('POST', `/v1/marketing/notifications/${id}/retry`)).state,
    'cancelled',
  )
})

test('a message that failed is not sent again after its client was erased', async () => {
  const client = await post.client('Parizod')
  server.answer({ recipient: () => ({ code: 550, text: 'no' }) })
  const { id } = await post.send({
    client_id: client.client.id,
    channel: 'email',
    template: 'code',
    variables: { custom: { code: '7' } },
  })
  await post.became(id, 'dead')
  server.answer({})
  await erase(client.client.id)
  assertRefused('invalid_transition', await call('POST', `/v1/marketing/notifications/${id}/retry`))
})

test('messages and consents of a bare address are erased with the client whose address it is', async () => {
  const phone = '+998935550011'
  const client = await post.client('Robiya', { phone })
  const code = { template: 'code', channel: 'email', variables: { custom: { code: 'R-1' } } }
  const sent = await post.send({ ...code, address: client.email.toUpperCase() })
  const short = { template: 'short', channel: 'sms', variables: { custom: { code: 'R-2' } } }
  const texted = await post.send({ ...short, address: phone })
  const other = await post.send({
    ...code,
    address: 'another@mail.uz',
    variables: { custom: { code: 'R-3' } },
  })
  for (const { id } of [sent, texted, other]) await post.became(id, 'sent')
  const consents = [{ address: client.email, channel: 'email', granted: true, source: 'landing page' }]
  succeeded(await call('PUT', '/v1/marketing/consents', { body: { consents } }))
  await erase(client.client.id)
  deepEqual(await tablesWith(client.email, phone, 'R-1', 'R-2'), [])
  equal((await post.get(other.id)).to, 'another@mail.uz')
})

test('what a gateway replies after the erasure of the recipient is not stored', async () => {
  const phone = '+998935550012'
  const client = await post.client('Sevara', { phone })
  const held: (() => void)[] = []
  gateway.answer((_it, response) => held.push(() => response.writeHead(500).end(`no route to ${phone}`)))
  const { id } = await post.send({
    client_id: client.client.id,
    channel: 'sms',
    template: 'short',
    variables: { custom: { code: 'S-1' } },
  })
  await waitUntil(() => held.length === 1, { what: 'the gateway has the message' })
  await erase(client.client.id)
  held[0]!()
  gateway.answer(204)
  await post.became(
    (
      await post.send({
        address: '+998935550013',
        channel: 'sms',
        template: 'short',
        variables: { custom: { code: '2' } },
      })
    ).id,
    'sent',
  )
  deepEqual(await tablesWith(phone), [])
  const { status, reason } = await post.get(id)
  deepEqual([status, reason], ['cancelled', 'erased'])
})

test('no order is placed for an erased client, and what was written during the erasure is erased later', async () => {
  const phone = '+998935550014'
  const client = await post.client('Tursunoy', { phone })
  const buyer = { ClientId: Number(client.client.id) }
  const contact = { Contact: { Name: 'Tursunoy', Phone: phone } }
  const order = () =>
    call('POST', '/api/cart/orders', {
      body: { ...buyer, ...contact, PaymentMethodId: cash, DeliveryAddress: 'Tursunoy street' },
    })
  await shop.put(buyer, await shop.stock.offer())
  const [orderId] = succeeded(await order()).body.data.OrderIds
  // Else the order's message may be written after the late write below.
  await app.shops.test.relay.catchUp()
  await erase(buyer.ClientId)
  await shop.put(buyer, await shop.stock.offer())
  deepEqual(assertRefused('conflict', await order()), {
    reason: 'merged_or_erased',
    client_id: client.client.id,
  })
  // A request that was under way commits after the erasure.
  const late = () =>
    db.transaction((tx) =>
      tx.all(`update orders_orders set contact = $2, delivery_address = 'Tursunoy street' where id = $1`, [
        orderId,
        JSON.stringify({ name: 'Tursunoy', phone, email: null }),
      ]),
    )
  await late()
  deepEqual(await tablesWith(phone, 'Tursunoy'), ['test.orders_orders'])
  await app.shops.test.jobs.runNow('finish-erasures')
  deepEqual(await tablesWith(phone, 'Tursunoy'), [])
  await late()
  await erase(buyer.ClientId)
  deepEqual(await tablesWith(phone, 'Tursunoy'), [])
})
