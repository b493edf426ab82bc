// Sessions of buyers: stolen, fixated, forged, expired and concurrent (faults Z1 to Z5).

import { deepEqual, doesNotMatch, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password, type SignedIn } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const { app, call, url, connection, keys } = await openPlatform()
const { db } = app.shops.test
let number = 0

const newLogin = () => `buyer${++number}@mail.uz`
const register = async (email = newLogin()): Promise<SignedIn & { email: string }> => {
  const reply = await call('POST', '/v1/auth/register', { body: { name: 'Aziza', email, password } })
  equal(reply.status, 201, reply.text)
  return { ...browserWith(url, reply), email }
}
const login = (email: string, headers: Record<string, string> = {}) =>
  call('POST', '/v1/auth/login', { body: { login: email, password }, headers })
const advance = async (duration: string) =>
  equal((await call('POST', '/v1/test/clock', { body: { advance: duration } })).status, 200)
const reasonOf = async (browser: SignedIn) =>
  assertRefused('unauthorized', await browser.call('GET', '/v1/auth/me')).reason

test('Z1 a sign-in creates a new session id and ends the previous session of the browser', async () => {
  const before = await register()
  const fresh = browserWith(
    url,
    await before.call('POST', '/v1/auth/login', { body: { login: before.email, password } }),
  )
  notEqual(fresh.cookie, before.cookie)
  equal(await reasonOf(before), 'revoked')
  equal((await fresh.call('GET', '/v1/auth/me')).status, 200)
})

test('Z1 signing in as another client in the same browser leaves no session behind', async () => {
  const [before, other] = [await register(), await register()]
  const reply = await before.call('POST', '/v1/auth/login', { body: { login: other.email, password } })
  equal(browserWith(url, reply).client.id, other.client.id)
  equal(await reasonOf(before), 'revoked')
})

test('a sign-in without a credential is live, and a bearer credential takes precedence over a cookie', async () => {
  const body = { name: 'Live', email: 'live@mail.uz', password }
  const live = browserWith(url, await call('POST', '/v1/auth/register', { key: null, body }))
  match(live.cookie, /^bozor_session=bs_live_/)
  equal((await live.call('GET', '/v1/auth/me')).body.data.client.email, 'live@mail.uz')
  assertRefused('insufficient_permissions', await live.call('GET', '/v1/auth/me', { key: keys.test }))
})

test('Z1 an invented or fixated session id is not accepted', async () => {
  const { email } = await register()
  const planted = `bozor_session=bs_test_${'a'.repeat(43)}`
  const reply = await login(email, { cookie: planted })
  equal(reply.status, 200)
  ok(!reply.headers.get('set-cookie')!.startsWith(planted))
  const body = assertRefused(
    'unauthorized',
    await call('GET', '/v1/auth/me', { key: null, headers: { cookie: planted } }),
  )
  equal(body.reason, 'unknown')
})

test('Z2 refuses a write with the cookie from another site, and accepts one from our pages', async () => {
  const browser = await register()
  const write = (headers: Record<string, string>) =>
    call('DELETE', `/v1/auth/sessions/${browser.session.id}`, {
      key: null,
      headers: { cookie: browser.cookie, ...headers },
    })
  for (const origin of [
    'https://evil.example',
    'null',
    url.replace('127.0.0.1', 'localhost'),
    `${url}.evil.example`,
  ])
    assertRefused('origin_mismatch', await write({ origin }))
  assertRefused('origin_mismatch', await write({}))
  assertRefused('origin_mismatch', await write({ 'x-csrf-token': 'guessed' }))
  assertRefused('origin_mismatch', await write({ origin: 'https://evil.example', 'x-csrf-token': '' }))
  equal((await write({ origin: 'https://evil.example', 'x-csrf-token': browser.csrfToken })).status, 200)
})

test('Z2 a CSRF token is valid for its own session only', async () => {
  const [one, other] = [await register(), await register()]
  const reply = await call('POST', '/v1/auth/logout', {
    key: null,
    headers: { cookie: one.cookie, 'x-csrf-token': other.csrfToken },
  })
  assertRefused('origin_mismatch', reply)
})

