import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  actionOf,
  allowed,
  authorizeAddress,
  Browser,
  codeFor,
  csrfOf,
  exchangeCode,
  newApplication,
  newBuyer,
  password,
  refresh,
  returned,
  signedInThrough,
} from '../support/oauth.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { app, url, keys } = platform
const application = await newApplication(platform)

test('a buyer signs in, reads what the application may do, and consents once', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const signIn = await browser.follow(authorizeAddress(application, { scope: 'cart:read', state: 's' }))
  equal(signIn.status, 200)
  match(signIn.text, /Market &lt;on&gt; wheels/)
  const consent = await browser.follow(actionOf(signIn), { login: phone, password, lang: 'en' })
  match(consent.text, /see your cart and wishlist/)
  ok(!consent.text.includes('change your cart'))
  const back = returned(await allowed(browser, consent))
  deepEqual([...back.keys()].toSorted(), ['code', 'from', 'iss', 'state'])
  const again = await browser.follow(authorizeAddress(application, { scope: 'cart:read' }))
  match(returned(again).get('code') ?? '', /^ac_test_/)
  const more = await browser.follow(authorizeAddress(application, { scope: 'cart:read cart:write' }))
  match(more.text, /name="decision"/)
  await allowed(browser, more)
  const less = await browser.follow(authorizeAddress(application, { scope: 'cart:write' }))
  ok(returned(less).has('code'))
  const asked = await browser.follow(
    authorizeAddress(application, { scope: 'cart:write', prompt: 'consent' }),
  )
  match(asked.text, /name="decision"/)
})

test('a buyer lists consents and withdraws one', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const second = await newApplication(platform)
  const tokens = []
  for (const it of [application, second])
    tokens.push(
      (
        await exchangeCode(
          url,
          it,
          await codeFor(browser, it, { phone, scope: 'cart:read profile:read profile:write' }),
        )
      ).body,
    )
  const cookie = `bozor_session=${browser.cookies.find((it) => it.startsWith('bs_test_'))!}`
  const own = (method: string, path: string) =>
    platform.call(method, path, { key: null, headers: { cookie, origin: url } })
  const { consents } = (await own('GET', '/v1/auth/consents')).body.data
  deepEqual(
    consents.map((it: Record<string, unknown>) => [it['client_id'], it['application_name'], it['scopes']]),
    [second, application].map((it) => [
      it.id,
      'Market <on> wheels',
      ['cart:read', 'profile:read', 'profile:write'],
    ]),
  )

  const key = tokens[1].access_token
  const seen = (await platform.call('GET', '/v1/auth/consents', { key })).body.data.consents
  deepEqual(
    seen.map((it: { client_id: string }) => it.client_id),
    [second.id],
    'an application sees only its own consent',
  )
  const others = await platform.call('DELETE', `/v1/auth/consents/${application.id}`, { key })
  equal(others.status, 404, 'an application cannot end the consent of another')

  const left = await own('DELETE', `/v1/auth/consents/${application.id}`)
  equal(left.body.data.consents.length, 1, left.text)
  equal((await own('DELETE', `/v1/auth/consents/${application.id}`)).status, 404)
  const me = (token: string) => platform.call('GET', '/v1/auth/me', { key: token })
  equal((await me(tokens[0].access_token)).body.error.details.reason, 'revoked')
  equal((await refresh(url, application, tokens[0].refresh_token)).body.error, 'invalid_grant')
  equal((await me(tokens[1].access_token)).status, 200)
  match((await browser.follow(authorizeAddress(application, { scope: 'cart:read' }))).text, /name="decision"/)
})

test('a new buyer registers during an authorization and is then asked for consent', async () => {
  const live = await newApplication(platform, { environment: 'live' })
  const browser = new Browser(url)
  const page = await browser.follow(authorizeAddress(live, { state: 'new', scope: 'cart:read' }))
  const link = /href="(\/sign-up[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
  ok(link, page.text)
  const signUp = await browser.follow(link)
  const hidden = /name="return_to" value="([^"]+)"/.exec(signUp.text)?.[1] ?? ''
  match(hidden, /^\/oauth\/interaction\//)
  const form = { name: 'Newcomer', phone: '+998907654321', password, return_to: hidden, lang: 'en' }
  const consent = await browser.follow('/sign-up', form)
  const back = returned(await allowed(browser, consent))
  match(back.get('code') ?? '', /^ac_live_/)
  equal(back.get('state'), 'new')
})

