import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOf } from '../../http/route.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { callAt, openPlatform } from '../../../test/support/shop.ts'
import { addMember, cookieIn, memberAt, signedIn, testPassword } from '../../../test/support/member.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { roles } from './member.ts'

const platform = await openPlatform()
const { app, call, keys, url } = platform
const second = await openPlatform({ connection: platform.connection })
const members = '/v1/admin/members'
const invitations = `${members}/invitations`

const owner = await memberAt(platform, 'owner', 'owner@shop.uz')
const signIn = (body: object) => call('POST', '/v1/admin/sessions', { key: null, body })

async function invited(email: string, role = 'analyst') {
  const reply = await owner.call('POST', invitations, { body: { email, role } })
  equal(reply.status, 201, reply.text)
  return reply.body.data as { invitation: { id: string }; token: string; link: string }
}
const accept = (token: string, password = testPassword) =>
  call('POST', `${invitations}/accept`, { key: null, body: { token, name: 'Bek', password } })

test('unknown members, deactivated members and wrong passwords get the same reply', async () => {
  const out = await addMember(platform, 'analyst', 'out@shop.uz')
  await owner.call('POST', `${members}/${out.id}/deactivate`)
  const wrong = [
    { email: 'nobody@shop.uz', password: testPassword },
    { email: 'out@shop.uz', password: testPassword },
    { email: 'owner@shop.uz', password: 'another password' },
    { email: 'not an address@', password: testPassword },
  ]
  const replies = await Promise.all(wrong.map(signIn))
  for (const reply of replies) {
    deepEqual(assertRefused('invalid_credentials', reply), {})
    deepEqual(reply.headers.getSetCookie(), [])
  }
})

test('e-mail addresses ignore case, passwords do not', async () => {
  await addMember(platform, 'analyst', 'case@shop.uz')
  equal((await signIn({ email: ' Case@SHOP.uz', password: testPassword })).status, 201)
  equal((await signIn({ email: 'case@shop.uz', password: testPassword.toUpperCase() })).status, 401)
})

test('locks an account after ten attempts without revealing whether it exists', async () => {
  await addMember(platform, 'analyst', 'tried@shop.uz')
  for (const email of ['tried@shop.uz', 'untold@shop.uz']) {
    const attempts = []
    for (let turn = 0; turn < 12; turn++) attempts.push(await signIn({ email, password: 'wrong password' }))
    deepEqual(
      attempts.map((it) => it.status),
      [...Array<number>(10).fill(401), 429, 429],
    )
  }
  equal((await signIn({ email: 'tried@shop.uz', password: testPassword })).status, 429)
})

test('a member sees profile, scopes and environment, and each request may name another environment', async () => {
  for (const environment of ['live', 'test'] as const) {
    const { body } = await owner.call('GET', '/v1/admin/me', { environment })
    equal(body.data.environment, environment)
    equal(body.data.member.email, 'owner@shop.uz')
    equal(body.data.scopes.length, 12)
    await owner.call('POST', '/v1/catalog/brands', {
      environment,
      body: { slug: `by-owner-${environment}`, name: 'x' },
    })
  }
  const slugs = async (key: string) =>
    (await call('GET', '/v1/catalog/brands', { key })).body.data.brands.map((it: { slug: string }) => it.slug)
  deepEqual([await slugs(keys.live), await slugs(keys.test)], [['by-owner-live'], ['by-owner-test']])
})

test('a session acts in the environment of its sign-in unless the request names another', async () => {
  const { email } = await addMember(platform, 'analyst', 'mark@shop.uz')
  for (const environment of ['live', 'test']) {
    const reply = await signIn({ email, password: testPassword, environment })
    const cookie = cookieIn(reply)
    match(cookie, new RegExp(`^bozor_member=ms_${environment}_[0-9A-Za-z]{40}$`))
    const me = await call('GET', '/v1/admin/me', { key: null, headers: { cookie } })
    equal(me.body.data.environment, environment)
  }
  const strange = await owner.call('GET', '/v1/admin/me', { headers: { 'x-environment': 'staging' } })
  equal(assertRefused('invalid_header', strange).header, 'X-Environment')
})

