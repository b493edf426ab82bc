// Faults 2.7, V7 and V8: whose history a caller can read, and what the log contains.

import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, trainAndServe } from '../support/behaviour.ts'
import { browserWith, password } from '../support/client.ts'
import { Browser, codeFor, exchangeCode, newApplication, newBuyer } from '../support/oauth.ts'
import { startServer, preparedFolder } from '../support/process.ts'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform, type Reply } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitFor } from '../support/wait-until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
await trainAndServe(shop)

const main = { from_layer: 'main_page', from_app: 'app' }
const uuid = '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'
const like = (user_id: string, offers: number[]) =>
  shop.call('POST', '/v1/interactions', {
    body: { interactions: offers.map((id) => ({ user_id, offer_id: String(id), kind: 'click' })) },
  })
const idsOf = ({ body }: Reply): string[] =>
  (body.offers as { offer_id?: unknown; id?: unknown }[]).map((it) => String(it.offer_id ?? it.id))
/** A busy machine may reply before the history of the buyer is loaded, and says so; then the call is repeated. */
const known = (ask: () => Promise<Reply>): Promise<string[]> =>
  waitFor(
    async () => {
      const reply = await ask()
      equal(reply.status, 200, reply.text)
      return reply.body.source === 'recommendation_service' ? undefined : idsOf(reply)
    },
    { what: 'the history of the buyer is loaded' },
  )

// The victim belongs to the second group, the caller to the first.
const victim = '4711'
await like(victim, [60, 63, 66, 69])
await like(uuid, [60, 63, 66, 69])

/** Credentials of a client. */
async function ownListOnly(call: (path: string, body: object) => Promise<Reply>, own: string): Promise<void> {
  const general = (user_id: string) => () => call('/offers/recommended/v3', { user_id, ...main })
  const list = await known(general(own))
  deepEqual(await known(general(victim)), list)
  const mini = () =>
    call('/web/client/miniapp/offers/recommended/v3/', {
      user_id: uuid,
      mini_app_user_id: victim,
      from_layer: 'main_page',
    })
  ok((await known(mini)).slice(0, 10).every((id) => Number(id) <= 40))
  const theirs = await known(() =>
    shop.call('POST', '/offers/recommended/v3', { body: { user_id: victim, ...main } }),
  )
  notDeepEqual(list, theirs)
}

test('V7: a session reads and reports the history of its own client, whatever id it sends', async () => {
  const registered = await shop.call('POST', '/v1/auth/register', {
    body: { name: 'Aziza', email: 'aziza@mail.uz', password },
  })
  const { client, call } = browserWith(shop.url, registered)
  // An interaction reported with the id of another buyer counts for the caller.
  const reported = await call('POST', '/v1/interactions', {
    key: null,
    body: {
      interactions: [1, 4, 7, 10].map((id) => ({ user_id: victim, offer_id: String(id), kind: 'click' })),
    },
  })
  equal(reported.status, 200, reported.text)
  await ownListOnly((path, body) => call('POST', path, { body }), client.id)
})

test('V7: a user token reads and reports the history of its own client, whatever id it sends', async () => {
  const application = await newApplication(shop)
  const { phone, id } = await newBuyer(shop.url, shop.keys.test)
  await like(String(id), [1, 4, 7, 10])
  const code = await codeFor(new Browser(shop.url), application, { phone, scope: 'catalog:read' })
  const token = (await exchangeCode(shop.url, application, code)).body.access_token as string
  await ownListOnly((path, body) => callAt(shop.url, 'POST', path, { key: token, body }), String(id))
})

test('V7: calls without a credential are limited by address', async () => {
  const limited = await openPlatform({ env: { RATE_LIMIT: '20/60s' }, connection: shop.connection })
  const statuses: number[] = []
  for (let id = 1; id <= 25; id++)
    statuses.push(
      (
        await callAt(limited.url, 'POST', '/offers/recommended/v3', {
          key: null,
          body: { user_id: String(id), ...main },
        })
      ).status,
    )
  deepEqual(new Set(statuses.slice(0, 20)), new Set([200]))
  equal(statuses.at(-1), 429)
})

