// Unmodified OAuth libraries against a server as an operator starts it.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2'
import { allowed, Browser, newBuyer, signedInThrough, type TestApplication } from '../support/oauth.ts'
import { startServer, preparedFolder } from '../support/process.ts'

const folder = await preparedFolder()
const server = await startServer({ DATA_DIR: folder, DEMO: 'false' })
const { url, call } = server
const redirect = 'http://127.0.0.1:9/signed-in'
const { phone, id } = await newBuyer(url, server.keys.test)

async function register(type: 'web' | 'mobile' | 'server'): Promise<TestApplication> {
  const reply = await call('POST', '/v1/admin/applications', {
    body: {
      name: 'Till',
      type,
      scopes: ['catalog:read', 'cart:read', 'profile:read'],
      redirect_urls: [redirect],
    },
  })
  equal(reply.status, 201, reply.text)
  const { application, client_secret: secret, api_key: apiKey } = reply.body.data
  return { id: application.client_id, secret: secret ?? '', apiKey, redirect }
}

/** The steps of a buyer in the browser; returns the final URL. */
async function walked(address: URL | string): Promise<URL> {
  const browser = new Browser(url)
  const shown = await allowed(browser, await signedInThrough(browser, String(address), phone))
  return new URL(shown.location)
}

const me = async (token: string) =>
  (await call('GET', '/v1/auth/me', { key: token })).body.data.client.id as string
const mayRead = async (token: string) =>
  (await call('GET', '/v1/catalog/brands', { key: token })).status === 200

test('openid-client discovers the metadata and completes all three flows', async () => {
  const web = await register('web')
  const config = await client.discovery(new URL(url), web.id, web.secret, undefined, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'catalog:read cart:read profile:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await client.authorizationCodeGrant(config, await walked(address), checks)
  equal(tokens.expires_in, 3600)
  equal(await me(tokens.access_token), String(id))

  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token!)
  equal(await me(renewed.access_token), String(id))
  const looked = await client.tokenIntrospection(config, renewed.access_token)
  deepEqual(
    [looked.active, looked.sub, looked.scope],
    [true, String(id), 'catalog:read cart:read profile:read'],
  )
  await client.tokenRevocation(config, renewed.refresh_token!)
  equal((await client.tokenIntrospection(config, renewed.access_token)).active, false)

  const own = await client.clientCredentialsGrant(config, { scope: 'catalog:read' })
  equal(own.scope, 'catalog:read')
  ok(await mayRead(own.access_token))
})

test('openid-client signs a buyer in to a mobile application, which has no secret', async () => {
  const mobile = await register('mobile')
  const config = await client.discovery(new URL(url), mobile.id, undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
  const verifier = client.randomPKCECodeVerifier()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const tokens = await client.authorizationCodeGrant(config, await walked(address), {
    pkceCodeVerifier: verifier,
  })
  equal(await me(tokens.access_token), String(id))
  equal(await me((await client.refreshTokenGrant(config, tokens.refresh_token!)).access_token), String(id))
})

test('oauth4webapi, which validates every reply strictly, completes all three flows', async () => {
  const web = await register('web')
  const insecure = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(url)
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  const own: oauth.Client = { client_id: web.id }
  for (const proof of [oauth.ClientSecretPost(web.secret), oauth.ClientSecretBasic(web.secret)]) {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(as.authorization_endpoint!)
    address.search = new URLSearchParams({
      client_id: web.id,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'cart:read profile:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString()
    const given = oauth.validateAuthResponse(as, own, await walked(address), state)
    const reply = await oauth.authorizationCodeGrantRequest(
      as,
      own,
      proof,
      given,
      redirect,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, own, reply)
    equal(await me(tokens.access_token), String(id))
    const renewed = await oauth.processRefreshTokenResponse(
      as,
      own,
      await oauth.refreshTokenGrantRequest(as, own, proof, tokens.refresh_token!, insecure),
    )
    equal(await me(renewed.access_token), String(id))
    const itself = await oauth.processClientCredentialsResponse(
      as,
      own,
      await oauth.clientCredentialsGrantRequest(as, own, proof, { scope: 'catalog:read' }, insecure),
    )
    ok(await mayRead(itself.access_token))
    const looked = await oauth.introspectionRequest(as, own, proof, itself.access_token, insecure)
    equal((await oauth.processIntrospectionResponse(as, own, looked)).active, true)
    const ended = await oauth.revocationRequest(as, own, proof, itself.access_token, insecure)
    await oauth.processRevocationResponse(ended)
    equal(await mayRead(itself.access_token), false)
  }
})

test('simple-oauth2 completes all three flows without PKCE', async () => {
  const web = await register('web')
  const settings = {
    client: { id: web.id, secret: web.secret },
    auth: {
      tokenHost: url,
      tokenPath: '/oauth/token',
      authorizePath: '/oauth/authorize',
      revokePath: '/oauth/revoke',
    },
  }
  for (const authorizationMethod of ['header', 'body'] as const) {
    const flow = new AuthorizationCode({ ...settings, options: { authorizationMethod } })
    const address = flow.authorizeURL({
      redirect_uri: redirect,
      scope: 'cart:read profile:read',
      state: 'a b&c',
    })
    const back = (await walked(address)).searchParams
    equal(back.get('state'), 'a b&c')
    const tokens = await flow.getToken({ code: back.get('code')!, redirect_uri: redirect })
    equal(await me(tokens.token['access_token'] as string), String(id))
    const renewed = await tokens.refresh()
    equal(await me(renewed.token['access_token'] as string), String(id))
    await renewed.revokeAll()
    equal((await call('GET', '/v1/auth/me', { key: renewed.token['access_token'] as string })).status, 401)
  }
  const { client: credentials } = settings
  const auth = { tokenHost: url, tokenPath: '/oauth/token' }
  const itself = await new ClientCredentials({ client: credentials, auth }).getToken({
    scope: 'catalog:read',
  })
  match(itself.token['access_token'] as string, /^at_test_/)
  ok(await mayRead(itself.token['access_token'] as string))
})
