import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { secretText } from '../../src/base/random.ts'
import {
  allowed,
  authorizeAddress,
  Browser,
  codeFor,
  exchangeCode,
  newApplication,
  newBuyer,
  pkce,
  refresh,
  returned,
  signedInThrough,
} from '../support/oauth.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'

const platform = await openPlatform()
const { url, call, keys } = platform
const application = await newApplication(platform)
const buyer = await newBuyer(url, keys.test)
const browser = new Browser(url)
const code = (more: Record<string, string> = {}) =>
  codeFor(browser, application, { phone: buyer.phone, ...more })

const me = (key: string) => call('GET', '/v1/auth/me', { key })

function failsWith(error: string, { status, body, text }: Reply): void {
  equal(body?.error, error, text)
  equal(status, error === 'invalid_client' ? 401 : 400)
}

test('exchanges a code for tokens in the shape of SPEC-1 5.2 that act for the buyer', async () => {
  const reply = await exchangeCode(
    url,
    application,
    await code({ scope: 'cart:read profile:read catalog:read' }),
  )
  equal(reply.status, 200, reply.text)
  deepEqual(Object.keys(reply.body).toSorted(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ])
  const { access_token, refresh_token, ...rest } = reply.body
  deepEqual(rest, { expires_in: 3600, scope: 'catalog:read cart:read profile:read', token_type: 'Bearer' })
  match(access_token, /^at_test_[0-9A-Za-z]{43}$/)
  match(refresh_token, /^rt_test_[0-9A-Za-z]{43}$/)
  equal((await me(access_token)).body.data.client.id, String(buyer.id))
})

test('a reused code is refused and its tokens are revoked', async () => {
  const used = await code()
  const { body } = await exchangeCode(url, application, used)
  equal((await me(body.access_token)).status, 200)
  failsWith('invalid_grant', await exchangeCode(url, application, used))
  equal(assertRefused('unauthorized', await me(body.access_token)).reason, 'revoked')
  failsWith('invalid_grant', await refresh(url, application, body.refresh_token))
})

test('of twenty concurrent exchanges of one code one succeeds, and its tokens are revoked', async () => {
  const used = await code()
  const replies = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(url, application, used)))
  const [winner, ...others] = replies.toSorted((a, b) => a.status - b.status)
  equal(winner!.status, 200)
  for (const it of others) failsWith('invalid_grant', it)
  equal(assertRefused('unauthorized', await me(winner!.body.access_token)).reason, 'revoked')
  failsWith('invalid_grant', await refresh(url, application, winner!.body.refresh_token))
})

test("a code expires after sixty seconds of the shop's clock", async () => {
  const late = await code()
  await call('POST', '/v1/test/clock', { body: { advance: 'PT61S' } })
  failsWith('invalid_grant', await exchangeCode(url, application, late))
})

test('a redirect URL that is not registered exactly gets a page and no redirect', async () => {
  const { redirect } = application
  const bad = [
    redirect.slice(0, -1),
    `${redirect}x`,
    `${redirect}&more=1`,
    redirect.split('?')[0]!,
    redirect.replace('shop', 'Shop'),
    redirect.replace('signed', 'Signed'),
    redirect.replace('https:', 'http:'),
    redirect.replace('.example/', '.example:443/'),
    redirect.replace('.example/', '.example:8443/'),
    `${redirect}#fragment`,
    redirect.replace('//', '//user@'),
    redirect.replace('//', '//user:password@'),
    redirect.replace('shop.example', 'shоp.example'),
    redirect.replace('shop.example', 'shop.example.evil.example'),
    redirect.replace('/signed-in', '/x/../signed-in'),
    redirect.replace('/signed-in', '/%73igned-in'),
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://shop.example\r\nLocation: https://evil.example',
    '',
  ]
  for (const redirect_uri of bad)
    for (const more of [{}, { response_type: 'token' }, { scope: 'nonsense' }, { prompt: 'none' }]) {
      const shown = await new Browser(url).ask(authorizeAddress(application, { redirect_uri, ...more }))
      equal(shown.status, 400, `${redirect_uri} ${shown.location}`)
      equal(shown.headers.get('location'), null)
      match(shown.headers.get('content-type') ?? '', /^text\/html/)
      ok(!shown.text.includes('href="http'), redirect_uri)
    }
  const twice = `${authorizeAddress(application)}&redirect_uri=https%3A%2F%2Fevil.example%2F`
  equal((await browser.ask(twice)).status, 400)
  const none = `/oauth/authorize?response_type=code&client_id=${application.id}`
  equal((await browser.ask(none)).status, 400)
  const live = authorizeAddress(application).replace('app_test', 'app_live')
  equal((await browser.ask(live)).status, 400)
})

