// Every unsafe operation of the route table replays: the stored bytes are returned before the write prepares anything.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/base/database.ts'
import { sha256 } from '../../src/base/random.ts'
import { openVault } from '../../src/base/vault.ts'
import { metaExample } from '../../src/http/openapi-errors.ts'
import { exampleOf, jsonSchemaOf, requestExampleOf } from '../../src/http/openapi-example.ts'
import type { WriteRoute } from '../../src/http/route.ts'
import { memberResetToken } from '../../src/identity/index.ts'
import { browserWith, password } from '../support/client.ts'
import { memberAt, type TestMember, testPassword } from '../support/member.ts'
import { type CallOptions, openPlatform, type Reply, testSecretKey } from '../support/shop.ts'
import { totpNow } from '../support/totp.ts'

const platform = await openPlatform()
const { app, call, url } = platform
const writes = app.routes.filter((it) => it.kind === 'write')

type Send = (method: string, path: string, options?: CallOptions) => Promise<Reply>
/** A credential: how it calls, and the name under which its replies are stored. */
interface Caller {
  send: Send
  principal: string
  db: Database
}
const callers = {} as Record<'key' | 'client' | 'member', Caller>

before(async () => {
  const registered = await call('POST', '/v1/auth/register', {
    key: platform.keys.test,
    body: { phone: '+998901110000', password, name: 'Anna' },
  })
  const client = browserWith(url, registered)
  const member = await memberAt(platform, 'owner', 'owner@example.com')
  const { test: shop, live } = app.shops
  callers.key = await callerOf(call, shop.db, ['POST', '/v1/auth/guest-session'])
  callers.client = await callerOf(client.call, shop.db, ['PATCH', '/v1/auth/me', { name: 'Anna' }])
  callers.member = await callerOf(member.call, live.db, ['PATCH', '/v1/admin/me', { name: 'Olim' }])
})

/** The name of a credential is read from the record of a first call. */
async function callerOf(
  send: Send,
  db: Database,
  [method, path, body]: [string, string, unknown?],
): Promise<Caller> {
  const key = `first-${path}`
  const reply = await send(method, path, { body, headers: { 'idempotency-key': key } })
  ok(reply.status < 300, reply.text)
  const { principal } = await db
    .read()
    .one<{ principal: string }>(`select principal from idempotency_records where key = $1`, [key])
  return { send, principal, db }
}

const callerFor = ({ declared }: WriteRoute): Caller =>
  declared.needs === 'member' || declared.needs === 'owner'
    ? callers.member
    : declared.needs
      ? callers.client
      : callers.key

/** A call whose shape is valid. What it names does not exist, so that a replay which runs the write is a refusal. */
function exampleCall({ path, declared: { params = {}, body } }: WriteRoute): { path: string; raw?: string } {
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(exampleOf(jsonSchemaOf(params[name]!)))),
  )
  return body
    ? { path: address, raw: JSON.stringify(requestExampleOf(jsonSchemaOf(body))) }
    : { path: address }
}

/**
 * What a replay returns by the document: the data without the secrets. The request id distinguishes it from the first
 * reply.
 */
function storedBody({ declared: { reply, secrets = [] } }: WriteRoute, at: number): string {
  const hidden = Object.fromEntries(secrets.map((it) => [it, null]))
  const data = { ...(exampleOf(jsonSchemaOf(reply)) as object), ...hidden }
  return JSON.stringify({ success: true, data, meta: { ...metaExample, request_id: `stored-${at}` } })
}