test('denying consent redirects with access_denied and state, and stores nothing', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const page = await signedInThrough(browser, authorizeAddress(application, { state: 'x y' }), phone)
  const shown = await browser.follow(actionOf(page), { csrf_token: csrfOf(page), decision: 'deny' })
  deepEqual([returned(shown).get('error'), returned(shown).get('state')], ['access_denied', 'x y'])
  match((await browser.follow(authorizeAddress(application))).text, /name="decision"/)
})

test('a wrong password is shown on the page in the chosen language, and the authorization continues', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const page = await browser.follow(authorizeAddress(application))
  const wrong = await browser.ask(actionOf(page), { login: phone, password: 'wrong', lang: 'uz' })
  equal(wrong.status, 400)
  match(wrong.text, /<html lang="uz"/)
  match(wrong.text, /role="alert"/)
  ok(!wrong.text.includes('"wrong"'))
  const right = await browser.follow(actionOf(wrong), { login: phone, password })
  ok(returned((await allowed(browser, right))!).has('code'))
})

test('after signing out the authorization asks for sign-in; prompt=none answers without a page', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  await codeFor(browser, application, { phone })
  const silent = await browser.follow(authorizeAddress(application, { prompt: 'none' }))
  ok(returned(silent).has('code'))
  const session = browser.cookies.find((it) => it.startsWith('bs_test_'))!
  const out = await platform.call('POST', '/v1/auth/logout', {
    key: null,
    body: {},
    headers: { cookie: `bozor_session=${session}`, origin: url },
  })
  equal(out.status, 200, out.text)
  const page = await browser.follow(authorizeAddress(application))
  match(page.text, /name="password"/)
  const denied = await browser.ask(authorizeAddress(application, { prompt: 'none' }))
  equal(returned(denied).get('error'), 'login_required')
})

test('prompt=login asks for sign-in again, and another buyer may continue', async () => {
  const [one, other] = [await newBuyer(url, keys.test), await newBuyer(url, keys.test)]
  const browser = new Browser(url)
  await codeFor(browser, application, { phone: one.phone })
  const page = await browser.follow(authorizeAddress(application, { prompt: 'login' }))
  match(page.text, /name="password"/)
  const shown = await allowed(browser, await browser.follow(actionOf(page), { login: other.phone, password }))
  const { body } = await exchangeCode(url, application, returned(shown).get('code')!)
  const me = await platform.call('GET', '/v1/auth/me', { key: body.access_token })
  equal(me.body.data.client.id, String(other.id))
})

test('an authorization step needs the cookie, origin and CSRF token of the browser that began it', async () => {
  const { phone } = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const page = await signedInThrough(browser, authorizeAddress(application), phone)
  const action = actionOf(page)
  const yes = { csrf_token: csrfOf(page), decision: 'allow' }
  equal((await new Browser(url).ask(action, yes)).status, 400)
  equal((await new Browser(url).ask(action)).status, 400)
  equal((await browser.ask(action, yes, { origin: 'https://evil.example' })).status, 400)
  equal((await browser.ask(action, { ...yes, csrf_token: 'x' })).status, 400)
  equal((await new Browser(url).ask(action.replace('interaction', 'authorize'))).status, 400)
  ok(returned(await browser.follow(action, yes)).has('code'))
  equal((await browser.ask(action, yes)).status, 400)
})

test('every grant publishes an event without tokens', async () => {
  const { phone, id } = await newBuyer(url, keys.test)
  const { body } = await exchangeCode(
    url,
    application,
    await codeFor(new Browser(url), application, { phone }),
  )
  const granted = await app.shops.test.db
    .read()
    .all<{ type: string; fields: Record<string, unknown> }>(
      `select type, fields from outbox_events where type = 'AuthorizationGranted'`,
    )
  const mine = granted.filter((it) => it.fields['buyerId'] === id)
  equal(mine.length, 1)
  equal(mine[0]!.fields['applicationId'], application.id)
  ok(!JSON.stringify(granted).includes(body.access_token.slice(8)))
})
