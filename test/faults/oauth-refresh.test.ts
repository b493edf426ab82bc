import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../src/base/random.ts'
import {
  Browser,
  codeFor,
  credentialsOf,
  exchangeCode,
  newApplication,
  newBuyer,
  refresh,
  sendForm,
} from '../support/oauth.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openPlatform()
const { app, url, call, keys } = platform
const other = await openPlatform({ connection: platform.connection })
const application = await newApplication(platform)
const buyer = await newBuyer(url, keys.test)
const browser = new Browser(url)

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

async function newTokens(more: Record<string, string> = {}): Promise<Tokens> {
  const code = await codeFor(browser, application, { phone: buyer.phone, ...more })
  return (await exchangeCode(url, application, code)).body as Tokens
}

async function renewed(token: string, more: Record<string, string> = {}): Promise<Tokens> {
  const reply = await refresh(url, application, token, more)
  equal(reply.status, 200, reply.text)
  return reply.body as Tokens
}

const at = (server: { call: typeof call }, key: string) => server.call('GET', '/v1/auth/me', { key })

const refused = ({ status, body, text }: Reply) => {
  equal(body?.error, 'invalid_grant', text)
  equal(status, 400)
}

test('a refresh returns the shape of SPEC-1 5.2 and a new refresh token; the old access token stays valid', async () => {
  const first = await newTokens()
  const second = await renewed(first.refresh_token)
  deepEqual(Object.keys(second).toSorted(), Object.keys(first).toSorted())
  notEqual(second.refresh_token, first.refresh_token)
  equal(second.scope, first.scope)
  equal((await at(platform, first.access_token)).status, 200)
  equal((await at(platform, second.access_token)).status, 200)
})

test('a reused refresh token revokes the whole chain, on every server', async () => {
  const first = await newTokens()
  const second = await renewed(first.refresh_token)
  const third = await renewed(second.refresh_token)
  const apart = await newTokens()
  equal((await at(other, third.access_token)).status, 200)
  refused(await refresh(url, application, first.refresh_token))
  refused(await refresh(url, application, third.refresh_token))
  for (const { access_token } of [first, second, third])
    equal(assertRefused('unauthorized', await at(platform, access_token)).reason, 'revoked')
  await waitUntil(async () => (await at(other, third.access_token)).status === 401)
  refused(await refresh(other.url, application, third.refresh_token))
  equal((await at(platform, apart.access_token)).status, 200)
  await renewed(apart.refresh_token)
})

test('reuse right after the first use revokes the chain, even when the successor is unused', async () => {
  const first = await newTokens()
  const second = await renewed(first.refresh_token)
  refused(await refresh(url, application, first.refresh_token))
  refused(await refresh(url, application, second.refresh_token))
  const published = await app.shops.test.db
    .read()
    .all<{ type: string }>(
      `select type from outbox_events where type in ('TokensRevoked', 'RefreshTokenReused')`,
    )
  ok(published.some((it) => it.type === 'RefreshTokenReused'))
})

test('twenty concurrent refreshes get the same reply, and its tokens stay valid', async () => {
  for (let round = 0; round < 3; round++) {
    const first = await newTokens()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => refresh(url, application, first.refresh_token)),
    )
    equal(
      new Set(replies.map((it) => `${it.status} ${it.text}`)).size,
      1,
      replies.map((it) => it.text).join('\n'),
    )
    const [{ body }] = replies as [Reply]
    equal((await at(platform, body.access_token)).status, 200)
    const { count } = await app.shops.test.db.read().one<{ count: number }>(
      `select count(*) as count from identity_tokens where kind = 'refresh' and consumed_at is null
         and grant_id = (select grant_id from identity_tokens where hash = $1)`,
      [sha256(first.refresh_token)],
    )
    equal(count, 1)
    await renewed(body.refresh_token)
  }
})

test('concurrent refreshes on two servers get the same reply', async () => {
  const first = await newTokens()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      refresh(n % 2 === 0 ? url : other.url, application, first.refresh_token),
    ),
  )
  for (const it of replies) equal(`${it.status} ${it.text}`, `200 ${replies[0]!.text}`)
  await renewed(replies[0]!.body.refresh_token)
})

test('refreshes that arrive seconds late get the reply of the concurrent ones', async () => {
  const first = await newTokens()
  const replies = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      // The first two concurrently, then one after another.
      await pause(Math.max(0, n - 1) * 150)
      return refresh(n % 3 === 0 ? other.url : url, application, first.refresh_token)
    }),
  )
  for (const it of replies) equal(`${it.status} ${it.text}`, `200 ${replies[0]!.text}`)
  const next = await renewed(replies[0]!.body.refresh_token)
  refused(await refresh(url, application, first.refresh_token))
  refused(await refresh(url, application, next.refresh_token))
})

