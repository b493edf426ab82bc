import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { credentialsOf, clientCredentialsToken, newApplication, sendForm } from '../support/oauth.ts'
import { leaks, assertRefused } from '../support/refused.ts'
import { callAt, openPlatform, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openPlatform()
const { app, url, call } = platform
const application = await newApplication(platform, { type: 'server', scopes: ['catalog:read', 'cart:read'] })
const narrow = { grant_type: 'client_credentials', ...credentialsOf(application) }

const tokenOf = async (...given: Parameters<typeof clientCredentialsToken>): Promise<string> =>
  (await clientCredentialsToken(...given)).body.access_token as string

const read = (key: string) => call('GET', '/v1/catalog/brands?per_page=1', { key })

/** Fails unless the reply is an error of RFC 6749 5.2. */
function failsWith(error: string, reply: Reply, status = 400): void {
  equal(reply.body?.error, error, `${reply.status} ${reply.text}`)
  equal(reply.status, status)
  match(reply.headers.get('content-type') ?? '', /^application\/json/)
  equal(reply.headers.get('cache-control'), 'no-store')
  match(reply.headers.get('x-request-id') ?? '', /^[\w.-]{1,128}$/)
  match(reply.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  deepEqual(Object.keys(reply.body).toSorted(), ['error', 'error_description'])
  equal(leaks.test(reply.text), false, reply.text)
}

test('client credentials return a token in the shape of SPEC-1 5.2 with the requested scopes', async () => {
  const reply = await clientCredentialsToken(url, application, 'catalog:read')
  equal(reply.status, 200, reply.text)
  deepEqual(Object.keys(reply.body), ['access_token', 'token_type', 'expires_in', 'scope'])
  match(reply.body.access_token, /^at_test_/)
  deepEqual(
    { ...reply.body, access_token: '' },
    {
      access_token: '',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'catalog:read',
    },
  )
  equal(reply.headers.get('cache-control'), 'no-store')
  equal((await read(reply.body.access_token)).status, 200)
})

test('a token cannot exceed its scope', async () => {
  const token = await tokenOf(url, application, 'cart:read')
  const details = assertRefused('insufficient_permissions', await read(token))
  deepEqual(details, { required_scopes: ['catalog:read'], current_scopes: ['cart:read'] })
  const write = await call('POST', '/v1/catalog/brands', { key: token, body: { slug: 'x', name: 'X' } })
  assertRefused('insufficient_permissions', write)
})

test('an unknown or foreign scope is invalid_scope; without one all own scopes are granted', async () => {
  for (const scope of [
    'admin:*',
    'cart:*',
    '*',
    'nonsense',
    'admin:read',
    'catalog:read admin:write',
    'CATALOG:READ',
    'openid',
    'offline_access',
    'catalog:read\ncart:read',
  ])
    failsWith('invalid_scope', await clientCredentialsToken(url, application, scope))
  equal((await clientCredentialsToken(url, application)).body.scope, 'catalog:read cart:read')
})

test('both client authentication methods work, and using both at once is refused', async () => {
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${application.id}:${secret}`).toString('base64')}`,
  })
  const ask = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    sendForm(url, '/oauth/token', { grant_type: 'client_credentials', ...fields }, headers)
  equal((await ask(credentialsOf(application))).status, 200)
  equal((await ask({}, basic(application.secret))).status, 200)
  equal((await ask({ client_id: application.id }, basic(application.secret))).status, 200)
  failsWith('invalid_request', await ask(credentialsOf(application), basic(application.secret)))
  const other = await newApplication(platform)
  failsWith('invalid_request', await ask({ client_id: other.id }, basic(application.secret)))
})