test('every write of the route table returns the stored bytes and prepares nothing', async () => {
  ok(writes.length > 150, String(writes.length))
  for (const [at, route] of writes.entries()) {
    const { send, principal, db } = callerFor(route)
    const { path, raw } = exampleCall(route)
    const target = route.declared.platform ? app.shops.live.db : db
    const key = `stored-${at}`
    const status = route.declared.creates === true ? 201 : 200
    const stored = storedBody(route, at)
    const fingerprint = sha256(`${route.method} ${path}\n${raw ?? ''}`)
    await target.transaction((tx) =>
      tx.all(
        `insert into idempotency_records (principal, key, fingerprint, created_at, status, headers, body)
         values ($1, $2, $3, $4, $5, '{"etag": "\\"stored\\""}', $6)`,
        [principal, key, fingerprint, tx.now, status, stored],
      ),
    )
    const reply = await send(route.method, path, {
      ...(raw !== undefined && { raw }),
      headers: { 'idempotency-key': key },
    })
    const what = `${route.method} ${path} ${raw ?? ''}: ${reply.text}`
    equal(reply.text, stored, what)
    equal(reply.status, status, what)
    equal(reply.headers.get('etag'), '"stored"', what)
    equal(reply.headers.get('idempotent-replayed'), 'true', what)
    equal(reply.headers.get('set-cookie'), null, what)
  }
})

/** Unsafe operations that store no reply, with the reason. */
const withoutReplay: Record<string, string> = {
  query: 'reads and changes nothing',
  'bare-query': 'reads and changes nothing',
  upload: 'commits in batches; a record is upserted by its id, so a repeated upload changes nothing',
}

test('an unsafe operation without a stored reply is a query or an upload', () => {
  const kinds = app.routes.filter((it) => it.method !== 'GET' && it.kind !== 'write').map((it) => it.kind)
  deepEqual([...new Set(kinds)].toSorted(), Object.keys(withoutReplay).toSorted())
})

let calls = 0
const exercised = new Set<string>()

/** Sends a call twice with one key. The second reply has the bytes of the first, except for secrets, which are null. */
async function twice(send: Send, operation: string, body?: unknown): Promise<Reply> {
  const [method, path] = operation.split(' ') as [string, string]
  const options = { body, headers: { 'idempotency-key': `twice-${++calls}` } }
  const first = await send(method, path, options)
  const second = await send(method, path, options)
  ok(first.status < 300, `${operation}: ${first.text}`)
  equal(second.status, first.status, second.text)
  equal(second.headers.get('idempotent-replayed'), 'true', operation)
  equal(second.headers.get('etag'), first.headers.get('etag'), operation)
  const route = writes.find((it) => it.method === method && matches(it.path, path))!
  const { secrets } = route.declared
  exercised.add(`${method} ${route.path}`)
  if (!secrets) equal(second.text, first.text, operation)
  else {
    const hidden = Object.fromEntries(secrets.map((it) => [it, null]))
    deepEqual(second.body, { ...first.body, data: { ...first.body.data, ...hidden } }, operation)
  }
  return first
}

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** Needs a trained model. Its replay is in the enumeration above. */
const needModel = [
  'DELETE /v1/recommendations/models/external',
  'POST /v1/recommendations/models/{id}/activate',
]

test('every write that prepares something has one effect and one reply', async () => {
  const owner = await memberAt(platform, 'owner', 'second@example.com')
  const email = 'anna@example.com'
  await twice(call, 'POST /v1/auth/register', { email, password, name: 'Anna' })
  const signedIn = await call('POST', '/v1/auth/login', { body: { login: email, password } })
  const own = browserWith(url, signedIn).call
  await twice(call, 'POST /v1/auth/login', { login: email, password })
  const changed = { email: 'new@example.com', current_password: password }
  await twice(own, 'PATCH /v1/auth/me', changed)
  const wanted = `${password} 2`
  await twice(own, 'POST /v1/auth/password', { current_password: password, new_password: wanted })
  await twice(call, 'POST /v1/auth/password-reset', { login: 'new@example.com' })
  const { id } = await app.shops.test.db
    .read()
    .one<{ id: string }>(`select subject as id from outbox_events where type = 'PasswordResetRequested'`)
  const token = await twice(call, `POST /v1/admin/password-resets/${id.split('/')[1]}/token`)
  const renewed = { token: token.body.data.token, password: `${password} 3` }
  await twice(call, 'POST /v1/auth/password-reset/complete', renewed)

  await twice(call, 'POST /v1/admin/sessions', { email: owner.email, password: testPassword })
  const invited = { email: 'third@example.com', role: 'analyst' }
  const invitation = await twice(owner.call, 'POST /v1/admin/members/invitations', invited)
  const accepted = { token: invitation.body.data.token, name: 'Karim', password: testPassword }
  await twice(call, 'POST /v1/admin/members/invitations/accept', accepted)
  await twoStepTwice(owner)
  const change = { current_password: testPassword, new_password: `${testPassword} 2` }
  await twice(owner.call, 'POST /v1/admin/me/password', change)
  await twice(call, 'POST /v1/admin/password-reset', { email: owner.email })
  const { id: requested } = await app.shops.live.db
    .read()
    .one<{ id: string }>(
      `select subject as id from outbox_events where type = 'MemberPasswordResetRequested'`,
    )
  await app.shops.live.relay.catchUp()
  const vault = openVault({ secretKey: Buffer.from(testSecretKey, 'hex'), dataDir: '' })
  const mailed = memberResetToken(vault, requested.split('/')[1]!)
  await twice(call, 'POST /v1/admin/password-reset/complete', {
    token: mailed,
    password: `${testPassword} 3`,
  })

  const hook = { url: 'http://127.0.0.1:9/hook', filters: ['*'] }
  const made = await twice(call, 'POST /v1/webhooks', hook)
  await twice(call, `PATCH /v1/webhooks/${made.body.data.webhook.id}`, { filters: ['BrandCreated'] })

  const preparing = writes.filter((it) => it.declared.prepare).map((it) => `${it.method} ${it.path}`)
  deepEqual(preparing.filter((it) => !exercised.has(it)).toSorted(), needModel)
})