test('Z2 an invalid cookie does not fail routes that need no credential', async () => {
  const { email } = await register()
  const browser = await register()
  await browser.call('POST', '/v1/auth/logout')
  equal((await login(email, { cookie: browser.cookie, origin: 'https://evil.example' })).status, 200)
  const guest = await call('POST', '/v1/auth/guest-session', {
    key: null,
    headers: { cookie: browser.cookie },
  })
  equal(guest.status, 201)
})

test('Z3 after signing out the cookie does not work on any server', async () => {
  const browser = await register()
  const elsewhere = await openPlatform({ connection })
  const there = () => elsewhere.call('GET', '/v1/auth/me', { key: null, headers: { cookie: browser.cookie } })
  equal((await there()).status, 200)
  const out = await browser.call('POST', '/v1/auth/logout')
  match(out.headers.get('set-cookie')!, /^bozor_session=; .*Max-Age=0/)
  equal(await reasonOf(browser), 'revoked')
  await waitUntil(async () => (await there()).status === 401, { what: 'the other server refuses the cookie' })
})

test('Z3 twenty concurrent sign-outs end one session once, and none fails', async () => {
  const browser = await register()
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.call('POST', '/v1/auth/logout')))
  const ended = replies.filter((it) => it.status === 200).reduce((sum, it) => sum + it.body.data.ended, 0)
  equal(ended, 1)
  for (const it of replies) ok(it.status === 200 || it.status === 401, it.text)
  const events = await db
    .read()
    .all(`select 1 from outbox_events where type = 'ClientSignedOut' and subject = $1`, [
      `session/${browser.session.id}`,
    ])
  equal(events.length, 1)
})

test('twenty concurrent sign-ins open twenty sessions, and signing out everywhere ends all', async () => {
  const { email } = await register()
  const browsers = (await Promise.all(Array.from({ length: 20 }, () => login(email)))).map((it) =>
    browserWith(url, it),
  )
  equal(new Set(browsers.map((it) => it.cookie)).size, 20)
  const listed = await browsers[0]!.call('GET', '/v1/auth/sessions')
  equal(listed.body.data.sessions.length, 21)
  equal(listed.body.data.sessions.filter((it: { current: boolean }) => it.current).length, 1)
  const out = await browsers[0]!.call('POST', '/v1/auth/logout', { body: { everywhere: true } })
  equal(out.body.data.ended, 21)
  for (const it of browsers) equal(await reasonOf(it), 'revoked')
})

test('a client has at most fifty sessions; the oldest ends', async () => {
  const first = await register()
  for (let at = 0; at < 50; at++) equal((await login(first.email)).status, 200)
  equal(await reasonOf(first), 'revoked')
})

