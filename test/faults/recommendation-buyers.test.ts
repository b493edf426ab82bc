// Faults 2.7, V7 and V8: whose taste a caller may learn, and what the log learns of him.

import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { liveInCircles, stockCircles, trainAndServe } from '../support/behaviour.ts'
import { browserWith, password } from '../support/client.ts'
import { Browser, codeFor, exchangeCode, newApplication, newBuyer } from '../support/oauth.ts'
import { startServer, temporaryFolder } from '../support/process.ts'
import { refusedWith } from '../support/refused.ts'
import { callAt, openPlatform, type Reply } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockCircles(await openStock(shop))
await liveInCircles(db)
await trainAndServe(shop)

const main = { from_layer: 'main_page', from_app: 'app' }
const uuid = '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'
const like = (user_id: string, offers: number[]) =>
  shop.call('POST', '/v1/interactions', {
    body: { interactions: offers.map((id) => ({ user_id, offer_id: String(id), kind: 'click' })) },
  })
const idsOf = ({ body }: Reply): string[] =>
  (body.offers as { offer_id?: unknown; id?: unknown }[]).map((it) => String(it.offer_id ?? it.id))
/** A busy machine may answer before it knows who asks, and says so; then it is asked again. */
async function known(ask: () => Promise<Reply>): Promise<string[]> {
  for (;;) {
    const reply = await ask()
    equal(reply.status, 200, reply.text)
    if (reply.body.source !== 'recommendation_service') return idsOf(reply)
  }
}

// The victim's taste is the second circle's, the caller's the first's.
const victim = '4711'
await like(victim, [60, 63, 66, 69])
await like(uuid, [60, 63, 66, 69])

/** Everything that a client's own credential may be sent with. */
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

test('V7: a session gets and reports its own client’s taste, whatever id it sends', async () => {
  const registered = await shop.call('POST', '/v1/auth/register', {
    body: { name: 'Aziza', email: 'aziza@mail.uz', password },
  })
  const { client, call } = browserWith(shop.url, registered)
  // Reported with another's id, it counts as one's own.
  const reported = await call('POST', '/v1/interactions', {
    key: null,
    body: {
      interactions: [1, 4, 7, 10].map((id) => ({ user_id: victim, offer_id: String(id), kind: 'click' })),
    },
  })
  equal(reported.status, 200, reported.text)
  await ownListOnly((path, body) => call('POST', path, { body }), client.id)
})

test('V7: so does a user token', async () => {
  const application = await newApplication(shop)
  const { phone, id } = await newBuyer(shop.url, shop.keys.test)
  await like(String(id), [1, 4, 7, 10])
  const code = await codeFor(new Browser(shop.url), application, { phone, scope: 'catalog:read' })
  const token = (await exchangeCode(shop.url, application, code)).body.access_token as string
  await ownListOnly((path, body) => callAt(shop.url, 'POST', path, { key: token, body }), String(id))
})

test('V7: without a credential, whoever harvests is stopped by the limit of his address', async () => {
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

test('V7: an operator who wants none of it demands a key', async () => {
  const closed = await openPlatform({
    env: { RECOMMENDATIONS_REQUIRE_KEY: 'true' },
    connection: shop.connection,
  })
  const body = { user_id: victim, ...main }
  refusedWith('unauthorized', await callAt(closed.url, 'POST', '/offers/recommended/v3', { key: null, body }))
  const blind = await shop.makeKey({ scopes: ['cart:read'] })
  refusedWith(
    'insufficient_permissions',
    await callAt(closed.url, 'POST', '/offers/recommended/v3', { key: blind, body }),
  )
  const key = await shop.makeKey({ scopes: ['catalog:read'] })
  equal((await callAt(closed.url, 'POST', '/offers/recommended/v3', { key, body })).status, 200)
})

test('V8: neither a log at its most talkative nor a refusal repeats who asked', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), LOG_LEVEL: 'debug' })
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