test('HEAD of an authorization replies as GET does, without the body', async () => {
  const unknown = '/oauth/authorize?client_id=unknown'
  for (const [address, status] of [
    [authorizeAddress(application), 303],
    [unknown, 400],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const reply = await fetch(url + address, { method, redirect: 'manual' })
      equal(reply.status, status, `${method} ${address}`)
      if (method === 'HEAD') equal(await reply.text(), '')
    }
})

test('returns state unchanged: absent, long, unusual, or with line breaks', async () => {
  const states = [
    secretText(4_096),
    'a b+c&d=e;f%20g"h\'i<j>k\\l',
    'line\r\nSet-Cookie: stolen=1',
    '\0\t\u2028',
    'Ўзбекистон 🍉'.repeat(100),
  ]
  for (const state of states) {
    const shown = await allowed(
      browser,
      await signedInThrough(browser, authorizeAddress(application, { state }), buyer.phone),
    )
    equal(returned(shown).get('state'), state)
    equal(shown.headers.get('set-cookie')?.includes('stolen') ?? false, false)
    ok(shown.location.startsWith('https://shop.example/signed-in?from=bozor&code=ac_test_'))
    const denied = await browser.ask(authorizeAddress(application, { state, scope: 'nonsense' }))
    equal(returned(denied).get('state'), state)
    equal(returned(denied).get('error'), 'invalid_scope')
  }
  const without = await allowed(browser, await browser.follow(authorizeAddress(application)))
  equal(returned(without).has('state'), false)
  equal(returned(without).get('iss'), url)
})

test('a code is bound to one application, redirect URL and environment', async () => {
  const other = await newApplication(platform)
  failsWith('invalid_grant', await exchangeCode(url, other, await code()))
  const elsewhere = { redirect_uri: 'https://shop.example/other' }
  failsWith('invalid_grant', await exchangeCode(url, application, await code(), elsewhere))
  failsWith('invalid_request', await exchangeCode(url, application, await code(), { redirect_uri: '' }))
  failsWith('invalid_client', await exchangeCode(url, application, await code(), { client_secret: 'x' }))
  const live = await newApplication(platform, { environment: 'live' })
  failsWith('invalid_grant', await exchangeCode(url, live, await code()))
  const unknown = `ac_test_${secretText(43)}`
  failsWith('invalid_grant', await exchangeCode(url, application, unknown))
})

test('a failed client authentication does not consume a code', async () => {
  const kept = await code()
  failsWith('invalid_client', await exchangeCode(url, application, kept, { client_secret: 'wrong' }))
  equal((await exchangeCode(url, application, kept)).status, 200)
})

test('PKCE refuses a wrong, missing or unexpected verifier, and the plain method', async () => {
  const { verifier, challenge } = pkce()
  const bound = () => code(challenge)
  equal((await exchangeCode(url, application, await bound(), { code_verifier: verifier })).status, 200)
  const wrong = { code_verifier: secretText(64) }
  failsWith('invalid_grant', await exchangeCode(url, application, await bound(), wrong))
  failsWith('invalid_grant', await exchangeCode(url, application, await bound()))
  failsWith('invalid_grant', await exchangeCode(url, application, await code(), { code_verifier: verifier }))
  failsWith(
    'invalid_request',
    await exchangeCode(url, application, await bound(), { code_verifier: 'short' }),
  )
  const plain = [
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge: verifier },
    { code_challenge_method: 'S256' },
    { code_challenge: 'short', code_challenge_method: 'S256' },
  ]
  for (const more of plain)
    equal(returned(await browser.ask(authorizeAddress(application, more))).get('error'), 'invalid_request')
})