test('V7: an operator can require a key', async () => {
  const closed = await openPlatform({
    env: { RECOMMENDATIONS_REQUIRE_KEY: 'true' },
    connection: shop.connection,
  })
  const body = { user_id: victim, ...main }
  assertRefused(
    'unauthorized',
    await callAt(closed.url, 'POST', '/offers/recommended/v3', { key: null, body }),
  )
  const blind = await shop.makeKey({ scopes: ['cart:read'] })
  assertRefused(
    'insufficient_permissions',
    await callAt(closed.url, 'POST', '/offers/recommended/v3', { key: blind, body }),
  )
  const key = await shop.makeKey({ scopes: ['catalog:read'] })
  equal((await callAt(closed.url, 'POST', '/offers/recommended/v3', { key, body })).status, 200)
})

test('V8: neither the debug log nor a refusal contains the buyer', async () => {
  const server = await startServer({ DATA_DIR: await preparedFolder(), LOG_LEVEL: 'debug' })
  const names = ['buyer-zq7', 'mobi-zq7', 'mini-zq7', '+998901112233', '998904445566', 'gs_live_zq7zq7zq7']
  const [user, mobi, mini, phone, digits, session] = names as [string, string, string, string, string, string]
  const sent: [path: string, body: object][] = [
    ['/offers/recommended/v3', { user_id: user, phone, mobi_user_id: mobi, ...main }],
    ['/offers/recommended/v3', { user_id: session, phone: digits, from_layer: user, from_app: phone }],
    ['/offers/recommended/v3', { user_id: user, ...main, offer_ids: [phone, user] }],
    ['/offers/recommended', { user_id: user, mobi_user_id: mobi, phone }],
    ['/offers/recommended', { user_id: user, mobi_user_id: 5, phone: digits }],
    ['/web/client/miniapp/offers/recommended/v3/', { user_id: user, mini_app_user_id: mini, phone }],
    ['/v1/interactions', { interactions: [{ user_id: user, offer_id: '1', kind: session }] }],
    ['/v1/interactions', { interactions: [{ user_id: session, offer_id: '1', kind: 'view' }] }],
    ['/v1/auth/login', { login: phone, password: 'wrong', guest_session_id: session }],
    ['/api/cart/items', { SessionId: session, OfferId: 999_999, Quantity: 1 }],
  ]
  for (const [path, body] of sent) {
    const { text, status } = await server.call('POST', path, { key: server.keys.live, body })
    for (const name of names) ok(status < 400 || !text.includes(name), `${path}: ${text}`)
  }
  equal(await server.end('SIGTERM'), 0)
  ok(server.output().includes('/offers/recommended'))
  for (const name of names) ok(!server.output().includes(name.replace('+', '')), name)
})

test('V29: phone and mobi_user_id find the buyer in every call that lists them', async () => {
  const { phone, id } = await newBuyer(shop.url, shop.keys.test)
  await like(String(id), [1, 4, 7, 10])
  await like('mobile-29', [1, 4, 7, 10])
  const bySame = { user_id: 'unknown-29', ...main }
  const byUuid = { user_id: '9d2f8a34-1111-4222-8333-444455556666', ...main }
  const calls: [path: string, body: object][] = [
    ['/offers/recommended/v3', { ...bySame, phone }],
    ['/offers/recommended/v3', { ...bySame, mobi_user_id: 'mobile-29' }],
    ['/offers/recommended/v2', { ...bySame, phone, test_group_value: 'PROD' }],
    ['/offers/recommended/v2', { ...bySame, mobi_user_id: 'mobile-29', test_group_value: 'prod' }],
    ['/mobile/offers/recommended/v3', { ...bySame, phone }],
    ['/api/gateway/web/offers/recommended-v2', { ...main, phone }],
    ['/web/client/offers/recommended-v3', { ...byUuid, phone }],
    ['/api/gateway/catalog/recommended-offers/v3/web', { ...byUuid, phone }],
    ['/web/client/miniapp/offers/recommended/v3/', { ...byUuid, phone }],
  ]
  for (const [path, body] of calls) {
    const ids = await known(() => callAt(shop.url, 'POST', path, { key: shop.keys.test, body }))
    ok(
      ids.slice(0, 10).every((it) => Number(it) <= 40),
      `${path}: ${ids.join(' ')}`,
    )
  }
})