test('a wrong secret, an unknown application, another scheme and none at all are invalid_client', async () => {
  const wrong = await sendForm(url, '/oauth/token', { ...narrow, client_secret: `${application.secret}x` })
  failsWith('invalid_client', wrong, 401)
  const header = { authorization: `Basic ${Buffer.from(`${application.id}:wrong`).toString('base64')}` }
  const basic = await sendForm(url, '/oauth/token', { grant_type: 'client_credentials' }, header)
  failsWith('invalid_client', basic, 401)
  match(basic.headers.get('www-authenticate') ?? '', /^Basic realm="/)
  const twin = application.id.replace('test', 'live')
  for (const id of ['nobody', 'app_test_00000000000000000000', twin, '__proto__'])
    failsWith('invalid_client', await sendForm(url, '/oauth/token', { ...narrow, client_id: id }), 401)
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const unnamed = { grant_type: 'client_credentials', token: 'x' }
    failsWith('invalid_client', await sendForm(url, path, unnamed), 401)
    const bearer = await sendForm(url, path, unnamed, { authorization: 'Bearer anything' })
    failsWith('invalid_client', bearer, 401)
    match(bearer.headers.get('www-authenticate') ?? '', /^Basic realm="/)
  }
  const other = await newApplication(platform)
  failsWith('invalid_client', await sendForm(url, '/oauth/token', { ...narrow, client_id: other.id }), 401)
  const key = { ...narrow, client_secret: application.apiKey }
  failsWith('invalid_client', await sendForm(url, '/oauth/token', key), 401)
})

test('an address that tries many secrets is limited, and a valid one still works', async () => {
  const { url: other, ...rest } = await openPlatform({ connection: platform.connection })
  void rest
  const replies: Reply[] = []
  for (let at = 0; at < 103; at++)
    replies.push(await sendForm(other, '/oauth/token', { ...narrow, client_secret: `guess ${at}` }))
  equal(replies.filter((it) => it.status === 401).length, 100)
  const held = replies.at(-1)!
  failsWith('rate_limit_exceeded', held, 429)
  ok(Number(held.headers.get('retry-after')) > 0)
  equal((await clientCredentialsToken(other, application)).status, 200)
})

test('OAuth requests count towards the rate limit', async () => {
  const { url: other } = await openPlatform({ connection: platform.connection, env: { RATE_LIMIT: '5/60s' } })
  const replies: Reply[] = []
  for (let at = 0; at < 6; at++) replies.push(await clientCredentialsToken(other, application))
  deepEqual(
    replies.map((it) => it.status),
    [200, 200, 200, 200, 200, 429],
  )
  equal(replies[0]!.headers.get('ratelimit-policy'), '"default";q=5;w=60')
  failsWith('rate_limit_exceeded', replies[5]!, 429)
})

test('the password grant and the implicit flow are unsupported', async () => {
  const fields = { ...narrow, grant_type: 'password', username: 'a', password: 'b' }
  failsWith('unsupported_grant_type', await sendForm(url, '/oauth/token', fields))
  failsWith(
    'unsupported_grant_type',
    await sendForm(url, '/oauth/token', { ...narrow, grant_type: 'implicit' }),
  )
  failsWith('invalid_request', await sendForm(url, '/oauth/token', credentialsOf(application)))
  for (const type of ['token', 'id_token', 'code token', 'none', 'id_token token']) {
    const query = new URLSearchParams({
      response_type: type,
      client_id: (await newApplication(platform)).id,
      redirect_uri: 'https://shop.example/signed-in?from=bozor',
      state: 's',
    })
    const reply = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' })
    equal(reply.status, 303)
    match(
      reply.headers.get('location') ?? '',
      /^https:\/\/shop\.example\/signed-in.*[?#&]error=unsupported_response_type&/,
    )
  }
})

test('rejects ambiguous requests: duplicates, JSON, other charsets, other methods', async () => {
  const twice: [string, string][] = [
    ...Object.entries(narrow),
    ['scope', 'catalog:read'],
    ['scope', 'cart:read'],
  ]
  failsWith('invalid_request', await sendForm(url, '/oauth/token', twice))
  failsWith(
    'invalid_request',
    await sendForm(url, '/oauth/token', [...Object.entries(narrow), ['anything', '1'], ['anything', '2']]),
  )
  failsWith('invalid_request', await callAt(url, 'POST', '/oauth/token', { body: narrow }))
  const text = new URLSearchParams(narrow).toString()
  const types = [
    'application/x-www-form-urlencoded; charset=utf-16',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/xml',
  ]
  for (const type of types)
    failsWith(
      'invalid_request',
      await callAt(url, 'POST', '/oauth/token', { raw: text, headers: { 'content-type': type } }),
    )
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const raw of [`${text}&scope=%ff`, `${text}&scope=%00`, `${text}&%63lient_id=x`, `${text}&x=%`])
    failsWith('invalid_request', await callAt(url, 'POST', '/oauth/token', { raw, headers: form }))
  const inAddress = await callAt(url, 'POST', `/oauth/token?${text}`, { raw: '', headers: form })
  failsWith('invalid_client', inAddress, 401)
  failsWith('invalid_request', await callAt(url, 'GET', `/oauth/token?${text}`, {}), 405)
  const large = await callAt(url, 'POST', '/oauth/token', {
    raw: `${text}&x=${'y'.repeat(40_000)}`,
    headers: form,
  })
  failsWith('invalid_request', large, 413)
})

test("a token expires to the second by the shop's clock, and the reply says when", async () => {
  const reply = await clientCredentialsToken(url, application)
  const token = reply.body.access_token as string
  const looked = async () =>
    (await sendForm(url, '/oauth/introspect', { token, ...credentialsOf(application) })).body
  const { exp, iat } = await looked()
  equal(exp - iat === 3600 || exp - iat === 3601, true)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT59M58S' } })
  equal((await read(token)).status, 200)
  equal((await looked()).active, true)
  equal((await looked()).exp, exp)
  await waitUntil(async () => (await read(token)).status !== 200)
  const now = app.shops.test.clock.now()
  const { reason, expires_at } = assertRefused('unauthorized', await read(token))
  equal(reason, 'token_expired')
  const endedAt = new Date(expires_at as string)
  ok(endedAt <= now && now.getTime() - endedAt.getTime() < 2_000, `${expires_at} at ${now.toISOString()}`)
  deepEqual(await looked(), { active: false })
  await call('DELETE', '/v1/test/clock', {})
})

test('text that is not our token format is malformed', async () => {
  const part = (it: object) => Buffer.from(JSON.stringify(it)).toString('base64url')
  const claims = part({ sub: '1', scope: 'admin:write', exp: 9_999_999_999 })
  const tricks = [
    `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
    `${part({ alg: 'HS256', kid: '../../../../dev/null' })}.${claims}.x`,
    `${part({ alg: 'RS256', jwk: { kty: 'RSA', n: 'x', e: 'AQAB' } })}.${claims}.x`,
    'at_test_short',
    `at_prod_${'a'.repeat(43)}`,
    `rt_test_${'a'.repeat(43)}`,
    `ac_test_${'a'.repeat(43)}`,
  ]
  for (const token of tricks) equal(assertRefused('unauthorized', await read(token)).reason, 'malformed')
  equal(assertRefused('unauthorized', await read(`at_test_${'a'.repeat(43)}`)).reason, 'unknown')
  const token = await tokenOf(url, application)
  equal(assertRefused('unauthorized', await read(token.replace('test', 'live'))).reason, 'unknown')
})

test('the reference documents every field of an introspection', async () => {
  const documentOf = async () => (await call('GET', '/openapi.json', { key: null })).body
  const { responses } = (await documentOf()).paths['/oauth/introspect'].post
  const { properties } = responses['200'].content['application/json'].schema
  const token = await tokenOf(url, application)
  const said = await sendForm(url, '/oauth/introspect', { token, ...credentialsOf(application) })
  deepEqual(
    Object.keys(said.body).filter((it) => !Object.hasOwn(properties, it)),
    [],
  )
})

test('a client credentials token has no subject', async () => {
  const server = await newApplication(platform, { type: 'server', scopes: ['cart:read'] })
  const token = await tokenOf(url, server)
  const said = (await sendForm(url, '/oauth/introspect', { token, ...credentialsOf(server) })).body
  equal(said.active, true)
  equal('sub' in said, false)
  const { needs } = assertRefused(
    'insufficient_permissions',
    await call('GET', '/v1/auth/me', { key: token }),
  )
  equal(needs, 'client')
})

test('an application without a secret cannot use client credentials', async () => {
  const mobile = await newApplication(platform, { type: 'mobile' })
  failsWith('unauthorized_client', await clientCredentialsToken(url, mobile))
})

test('an application without redirect URLs may not use the code grant', async () => {
  const server = await newApplication(platform, { type: 'server', redirectUrls: [] })
  const fields = { code: `ac_test_${'a'.repeat(43)}`, redirect_uri: 'https://shop.example/signed-in' }
  const code = { grant_type: 'authorization_code', ...fields, ...credentialsOf(server) }
  failsWith('unauthorized_client', await sendForm(url, '/oauth/token', code))
})

test('a token in a foreign format is not active, and revoking it succeeds', async () => {
  const part = (it: object) => Buffer.from(JSON.stringify(it)).toString('base64url')
  const jwt = `${part({ alg: 'RS256' })}.${part({ sub: '1' })}.c2ln`
  for (const token of [jwt, 'nonsense', 'ak_test_x', `${jwt} &x=1`]) {
    const looked = await sendForm(url, '/oauth/introspect', { token, ...credentialsOf(application) })
    deepEqual([looked.status, looked.body], [200, { active: false }], looked.text)
    const revoked = await sendForm(url, '/oauth/revoke', { token, ...credentialsOf(application) })
    deepEqual([revoked.status, revoked.body], [200, {}], revoked.text)
  }
  const wrong = { token: jwt, client_id: application.id, client_secret: 'x' }
  failsWith('invalid_client', await sendForm(url, '/oauth/introspect', wrong), 401)
  failsWith('invalid_request', await sendForm(url, '/oauth/introspect', credentialsOf(application)))
})

test('introspection requires a secret, as its metadata says', async () => {
  const mobile = await newApplication(platform, { type: 'mobile' })
  const ask = { token: `at_test_${'a'.repeat(43)}`, client_id: mobile.id }
  failsWith('invalid_client', await sendForm(url, '/oauth/introspect', ask), 401)
  equal((await sendForm(url, '/oauth/revoke', ask)).status, 200)
})

test('an application introspects and revokes only its own tokens', async () => {
  const other = await newApplication(platform, { type: 'server' })
  const token = await tokenOf(url, application, 'catalog:read')
  const ask = (path: string, by: typeof other) => sendForm(url, path, { token, ...credentialsOf(by) })
  deepEqual((await ask('/oauth/introspect', other)).body, { active: false })
  equal((await ask('/oauth/revoke', other)).status, 200)
  equal((await read(token)).status, 200)
  equal((await ask('/oauth/revoke', application)).status, 200)
  equal(assertRefused('unauthorized', await read(token)).reason, 'revoked')
  deepEqual((await ask('/oauth/introspect', application)).body, { active: false })
  equal((await ask('/oauth/revoke', application)).status, 200)
  failsWith('invalid_client', await sendForm(url, '/oauth/revoke', { token, client_id: application.id }), 401)
})

test('removing scopes or deleting an application affects its tokens on every server', async () => {
  const other = await openPlatform({ connection: platform.connection })
  const server = await newApplication(platform, { type: 'server', scopes: ['catalog:read', 'cart:read'] })
  const token = await tokenOf(url, server)
  const there = () => other.call('GET', '/v1/catalog/brands?per_page=1', { key: token })
  equal((await there()).status, 200)
  equal((await read(token)).status, 200)
  const path = `/v1/admin/applications/${server.id}`
  equal((await call('PATCH', path, { body: { scopes: ['cart:read'] } })).status, 200)
  assertRefused('insufficient_permissions', await read(token))
  await waitUntil(async () => (await there()).status === 403)
  equal((await call('DELETE', path)).status, 200)
  equal(assertRefused('unauthorized', await read(token)).reason, 'revoked')
  await waitUntil(async () => (await there()).status === 401)
  failsWith('invalid_client', await clientCredentialsToken(url, server), 401)
})

test("the metadata lists the endpoints under the caller's address", async () => {
  const reply = await callAt(url, 'GET', '/.well-known/oauth-authorization-server', {})
  equal(reply.status, 200)
  equal(reply.body.issuer, url)
  for (const name of ['authorization', 'token', 'revocation', 'introspection'])
    ok(reply.body[`${name}_endpoint`].startsWith(`${url}/oauth/`))
  equal((await callAt(url, 'GET', '/.well-known/openid-configuration', {})).status, 404)
})
