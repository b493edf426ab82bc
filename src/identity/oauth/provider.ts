// The authorization server of one environment: oidc-provider restricted to SPEC-1 5.2 and bound to our applications,
// buyers, clock and storage.

import { generateKeyPairSync } from 'node:crypto'
import { type Client, type Context, errors, Provider, type Token } from 'oidc-provider'
import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import { scopes } from '../../http/scopes.ts'
import { verifiesSecret } from '../applications/client-secrets.ts'
import { adapterOf } from './adapter.ts'
import { cookieNames, providerRequestOf } from './provider-call.ts'
import { requestableOf, grantedScopes, scopesOf } from './scope.ts'
import { consentedScopes } from './store.ts'
import { lifetimeSeconds, newToken, type TokenKind } from './token.ts'

/** The origin while no request is handled; it never leaves the process. */
const anyOrigin = 'https://origin.invalid'

export function openProvider(shop: Shop): Provider {
  const provider = new Provider(anyOrigin, {
    adapter: adapterOf(shop),
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    ...protocol,
    ...lifetimes,
    scopes: [...scopes],
    extraParams: { scope: checkRequestedScope },
    cookies: {
      names: { session: `bozor_${shop.environment}_unused`, ...cookieNames(shop.environment) },
      short: { httpOnly: true, sameSite: 'lax', signed: false },
      long: { httpOnly: true, sameSite: 'lax', signed: false },
    },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/oauth/interaction/${uid}` },
    loadExistingGrant: (context: Context) => grantOf(shop, context),
    findAccount: (_context: Context, accountId: string) => ({
      accountId,
      claims: () => Promise.resolve({ sub: accountId }),
    }),
    renderError: (context: Context, out: { error: string; error_description?: string }) => {
      context.body = out
    },
  })
  provider.proxy = true
  useRequestOrigin(provider)
  useOwnTokenFormat(provider, shop.environment)
  useShopSession(provider)
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    return verifiesSecret(shop.db.read(), this.clientId, secret)
  }
  // Exact match, also for native applications: the provider would accept any loopback port.
  provider.Client.prototype.redirectUriAllowed = function (this: Client, requested: string) {
    return this.redirectUris.includes(requested)
  }
  refuseForeignGrantTypes(provider)
  provider.registerGrantType('client_credentials', issueClientCredentials, ['scope'])
  return provider
}

/** Nothing is signed (tokens are opaque, there are no ID tokens), but the provider requires a key. */
const unusedKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

const protocol = {
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    revocation: '/oauth/revoke',
    introspection: '/oauth/introspect',
  },
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  pkce: { required: (_context: Context, client: Client) => client.clientAuthMethod === 'none' },
  rotateRefreshToken: () => true,
  issueRefreshToken: () => true,
  expiresWithSession: () => false,
  // Revoking an access token leaves the grant; revoking a refresh token revokes it (RFC 7009 2.1).
  revokeGrantPolicy: ({ oidc }: Context) =>
    !(oidc.route === 'revocation' && oidc.entities['AccessToken'] !== undefined),
  clientBasedCORS: () => true,
  enableHttpPostMethods: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    claimsParameter: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    resourceIndicators: { enabled: false },
  },
}

const lifetimes = {
  ttl: {
    AuthorizationCode: lifetimeSeconds.code,
    AccessToken: lifetimeSeconds.access,
    ClientCredentials: lifetimeSeconds.access,
    RefreshToken: lifetimeSeconds.refresh,
    Interaction: lifetimeSeconds.interaction,
    // The library requires both. Grants end with their tokens, and sessions end in the shop.
    Grant: lifetimeSeconds.refresh,
    Session: lifetimeSeconds.interaction,
  },
}

function isOwnToken(_context: Context, client: Client, token: { clientId: string }): boolean {
  return token.clientId === client.clientId
}

/** The issuer is the origin as the caller sees it. */
function useRequestOrigin(provider: Provider): void {
  const origin = () => (Provider.ctx ? providerRequestOf(Provider.ctx.req).origin : anyOrigin)
  Object.defineProperty(provider, 'issuer', { get: origin })
}

function useOwnTokenFormat(provider: Provider, environment: Environment): void {
  const name = ({ prototype }: { prototype: Token }, kind: TokenKind) => {
    const prepare = prototype.generateTokenId
    prototype.generateTokenId = function () {
      // The original also records the format; its id is not used.
      prepare.call(this)
      return newToken(kind, environment)
    }
  }
  name(provider.AuthorizationCode, 'code')
  name(provider.AccessToken, 'access')
  name(provider.ClientCredentials, 'access')
  name(provider.RefreshToken, 'refresh')
}

/**
 * The provider has no session of its own: the shop's session counts. A session marked as destroyed is neither stored
 * nor sent as a cookie.
 */
function useShopSession(provider: Provider): void {
  provider.Session.get = async (context) => {
    const { buyerId } = providerRequestOf(context.req)
    const accountId = buyerId === null ? undefined : String(buyerId)
    const session = new provider.Session(accountId ? { accountId, uid: `client-${accountId}` } : {})
    session.destroyed = true
    context.oidc.entity('Session', session)
    return session
  }
}

/** An application without redirect URLs cannot exchange codes. The provider would call this `invalid_request`. */
function refuseForeignGrantTypes({ Client }: Provider): void {
  const mayUse = Client.prototype.grantTypeAllowed
  Client.prototype.grantTypeAllowed = function (this: Client, type: string) {
    const isAllowed = mayUse.call(this, type)
    const { route, params } = Provider.ctx?.oidc ?? {}
    if (!isAllowed && route === 'token' && params?.['grant_type'] === type)
      throw new errors.UnauthorizedClient('this application may not use this grant type')
    return isAllowed
  }
}

/** Only scopes that a buyer may grant and the application has. */
function checkRequestedScope(context: Context, requested: string | undefined, client: Client): void {
  const given = grantedScopes(requested, requestableOf(scopesOf(client.scope)))
  if (!given) throw new errors.InvalidScope('this application may not ask a buyer for that')
  context.oidc.params['scope'] = given.join(' ')
}

/** The grant that the buyer has just given, or a new one covered by earlier consent. */
async function grantOf(shop: Shop, context: Context) {
  const { provider, account, client, params, prompts, result } = context.oidc
  const buyerId = Number(account!.accountId)
  const given = result?.consent?.grantId
  if (given !== undefined) {
    const grant = await provider.Grant.find(given)
    return grant?.accountId === account!.accountId ? grant : undefined
  }
  if (prompts.has('consent')) return undefined
  const allowed = await consentedScopes(shop.db.read(), client.clientId, buyerId)
  if (!scopesOf(params['scope']).every((it) => allowed.includes(it))) return undefined
  const grant = new provider.Grant({ accountId: account!.accountId, clientId: client.clientId })
  grant.addOIDCScope(params['scope']!)
  await grant.save()
  return grant
}

/** Client credentials: the application acts for itself with a subset of its scopes. */
async function issueClientCredentials(context: Context): Promise<void> {
  const { client, params, provider } = context.oidc
  if (client.clientAuthMethod === 'none')
    throw new errors.UnauthorizedClient('an application without a secret cannot act for itself')
  const given = grantedScopes(params['scope'], scopesOf(client.scope))
  if (!given) throw new errors.InvalidScope('this application does not have that right')
  const token = new provider.ClientCredentials({ client, scope: given.join(' ') })
  context.body = {
    access_token: await token.save(),
    token_type: 'Bearer',
    expires_in: token.expiration,
    scope: given.join(' '),
  }
}