test('a mobile application has no secret and needs PKCE', async () => {
  const mobile = await newApplication(platform, { type: 'mobile' })
  const bare = await browser.ask(authorizeAddress(mobile))
  equal(returned(bare).get('error'), 'invalid_request')
  const { verifier, challenge } = pkce()
  const given = await codeFor(browser, mobile, { phone: buyer.phone, ...challenge })
  const reply = await exchangeCode(url, mobile, given, { code_verifier: verifier })
  equal(reply.status, 200, reply.text)
  equal((await refresh(url, mobile, reply.body.refresh_token)).status, 200)
})

test('a mobile application is redirected to its exact custom scheme and needs consent each time', async () => {
  const redirect = 'uz.shop.app:/signed-in'
  const mobile = await newApplication(platform, { type: 'mobile', redirect })
  const { verifier, challenge } = pkce()
  const own = new Browser(url)
  const page = await own.follow(authorizeAddress(mobile, challenge))
  ok(page.headers.get('content-security-policy')!.includes("form-action 'self' uz.shop.app:;"))
  for (const other of ['uz.shop.app:/signed-in/', 'uz.shop.app:/', 'uz.shop.app.evil:/signed-in']) {
    const refused = await own.ask(authorizeAddress(mobile, { ...challenge, redirect_uri: other }))
    deepEqual([refused.status, refused.headers.get('location')], [400, null], other)
  }
  for (let time = 0; time < 2; time++) {
    const consent = await signedInThrough(own, authorizeAddress(mobile, challenge), buyer.phone)
    const shown = await allowed(own, consent)
    const location = shown.headers.get('location')!
    ok(location.startsWith(`${redirect}?code=ac_test_`), location)
    const given = new URL(location).searchParams.get('code')!
    const reply = await exchangeCode(url, mobile, given, { code_verifier: verifier })
    equal(reply.status, 200, reply.text)
  }
})

test('a mobile application on loopback is redirected to its exact port', async () => {
  const mobile = await newApplication(platform, { type: 'mobile', redirect: 'http://127.0.0.1:4711/back' })
  const asked = authorizeAddress(mobile, { redirect_uri: 'http://127.0.0.1:4712/back', ...pkce().challenge })
  const refused = await browser.ask(asked)
  deepEqual([refused.status, refused.headers.get('location')], [400, null])
})

test('an application may request only buyer scopes that it has itself', async () => {
  const ask = async (scope: string) => returned(await browser.ask(authorizeAddress(application, { scope })))
  for (const scope of [
    'admin:read',
    'catalog:write',
    'orders:read',
    'cart:read admin:read',
    'openid',
    'cart:*',
  ])
    equal((await ask(scope)).get('error'), 'invalid_scope', scope)
  const { body } = await exchangeCode(url, application, await code())
  equal(body.scope, 'catalog:read cart:read cart:write profile:read profile:write')
  const narrow = await exchangeCode(url, application, await code({ scope: 'cart:read' }))
  failsWith(
    'invalid_scope',
    await refresh(url, application, narrow.body.refresh_token, { scope: 'cart:read cart:write' }),
  )
  const details = assertRefused(
    'insufficient_permissions',
    await call('GET', '/v1/catalog/brands', { key: narrow.body.access_token }),
  )
  deepEqual(details.current_scopes, ['cart:read'])
})

test('pages cannot be framed, redirects have no body, and other response modes are refused', async () => {
  const fresh = new Browser(url)
  const pages = [
    await fresh.follow(authorizeAddress(application)),
    await fresh.ask('/oauth/authorize'),
    await fresh.ask('/oauth/interaction/unknown'),
    await fresh.ask('/oauth/authorize/unknown'),
  ]
  for (const page of pages) {
    const policy = page.headers.get('content-security-policy') ?? ''
    ok(policy.includes("frame-ancestors 'none'") && policy.includes("default-src 'none'"), page.text)
    equal(page.headers.get('x-frame-options'), 'DENY')
    ok(!/<script|\son\w+=/i.test(page.text))
  }
  const steps = [
    await fresh.ask(authorizeAddress(application)),
    await fresh.ask(authorizeAddress(application, { scope: 'nonsense' })),
  ]
  for (const step of steps) deepEqual([step.status, step.text], [303, ''])
  for (const response_mode of ['form_post', 'fragment', 'web_message', 'jwt', 'query.jwt']) {
    const shown = await fresh.ask(authorizeAddress(application, { response_mode }))
    equal(shown.status, 303)
    equal(returned(shown).get('error'), 'unsupported_response_mode')
  }
})
