// The authorization server of one environment: oidc-provider, narrowed to what SPEC-1 5.2 asks for and bound to our
// applications, buyers, clock and storage.

import { generateKeyPairSync } from 'node:crypto'
import { type Client, type Context, errors, Provider, type Token } from 'oidc-provider'
import type { Environment } from '../../base/db.ts'
import type { Shop } from '../../base/shop.ts'
import { scopes } from '../../http/scopes.ts'
import { consentedScopes } from '../store/oauth.ts'
import { verifiesSecret } from '../verifies-secret.ts'
import { adapterOf } from './adapter.ts'
import { passedOf } from './request.ts'
import { askableOf, givenScopes, scopesOf } from './scope.ts'
import { lifetimeSeconds, newToken, type TokenKind } from './token.ts'

/** Stands for the address until a request tells it. */
const anyOrigin = 'https://origin.invalid'

export const cookieNames = (environment: Environment) => ({
  interaction: `bozor_${environment}_interaction`,
  resume: `bozor_${environment}_resume`,
})

export function openProvider(shop: Shop): Provider {
  const provider = new Provider(anyOrigin, {
    adapter: adapterOf(shop),
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    ...protocol,
    ...lifetimes,
    scopes: [...scopes],
    extraParams: { scope: checkAskedScope },
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
  knowByItsCaller(provider)
  giveOurTokens(provider, shop.environment)
  followTheShopsSession(provider)
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    return verifiesSecret(shop.db.read(), this.clientId, secret)
  }
  // To the character, also for native applications, which the provider would lead back to any port of the device.
  provider.Client.prototype.redirectUriAllowed = function (this: Client, asked: string) {
    return this.redirectUris.includes(asked)
  }
  provider.registerGrantType('client_credentials', actForItself, ['scope'])
  return provider
}

/** Nothing is signed: tokens are opaque, and there are no identity tokens. The provider insists on a key all the same. */
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
  // An access token may be given back alone; a refresh token takes its chain along (RFC 7009 2.1).
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
    // Both have an end of their own elsewhere: a grant with its tokens, a session in the shop.
    Grant: lifetimeSeconds.refresh,
    Session: lifetimeSeconds.interaction,
  },
}

function isOwnToken(_context: Context, client: Client, token: { clientId: string }): boolean {
  return token.clientId === client.clientId
}

/** The issuer is the address under which the caller knows us, as in every link of the house. */
function knowByItsCaller(provider: Provider): void {
  const origin = () => (Provider.ctx ? passedOf(Provider.ctx.req).origin : anyOrigin)
  Object.defineProperty(provider, 'issuer', { get: origin })
}

function giveOurTokens(provider: Provider, environment: Environment): void {
  const name = ({ prototype }: { prototype: Token }, kind: TokenKind) => {
    const prepare = prototype.generateTokenId
    prototype.generateTokenId = function () {
      // The original also notes the format; its text is not used.
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
 * The provider keeps no session of its own: who is signed in to the shop is signed in here, and who leaves the shop has
 * left. A session that counts as destroyed is neither stored nor put into a cookie.
 */
function followTheShopsSession(provider: Provider): void {
  provider.Session.get = async (context) => {
    const { buyerId } = passedOf(context.req)
    const accountId = buyerId === null ? undefined : String(buyerId)
    const session = new provider.Session(accountId ? { accountId, uid: `client-${accountId}` } : {})
    session.destroyed = true
    context.oidc.entity('Session', session)
    return session
  }
}

/** A buyer's rights only, and only those of the application; nothing unknown is passed over. */
function checkAskedScope(context: Context, asked: string | undefined, client: Client): void {
  const given = givenScopes(asked, askableOf(scopesOf(client.scope)))
  if (!given) throw new errors.InvalidScope('this application may not ask a buyer for that')
  context.oidc.params['scope'] = given.join(' ')
}

/** The grant that the buyer has just given, or one that follows from what he allowed this application before. */
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

/** Client credentials: an application acts for itself, with what it asks for of its own rights. */
async function actForItself(context: Context): Promise<void> {
  const { client, params, provider } = context.oidc
  if (client.clientAuthMethod === 'none')
    throw new errors.UnauthorizedClient('an application without a secret cannot act for itself')
  const given = givenScopes(params['scope'], scopesOf(client.scope))
  if (!given) throw new errors.InvalidScope('this application does not have that right')
  const token = new provider.ClientCredentials({ client, scope: given.join(' ') })
  context.body = {
    access_token: await token.save(),
    token_type: 'Bearer',
    expires_in: token.expiration,
    scope: given.join(' '),
  }
}