test('Z4 the cookie is HttpOnly, SameSite and, on HTTPS, has the __Host- prefix', async () => {
  const reply = await call('POST', '/v1/auth/register', { body: { name: 'A', email: newLogin(), password } })
  match(
    reply.headers.get('set-cookie')!,
    /^bozor_session=bs_test_[0-9A-Za-z]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
  )
  const secure = await openPlatform({ env: { PUBLIC_URL: 'https://shop.example' }, connection })
  const email = newLogin()
  const behind = await secure.call('POST', '/v1/auth/register', { body: { name: 'A', email, password } })
  const [cookie] = behind.headers.get('set-cookie')!.split(';')
  match(
    behind.headers.get('set-cookie')!,
    /^__Host-bozor_session=bs_test_\w{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
  )
  const me = (sent: string) => secure.call('GET', '/v1/auth/me', { key: null, headers: { cookie: sent } })
  equal((await me(cookie!)).status, 200)
  equal((await me(cookie!.replace('__Host-', ''))).status, 401)
})

test('Z4 a session in the URL is ignored', async () => {
  const { cookie } = await register()
  const value = cookie.split('=')[1]!
  const reply = await call('GET', `/v1/auth/me?bozor_session=${value}`, { key: null })
  equal(reply.status, 401)
  const asBearer = await call('GET', '/v1/auth/me', { key: value })
  equal(assertRefused('unauthorized', asBearer).reason, 'malformed')
})

test('a session of one environment does not work in the other', async () => {
  const browser = await register()
  const edited = browser.cookie.replace('bs_test_', 'bs_live_')
  const reply = await call('GET', '/v1/auth/me', { key: null, headers: { cookie: edited } })
  equal(assertRefused('unauthorized', reply).reason, 'unknown')
})

test('a client session has no admin access', async () => {
  const browser = await register()
  equal((await browser.call('GET', '/v1/catalog/categories')).status, 200)
  const refused = assertRefused(
    'insufficient_permissions',
    await browser.call('GET', '/v1/admin/applications'),
  )
  deepEqual(refused.current_scopes, [
    'catalog:read',
    'cart:read',
    'cart:write',
    'orders:read',
    'orders:write',
    'profile:read',
    'profile:write',
  ])
})

test('client routes refuse applications', async () => {
  for (const [method, path] of [
    ['GET', '/v1/auth/me'],
    ['GET', '/v1/auth/sessions'],
    ['POST', '/v1/auth/logout'],
  ] as const)
    assertRefused('insufficient_permissions', await call(method, path))
})

test('a client ends only own sessions', async () => {
  const [mine, theirs] = [await register(), await register()]
  assertRefused('not_found', await mine.call('DELETE', `/v1/auth/sessions/${theirs.session.id}`))
  equal((await theirs.call('GET', '/v1/auth/me')).status, 200)
  equal((await mine.call('DELETE', `/v1/auth/sessions/${mine.session.id}`)).status, 200)
  equal(await reasonOf(mine), 'revoked')
})

test('no table, event or reply contains a password, session or token in plain text', async () => {
  const browser = await register()
  const tables = [
    'identity_clients',
    'identity_sessions',
    'identity_attempts',
    'outbox_events',
    'idempotency_records',
  ]
  const key = { 'idempotency-key': 'sign-in-once' }
  const first = await login(browser.email, key)
  const again = await login(browser.email, key)
  deepEqual([again.headers.get('set-cookie'), again.body.data.csrf_token], [null, null])
  equal(again.headers.get('idempotent-replayed'), 'true')
  const secrets = [
    password,
    browser.cookie.split('=')[1]!,
    browserWith(url, first).cookie.split('=')[1]!,
    browser.csrfToken,
  ]
  for (const table of tables) {
    const rows = JSON.stringify(await db.read().all(`select t::text from ${table} t`))
    for (const secret of secrets) ok(!rows.includes(secret), `${table} holds a secret`)
  }
  doesNotMatch(first.text, /argon2/)
})

test('Z5 a session ends after thirty days without use and after ninety days, across restarts', async () => {
  const [idle, used] = [await register(), await register()]
  await advance('P20D')
  equal((await used.call('GET', '/v1/auth/me')).status, 200)
  await advance('P10DT1H')
  const details = assertRefused('unauthorized', await idle.call('GET', '/v1/auth/me'))
  equal(details.reason, 'token_expired')
  match(details.expires_at, /Z$/)
  equal((await used.call('GET', '/v1/auth/me')).status, 200)
  const restarted = await openPlatform({ connection })
  const there = ({ cookie }: SignedIn) =>
    restarted.call('GET', '/v1/auth/me', { key: null, headers: { cookie } })
  equal((await there(idle)).status, 401)
  for (const step of ['P29D', 'P29D']) {
    equal((await used.call('GET', '/v1/auth/me')).status, 200)
    await advance(step)
  }
  equal((await used.call('GET', '/v1/auth/me')).status, 200)
  await advance('P2D')
  equal(await reasonOf(used), 'token_expired')
})

test('the purge job deletes ended sessions and old counts, and keeps open sessions', async () => {
  const rows = (table: string) => db.read().all<{ id: string }>(`select * from ${table}`)
  const [old, ended] = [await register(), await register()]
  await ended.call('POST', '/v1/auth/logout')
  assertRefused(
    'invalid_credentials',
    await call('POST', '/v1/auth/login', { body: { login: old.email, password: 'no' } }),
  )
  await advance('P8D')
  const ids = async () => (await rows('identity_sessions')).map((it) => it.id)
  const before = await ids()
  deepEqual([before.includes(old.session.id), before.includes(ended.session.id)], [true, false])
  await advance('P90D')
  const browser = await register()
  deepEqual(await ids(), [browser.session.id])
  deepEqual(await rows('identity_attempts'), [])
  equal((await browser.call('GET', '/v1/auth/me')).status, 200)
})