test('the member cookie is hidden from scripts and other sites', async () => {
  const reply = await signIn({ email: 'owner@shop.uz', password: testPassword })
  match(reply.headers.getSetCookie()[0]!, /; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
  const headers = { cookie: cookieIn(reply) }
  const write = (more: object) =>
    call('POST', '/v1/admin/applications', {
      key: null,
      headers: { ...headers, ...more },
      body: { name: 'x', type: 'web', scopes: ['catalog:read'] },
    })
  assertRefused('origin_mismatch', await write({}))
  assertRefused('origin_mismatch', await write({ origin: 'https://elsewhere.example' }))
  assertRefused('origin_mismatch', await write({ 'x-csrf-token': 'guessed' }))
  equal((await write({ origin: url })).status, 201)
  equal((await write({ 'x-csrf-token': reply.body.data.csrf_token })).status, 201)
})

for (const role of roles)
  test(`${role}: every path is open or closed as the table of roles says`, async () => {
    const member = await memberAt(platform, role, `${role}.paths@shop.uz`)
    const { scopes } = (await member.call('GET', '/v1/admin/me')).body.data
    for (const { method, path, declared } of app.routes.filter((it) => it.declared.scope !== null)) {
      if (declared.needs === 'client' || declared.needs === 'session') continue
      const target = path.replaceAll(/\{\w+\}/g, '1')
      const headers = { prefer: 'dry-run' }
      const { status } = await member.call(method, target, { headers })
      const isOpen =
        scopesOf(declared).every((it) => scopes.includes(it)) &&
        (declared.needs !== 'owner' || role === 'owner')
      equal(status !== 403, isOpen, `${method} ${path} ${status}`)
    }
  })

test('a developer grants only own scopes to keys, and none of campaigns', async () => {
  const developer = await memberAt(platform, 'developer', 'developer@shop.uz')
  const register = (scopes: string[]) =>
    developer.call('POST', '/v1/admin/applications', { body: { name: 'x', type: 'server', scopes } })
  equal((await register(['catalog:read', 'cart:write', 'orders:write'])).status, 201)
  deepEqual(assertRefused('insufficient_permissions', await register(['marketing:write'])).required_scopes, [
    'marketing:write',
  ])
})

test('applications cannot manage members or their sessions, whatever their scopes', async () => {
  const body = { email: 'x@shop.uz', role: 'owner' }
  equal(assertRefused('insufficient_permissions', await call('POST', invitations, { body })).needs, 'owner')
  equal(assertRefused('insufficient_permissions', await call('GET', '/v1/admin/me')).needs, 'member')
  equal((await call('GET', members, { key: keys.live })).status, 200)
})

test('an invitation link is shown once and accepted once', async () => {
  const { invitation, token, link } = await invited('bek@shop.uz', 'operator')
  match(token, /^inv_[0-9A-Za-z]{40}$/)
  equal(link, `${url}/dashboard/join#${token}`)
  const { text } = await owner.call('GET', invitations)
  ok(text.includes(invitation.id) && !text.includes(token))
  assertRefused('not_found', await accept(`inv_${'x'.repeat(40)}`))
  const both = await Promise.all([accept(token), accept(token)])
  deepEqual(both.map((it) => it.status).toSorted(), [201, 404])
  const joined = both.find((it) => it.status === 201)!.body.data.member
  deepEqual([joined.email, joined.role, joined.name], ['bek@shop.uz', 'operator', 'Bek'])
  assertRefused('not_found', await accept(token))
  equal((await signIn({ email: 'bek@shop.uz', password: testPassword })).status, 201)
})

test('replaced and revoked links are not found, and an accepted invitation cannot be revoked', async () => {
  const first = await invited('second@shop.uz')
  const path = `${invitations}/${first.invitation.id}`
  const resent = (await owner.call('POST', `${path}/resend`)).body.data
  assertRefused('not_found', await accept(first.token))
  equal((await accept(resent.token)).status, 201)
  for (const action of ['resend', 'revoke'])
    equal(
      assertRefused('invalid_transition', await owner.call('POST', `${path}/${action}`)).state,
      'accepted',
    )

  const other = await invited('third@shop.uz')
  const revoke = () => owner.call('POST', `${invitations}/${other.invitation.id}/revoke`)
  equal((await revoke()).body.data.invitation.state, 'revoked')
  equal((await revoke()).status, 200)
  assertRefused('not_found', await accept(other.token))
  equal((await invited('third@shop.uz')).invitation.id === other.invitation.id, false)
})

test('an invitation expires after a week by the live clock, not by the test clock', async () => {
  const { token } = await invited('late@shop.uz')
  await call('POST', '/v1/test/clock', { body: { advance: 'P30D' } })
  equal((await owner.call('GET', '/v1/admin/me')).status, 200)
  const { live } = app.shops
  live.clock.offsetMs = 7 * 86_400_000 - 60_000
  equal(
    (
      await call('POST', `${invitations}/accept`, {
        key: null,
        body: { token, name: 'x', password: 'short' },
      })
    ).status,
    422,
  )
  live.clock.offsetMs = 7 * 86_400_000 + 1_000
  assertRefused('not_found', await accept(token))
  live.clock.offsetMs = 0
  await call('DELETE', '/v1/test/clock')
})

test('rejects a second invitation, an existing member and an invalid address', async () => {
  await invited('once@shop.uz')
  const again = (body: object) => owner.call('POST', invitations, { body })
  assertRefused('conflict', await again({ email: 'Once@shop.uz', role: 'owner' }))
  const taken = await again({ email: 'OWNER@shop.uz', role: 'owner' })
  deepEqual(assertRefused('validation_failed', taken).fields[0].rule, 'taken')
  for (const body of [
    { email: 'x', role: 'owner' },
    { email: 'a@b@c.uz', role: 'owner' },
    { email: 'x@shop.uz', role: 'king' },
    { email: 'x@shop.uz' },
    { email: 'x@shop.uz', role: 'owner', name: 'X' },
    { email: 7, role: 'owner' },
  ])
    assertRefused('validation_failed', await again(body))
})

test('rejects weak passwords when joining and when changing the password', async () => {
  const { token } = await invited('weak@shop.uz')
  for (const [weak, rule] of [
    ['short', 'min_length'],
    ['password123', 'guessable'],
    ['weak@shop.uz', 'guessable'],
  ] as const)
    equal(assertRefused('validation_failed', await accept(token, weak)).fields[0].rule, rule)
})

test('changing a password needs the old one and ends all other sessions', async () => {
  const one = await memberAt(platform, 'operator', 'changes@shop.uz')
  const other = await signedIn(url, one)
  const change = (current_password: string, new_password: string) =>
    one.call('POST', '/v1/admin/me/password', { body: { current_password, new_password } })
  const wrong = await change('not the old one', 'a fresh password')
  deepEqual(assertRefused('validation_failed', wrong).fields[0].path, 'current_password')
  equal((await change(testPassword, 'a fresh password')).status, 200)
  equal((await one.call('GET', '/v1/admin/me')).status, 200)
  deepEqual(assertRefused('unauthorized', await other.call('GET', '/v1/admin/me')), { reason: 'revoked' })
  equal((await signIn({ email: one.email, password: testPassword })).status, 401)
  equal((await signIn({ email: one.email, password: 'a fresh password' })).status, 201)
})

test('a member lists own sessions and ends one, all others, or the current one', async () => {
  const { id, email } = await addMember(platform, 'analyst', 'sessions@shop.uz')
  const [a, b, c, d] = [
    await signedIn(url, { id, email }),
    await signedIn(url, { id, email }),
    await signedIn(url, { id, email }),
    await signedIn(url, { id, email }),
  ]
  const open = async () => (await a.call('GET', '/v1/admin/sessions')).body.data.sessions
  equal((await open()).length, 4)
  const me = (await b.call('GET', '/v1/admin/me')).body.data
  equal((await a.call('DELETE', `/v1/admin/sessions/${me.session_id}`)).status, 200)
  assertRefused('unauthorized', await b.call('GET', '/v1/admin/me'))
  assertRefused('not_found', await a.call('DELETE', `/v1/admin/sessions/${me.session_id}`))
  const otherSession = (await owner.call('GET', '/v1/admin/me')).body.data.session_id
  assertRefused('not_found', await a.call('DELETE', `/v1/admin/sessions/${otherSession}`))
  const out = await d.call('DELETE', '/v1/admin/sessions/current')
  match(out.headers.getSetCookie()[0]!, /^bozor_member=; .*Max-Age=0/)
  assertRefused('unauthorized', await d.call('GET', '/v1/admin/me'))
  equal((await a.call('DELETE', '/v1/admin/sessions')).body.data.ended, 1)
  assertRefused('unauthorized', await c.call('GET', '/v1/admin/me'))
  deepEqual(
    (await open()).map((it: { is_current: boolean }) => it.is_current),
    [true],
  )
})

test('a member session ends after a day without use and after fourteen days', async () => {
  const { id, email } = await addMember(platform, 'analyst', 'idle@shop.uz')
  const { clock } = app.shops.live
  const idle = await signedIn(url, { id, email })
  clock.offsetMs = 25 * 3_600_000
  const late = assertRefused('unauthorized', await idle.call('GET', '/v1/admin/me'))
  equal(late.reason, 'token_expired')
  const busy = await signedIn(url, { id, email })
  for (let day = 1; day < 14; day++) {
    clock.offsetMs += 23 * 3_600_000
    equal((await busy.call('GET', '/v1/admin/me')).status, 200)
  }
  clock.offsetMs += 2 * 86_400_000
  equal(assertRefused('unauthorized', await busy.call('GET', '/v1/admin/me')).reason, 'token_expired')
  clock.offsetMs = 0
})

test('a changed role applies from the next request, on every server', async () => {
  const elsewhere = await signedIn(second.url, await addMember(platform, 'owner', 'demoted@shop.uz'))
  equal((await elsewhere.call('GET', members)).status, 200)
  const path = `${members}/${elsewhere.id}`
  equal((await owner.call('PATCH', path, { body: { role: 'analyst' } })).body.data.member.role, 'analyst')
  const write = () => elsewhere.call('POST', '/v1/catalog/brands', { body: { slug: 'x-y', name: 'x' } })
  await waitUntil(async () => (await write()).status === 403)
  deepEqual(assertRefused('insufficient_permissions', await write()).required_scopes, ['catalog:write'])
})

test('a deactivated member loses access on every server, and gets it back with the same role and password', async () => {
  const elsewhere = await signedIn(second.url, await addMember(platform, 'operator', 'gone@shop.uz'))
  const here = await signedIn(url, elsewhere)
  const path = `${members}/${here.id}`
  const out = await owner.call('POST', `${path}/deactivate`)
  equal(out.body.data.member.state, 'deactivated')
  deepEqual(assertRefused('unauthorized', await here.call('GET', '/v1/admin/me')), { reason: 'revoked' })
  await waitUntil(async () => (await elsewhere.call('GET', '/v1/admin/me')).status === 401)
  deepEqual((await owner.call('POST', `${path}/deactivate`)).body.data, out.body.data)
  equal((await owner.call('POST', `${path}/reactivate`)).body.data.member.role, 'operator')
  equal((await here.call('GET', '/v1/admin/me')).status, 401)
  equal((await signedIn(url, here)).email, here.email)
})

test('rejects a stale version and accepts the current one', async () => {
  const { id } = await addMember(platform, 'analyst', 'versioned@shop.uz')
  const change = (name: string, version: number) =>
    owner.call('PATCH', `${members}/${id}`, { body: { name }, headers: { 'if-match': `"${version}"` } })
  equal((await change('One', 1)).status, 200)
  assertRefused('version_mismatch', await change('Two', 1))
  equal((await change('Two', 2)).status, 200)
})

test('audits what a member does, with name and environment', async () => {
  const operator = await memberAt(platform, 'operator', 'noted@shop.uz')
  await operator.call('PATCH', '/v1/admin/me', { body: { name: 'Nodira' } })
  await operator.call('POST', '/v1/catalog/brands', { body: { slug: 'noted', name: 'x' } })
  const log = async (environment: 'live' | 'test') =>
    (await owner.call('GET', `/v1/admin/audit-log?actor=${operator.id}&sort=at`, { environment })).body.data
      .records
  const inTest = await log('test')
  equal(inTest.length, 1)
  match(inTest[0].subject, /^brand\//)
  deepEqual(
    [inTest[0].actor.kind, inTest[0].actor.name, inTest[0].path],
    ['member', 'Nodira', '/v1/catalog/brands'],
  )
  const inLive = await log('live')
  deepEqual(
    inLive.map((it: { events: string[] }) => it.events),
    [['MemberSignedIn'], ['MemberChanged']],
  )
})

test('no table contains a secret of a member', async () => {
  const { token } = await invited('kept@shop.uz')
  const secrets = [token, owner.cookie.split('=')[1]!, owner.csrfToken, testPassword]
  const rows = await app.shops.live.db.read().all<{ row: string }>(
    `select to_jsonb(t)::text as row from platform.identity_members t
     union all select to_jsonb(t)::text from platform.identity_member_sessions t
     union all select to_jsonb(t)::text from platform.identity_invitations t
     union all select to_jsonb(t)::text from live.identity_audit t
     union all select to_jsonb(t)::text from live.idempotency_records t
     union all select to_jsonb(t)::text from live.outbox_events t`,
  )
  ok(rows.length > 20)
  for (const { row } of rows) for (const secret of secrets) ok(!row.includes(secret), row)
})

test("X-Environment selects the member's cookie when a client cookie is sent too", async () => {
  const cookie = `bozor_session=bs_test_${'x'.repeat(43)}; ${owner.cookie}`
  const reply = await callAt(url, 'GET', '/v1/admin/me', { headers: { cookie, 'x-environment': 'test' } })
  equal(reply.status, 200)
})

test('a replayed invitation has no link and creates no second invitation', async () => {
  const input = { body: { email: 'twice@shop.uz', role: 'analyst' }, headers: { 'idempotency-key': 'twice' } }
  const first = await owner.call('POST', invitations, input)
  const again = await owner.call('POST', invitations, input)
  deepEqual(again.body.data, { ...first.body.data, token: null, link: null })
  equal((await accept(first.body.data.token)).status, 201)
})

test('a change without effect keeps the version and publishes nothing', async () => {
  const { id } = await addMember(platform, 'analyst', 'same@shop.uz')
  const reply = await owner.call('PATCH', `${members}/${id}`, { body: { role: 'analyst' } })
  equal(reply.headers.get('etag'), '"1-ru"')
})

test('deletes ended sessions and invitations after a month, by the live clock', async () => {
  const leaver = await memberAt(platform, 'analyst', 'leaver@shop.uz')
  await leaver.call('DELETE', '/v1/admin/sessions/current')
  const { invitation } = await invited('never@shop.uz')
  const { live, test: trial } = app.shops
  const left = async () => {
    const found = await live.db.read().all(
      `select id from identity_member_sessions where member_id = $1
       union all select id from identity_invitations where id = $2`,
      [leaver.id, invitation.id],
    )
    return found.length
  }
  trial.clock.offsetMs = 400 * 86_400_000
  await trial.jobs.runNow('purge-old-records')
  trial.clock.offsetMs = 0
  equal(await left(), 2)
  live.clock.offsetMs = 29 * 86_400_000
  await live.jobs.runNow('purge-old-records')
  equal(await left(), 2)
  live.clock.offsetMs = 38 * 86_400_000
  await live.jobs.runNow('purge-old-records')
  live.clock.offsetMs = 0
  equal(await left(), 0)
})