test('reuse long after a concurrent refresh revokes the chain', async () => {
  const first = await newTokens()
  const [reply] = await Promise.all([1, 2].map(() => refresh(url, application, first.refresh_token)))
  await call('POST', '/v1/test/clock', { body: { advance: 'PT6S' } })
  refused(await refresh(url, application, first.refresh_token))
  refused(await refresh(url, application, reply!.body.refresh_token))
})

test('a concurrent refresh for another scope or application does not get the first reply', async () => {
  const otherApplication = await newApplication(platform)
  const first = await newTokens()
  const [same, narrower, strange] = await Promise.all([
    refresh(url, application, first.refresh_token),
    refresh(url, application, first.refresh_token, { scope: 'cart:read' }),
    refresh(url, otherApplication, first.refresh_token),
  ])
  refused(strange)
  const served = [same, narrower].filter((it) => it.status === 200)
  equal(served.length, 1)
  await renewed(served[0]!.body.refresh_token)
})

test('introspecting a refresh token in use does not reveal its successor', async () => {
  const first = await newTokens()
  const look = () =>
    sendForm(url, '/oauth/introspect', { token: first.refresh_token, ...credentialsOf(application) })
  const using = refresh(url, application, first.refresh_token)
  const looked: Reply[] = []
  await waitUntil(
    async () => {
      looked.push(await look())
      return looked.at(-1)!.body.active === false
    },
    { what: 'the used token is inactive', pollMs: 0 },
  )
  for (const it of looked) ok(!it.text.includes('access_token'), it.text)
  equal((await using).status, 200)
})

test('a refresh may narrow the access token but not the refresh token', async () => {
  const first = await newTokens()
  const narrow = await renewed(first.refresh_token, { scope: 'cart:read' })
  equal(narrow.scope, 'cart:read')
  equal((await renewed(narrow.refresh_token)).scope, first.scope)
})

test('a refresh token is bound to its application and expires after fourteen days', async () => {
  const otherApplication = await newApplication(platform)
  const first = await newTokens()
  refused(await refresh(url, otherApplication, first.refresh_token))
  const second = await renewed(first.refresh_token)
  await call('POST', '/v1/test/clock', { body: { advance: 'P13DT23H' } })
  const third = await renewed(second.refresh_token)
  await call('POST', '/v1/test/clock', { body: { advance: 'P14D' } })
  refused(await refresh(url, application, third.refresh_token))
})

test('revoking a refresh token revokes its chain; revoking an access token revokes only that token', async () => {
  const give = (token: string) => sendForm(url, '/oauth/revoke', { token, ...credentialsOf(application) })
  const first = await newTokens()
  equal((await give(first.access_token)).status, 200)
  equal(assertRefused('unauthorized', await at(platform, first.access_token)).reason, 'revoked')
  const second = await renewed(first.refresh_token)
  equal((await give(second.refresh_token)).status, 200)
  equal(assertRefused('unauthorized', await at(platform, second.access_token)).reason, 'revoked')
  refused(await refresh(url, application, second.refresh_token))
})

test('a new password revokes all grants', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const own = new Browser(url)
  const code = await codeFor(own, application, { phone })
  const { body } = await exchangeCode(url, application, code)
  equal((await at(platform, body.access_token)).status, 200)
  const session = own.cookies.find((it) => it.startsWith('bs_'))!
  const reply = await call('POST', '/v1/auth/password', {
    key: null,
    body: { current_password: 'seven blue melons', new_password: 'eight green melons' },
    headers: { cookie: `bozor_session=${session}`, origin: url },
  })
  equal(reply.status, 200, reply.text)
  equal(assertRefused('unauthorized', await at(platform, body.access_token)).reason, 'revoked')
  refused(await refresh(url, application, body.refresh_token))
})

test('deletes old tokens in batches and keeps valid ones', async () => {
  const kept = await newTokens()
  await call('POST', '/v1/test/clock', { body: { advance: 'P1D' } })
  const { db } = app.shops.test
  await db.transaction(async (tx) => {
    await tx.all(
      `insert into identity_tokens (hash, kind, application_id, scopes, created_at, expires_at, rest)
       select sha256(n::text::bytea), 'access', $1, '{}', $2, $2, '{}' from generate_series(1, 2500) n`,
      [application.id, new Date(tx.now.getTime() - 8 * 86_400_000)],
    )
  })
  ok(await app.shops.test.jobs.runNow('purge-tokens'))
  const old = `select count(*) as count from identity_tokens where expires_at < $1`
  const before = new Date(app.shops.test.clock.now().getTime() - 7 * 86_400_000)
  equal((await db.read().one<{ count: number }>(old, [before])).count, 0)
  const next = await renewed(kept.refresh_token)
  const answers = () =>
    db
      .read()
      .one<{ count: number }>(`select count(reply) as count from identity_tokens where hash = $1`, [
        sha256(kept.refresh_token),
      ])
  equal((await answers()).count, 1)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT2H' } })
  await app.shops.test.jobs.runNow('purge-tokens')
  equal((await answers()).count, 0)
  await renewed(next.refresh_token)
})
