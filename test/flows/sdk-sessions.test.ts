// The SDK with sessions and OAuth against a server: CSRF tokens, the authorization code flow and refresh tokens.

import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import {
  authorizationUrl,
  BozorError,
  type BozorOptions,
  createBozor,
  exchangeCode,
  refreshedTokens,
  type Tokens,
} from '../../src/sdk/index.ts'
import { addMember, testPassword } from '../support/member.ts'
import { allowed, Browser, newApplication, newBuyer, password, signedInThrough } from '../support/oauth.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { url: baseUrl, keys } = platform
const origin = 'https://spa.example'

/** The fetch of a page of another origin: it keeps cookies and sends its origin. */
function pageFetch(): typeof fetch {
  let cookie = ''
  return async (input, init = {}) => {
    const headers = { ...(init.headers as Record<string, string>), origin, ...(cookie && { cookie }) }
    const response = await fetch(input, { ...init, headers })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
}

/** Two loads of one page: they share the cookies and what the page keeps. */
function page() {
  const kept: { token?: string } = {}
  const send = pageFetch()
  const load = (options: Partial<BozorOptions> = {}) =>
    createBozor({
      baseUrl,
      fetch: send,
      language: 'en',
      ...(kept.token !== undefined && { csrfToken: kept.token }),
      onCsrfToken: (token) => (kept.token = token),
      ...options,
    })
  return { load, kept }
}

test('a member writes from another origin after signing in, and after the page was loaded again', async () => {
  const { email } = await addMember(platform, 'owner', 'spa@shop.uz')
  const { load } = page()
  const first = load()
  await first.memberSessions.create({ email, password: testPassword })
  equal((await first.members.updateMe({ name: 'Anna' })).member.name, 'Anna')
  equal((await load().members.updateMe({ name: 'Olga' })).member.name, 'Olga')
})

test('outside browsers the client keeps the cookie of the session until sign-out', async () => {
  const { phone } = await newBuyer(baseUrl, keys.test)
  const bozor = createBozor({ baseUrl, credentials: 'include', language: 'en' })
  const byApplication = { headers: { Authorization: `Bearer ${keys.test}` } }
  await bozor.auth.login({ login: phone, password }, byApplication)
  equal((await bozor.auth.getProfile()).client.phone, phone)
  equal((await bozor.auth.updateProfile({ name: 'Olim' })).client.name, 'Olim')
  await bozor.auth.logout({})
  await rejects(bozor.auth.getProfile(), { code: 'unauthorized', details: { reason: 'missing' } })
  const other = createBozor({ baseUrl, language: 'en' })
  await other.auth.login({ login: phone, password }, byApplication)
  await rejects(other.auth.getProfile(), { code: 'unauthorized' })
})

test('without the token, and with that of another session, the refusal says what to send', async () => {
  const { email } = await addMember(platform, 'owner', 'forgetful@shop.uz')
  const { load, kept } = page()
  await load().memberSessions.create({ email, password: testPassword })
  const refusal = async (options: Partial<BozorOptions>) => {
    const error: unknown = await load(options)
      .members.updateMe({ name: 'Anna' })
      .catch((it: unknown) => it)
    ok(error instanceof BozorError)
    equal(error.code, 'origin_mismatch')
    return error.message
  }
  equal(
    await refusal({ csrfToken: null }),
    `A page of ${origin} must send the csrf_token of the sign-in in the header X-CSRF-Token; only pages of ${baseUrl} need none.`,
  )
  equal(
    await refusal({ csrfToken: `${kept.token!}x` }),
    'X-CSRF-Token is not the token of this session. Send the csrf_token of the latest sign-in.',
  )
})

test('a client writes from another origin after registering, signing in, and a reload', async () => {
  const { load } = page()
  const client = { name: 'Aziza', email: 'aziza@spa.uz', password }
  const first = load()
  await first.auth.register(client)
  equal((await first.auth.updateProfile({ name: 'Aziza K.' })).client.name, 'Aziza K.')
  const second = load()
  await second.auth.login({ login: client.email, password })
  await second.auth.logout()
})

/** The authorization code flow of the SDK, with a browser for the pages. */
async function signIn() {
  const application = await newApplication(platform)
  const { phone, id } = await newBuyer(baseUrl, keys.test)
  const options = {
    baseUrl,
    clientId: application.id,
    clientSecret: application.secret,
    redirectUri: application.redirect,
  }
  const { url, ...begun } = await authorizationUrl({ ...options, scope: 'profile:read offline_access' })
  const browser = new Browser(baseUrl)
  const { location: callback } = await allowed(browser, await signedInThrough(browser, url, phone))
  return { options, begun, callback, id }
}

test('the authorization code flow gives tokens once, and only for its own state', async () => {
  const { options, begun, callback, id } = await signIn()
  await rejects(exchangeCode(options, { callback, ...begun, state: 'another' }), /state/)
  const tokens = await exchangeCode(options, { callback, ...begun })
  ok(tokens.refreshToken)
  ok(tokens.expiresAt > Date.now())
  const bozor = createBozor({ baseUrl, token: () => tokens.accessToken })
  equal((await bozor.auth.getProfile()).client.id, String(id))
  await rejects(exchangeCode(options, { callback, ...begun }), {
    name: 'BozorTokenError',
    code: 'invalid_grant',
  })
})

test('a refresh token is used once for concurrent calls, and every new pair is saved', async () => {
  const { options, begun, callback } = await signIn()
  const first = await exchangeCode(options, { callback, ...begun })
  const saved: Tokens[] = []
  const expired = { ...first, expiresAt: Date.now() - 1 }
  const token = refreshedTokens(options, expired, (it) => void saved.push(it))
  const bozor = createBozor({ baseUrl, token })
  const profiles = await Promise.all([1, 2, 3].map(() => bozor.auth.getProfile()))
  equal(new Set(profiles.map((it) => it.client.id)).size, 1)
  equal(saved.length, 1)
  notEqual(saved[0]!.refreshToken, first.refreshToken)
  await bozor.auth.getProfile()
  equal(saved.length, 1)
  // A token that the server refuses is renewed with the newest refresh token.
  const revoked = refreshedTokens(
    options,
    { ...saved[0]!, accessToken: `${saved[0]!.accessToken}x` },
    (it) => void saved.push(it),
  )
  ok((await createBozor({ baseUrl, token: revoked }).auth.getProfile()).client.id)
  equal(saved.length, 2)
  deepEqual(
    saved.map((it) => it.scope),
    [first.scope, first.scope],
  )
})

test('tokens that cannot be refreshed end in an error that says to sign in again', async () => {
  const { options, begun, callback } = await signIn()
  const { refreshToken, ...tokens } = await exchangeCode(options, { callback, ...begun })
  const without = refreshedTokens(options, { ...tokens, expiresAt: 0 }, () => {})
  await rejects(createBozor({ baseUrl, token: without }).auth.getProfile(), /no refresh token/)
  const used = { ...tokens, refreshToken: `${refreshToken!}x`, expiresAt: 0 }
  const bozor = createBozor({ baseUrl, token: refreshedTokens(options, used, () => {}) })
  await rejects(bozor.auth.getProfile(), { name: 'BozorTokenError', code: 'invalid_grant' })
})