/** Turns two-step sign-in on and off; each code is used once. */
async function twoStepTwice({ call: send }: TestMember): Promise<void> {
  const path = '/v1/admin/me/two-step'
  const begun = await twice(send, `POST ${path}`, { password: testPassword })
  const code = (offset: number) => ({ code: totpNow(begun.body.data.secret, offset) })
  await twice(send, `POST ${path}/confirm`, code(-1))
  await twice(send, `POST ${path}/recovery-codes`, code(0))
  await twice(send, `DELETE ${path}`, code(1))
}

test('a purchase from the catalog to the delivery replays at every step', async () => {
  const name = { en: 'x', ru: 'x', uz: 'x' }
  const made = async (kind: string, one: string, body: object): Promise<number> =>
    Number((await twice(call, `POST /v1/catalog/${kind}`, body)).body.data[one].id)
  const category_id = await made('categories', 'category', { slug: 'c', name })
  const brand_id = await made('brands', 'brand', { slug: 'b', name: 'x' })
  const partner_id = await made('partners', 'partner', { slug: 'p', name: 'x' })
  const product_id = await made('products', 'product', { slug: 'x', category_id, brand_id, name })
  const offer = { product_id, partner_id, price_tiyin: 100_000, quantity: 10 }
  const OfferId = await made('offers', 'offer', offer)
  const buyer = { ClientId: 77 }
  await twice(call, `POST /v1/catalog/offers/${OfferId}/stock-adjustments`, { change: 5, reason: 'count' })
  await twice(call, 'POST /api/wishlist/offers', { ...buyer, OfferId })
  await twice(call, 'POST /api/cart/items', { ...buyer, OfferId, Quantity: 2 })
  await twice(call, 'PATCH /api/cart/items/quantity', { ...buyer, OfferId, NewQuantity: 3 })
  const placed = await twice(call, 'POST /api/cart/orders', {
    ...buyer,
    PaymentMethodId: 3,
    DeliveryAddress: 'Toshkent',
    Contact: { Name: 'Aziza', Phone: '+998901234567' },
  })
  const order = `/v1/orders/${placed.body.data.OrderIds[0]}`
  const packed = (await twice(call, `POST ${order}/fulfilments`, {})).body.data
  const fulfilment = packed.fulfilment?.id ?? packed.order.fulfilments[0].id
  await twice(call, `POST ${order}/fulfilments/${fulfilment}/ship`, {})
  await twice(call, `POST ${order}/fulfilments/${fulfilment}/deliver`, {})
  const quantities = await app.shops.test.db
    .read()
    .one<{ quantity: number }>(`select quantity from catalog_offers where id = $1`, [OfferId])
  equal(quantities.quantity, 12)
})
