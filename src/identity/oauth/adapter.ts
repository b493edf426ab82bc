// The storage adapter of oidc-provider. The provider works in machine time while the shop's clock may be ahead in test,
// so instants are converted here, and only here expiry is decided.

import { type Adapter, type Context, type Payload, Provider } from 'oidc-provider'
import type { Reader } from '../../base/database.ts'
import { sha256 } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import { findApplication } from '../applications/store.ts'
import { Exchanges } from './exchange.ts'
import { grantAuthorization, revokeAuthorization, revokeOneToken } from './grants.ts'
import { scopesOf } from './scope.ts'
import * as store from './store.ts'
import { environmentOfApplicationId, environmentOfToken, type TokenKind } from './token.ts'

type Model = (shop: Shop, exchanges: Exchanges) => Partial<Adapter>

// oxfmt-ignore
const models: Record<string, Model> = {
  Client:            (shop) => ({ find: (id) => findMetadata(shop.db.read(), id) }),
  AuthorizationCode: (...given) => tokens(...given, { kind: 'code', isGranted: true }),
  AccessToken:       (...given) => tokens(...given, { kind: 'access', isGranted: true }),
  RefreshToken:      (...given) => tokens(...given, { kind: 'refresh', isGranted: true }),
  ClientCredentials: (...given) => tokens(...given, { kind: 'access', isGranted: false }),
  Grant:             grants,
  Interaction:       interactions,
}

/** The adapter of one environment. Calls that no model needs are rejected, so that no data is lost silently. */
export function adapterOf(shop: Shop): (model: string) => Adapter {
  const exchanges = new Exchanges(shop)
  return (model) => ({ ...unsupported(model), ...models[model]?.(shop, exchanges) })
}

function unsupported(model: string): Adapter {
  const reject = () => Promise.reject(new Error(`the adapter does not store ${model}`))
  return {
    upsert: reject,
    find: reject,
    findByUid: reject,
    findByUserCode: reject,
    consume: reject,
    destroy: reject,
    // Tokens are revoked with their grant, which the provider revokes right after.
    revokeByGrantId: () => Promise.resolve(),
  }
}

function tokens(
  shop: Shop,
  exchanges: Exchanges,
  { kind, isGranted }: { kind: TokenKind; isGranted: boolean },
): Partial<Adapter> {
  return {
    upsert: async (id, payload, expiresIn) => {
      const {
        clientId,
        grantId,
        accountId: _a,
        scope,
        iat: _i,
        exp: _e,
        jti: _j,
        kind: _k,
        ...rest
      } = payload
      const now = shop.clock.now()
      await exchanges.of(contextOf()).add({
        text: id,
        hash: sha256(id),
        kind,
        applicationId: clientId!,
        grantId: grantId ?? null,
        scopes: scopesOf(scope),
        expiresAt: new Date(now.getTime() + expiresIn * 1000),
        rest,
      })
    },
    find: async (id) => {
      if (environmentOfToken(id, kind) !== shop.environment) return undefined
      const found = await store.findToken(shop.db.read(), sha256(id))
      if (found?.kind !== kind || found.revokedAt || (found.grantId !== null) !== isGranted) return undefined
      // Introspection and revocation must see the true state.
      if (kind === 'refresh' && found.consumedAt && contextOf().oidc.route === 'token')
        await exchanges.replyAgain(id, found, contextOf())
      return payloadOf(shop, id, found)
    },
    consume: (id) => exchanges.of(contextOf()).consume(id, kind),
    destroy: (id) => shop.db.transaction((tx) => revokeOneToken(tx, sha256(id))),
  }
}

function payloadOf(shop: Shop, jti: string, it: store.FoundToken): Payload {
  return {
    ...(it.rest as object),
    jti,
    clientId: it.applicationId,
    ...(it.grantId !== null && { grantId: it.grantId, accountId: String(it.buyerId) }),
    scope: it.scopes.join(' '),
    ...(it.consumedAt && { consumed: machineSeconds(shop, it.consumedAt) }),
    ...lifetime(shop, it),
  }
}

function grants(shop: Shop): Partial<Adapter> {
  return {
    upsert: (id, payload) => {
      const { scope } = payload['openid'] as { scope: string }
      return shop.db.transaction((tx) =>
        grantAuthorization(tx, {
          id,
          applicationId: payload.clientId!,
          buyerId: Number(payload.accountId),
          scopes: scopesOf(scope),
        }),
      )
    },
    find: async (id) => {
      const found = await store.findGrant(shop.db.read(), id)
      return (
        found && {
          jti: id,
          clientId: found.applicationId,
          accountId: String(found.buyerId),
          openid: { scope: found.scopes.join(' ') },
        }
      )
    },
    destroy: (id) => {
      const isReuse = contextOf().oidc.params['grant_type'] === 'refresh_token'
      return shop.db.transaction((tx) =>
        revokeAuthorization(tx, id, isReuse ? 'refresh_token_reused' : 'requested'),
      )
    },
  }
}

/** The interaction id is a browser cookie, so only its hash is stored. */
function interactions(shop: Shop): Partial<Adapter> {
  return {
    upsert: (id, payload, expiresIn) => {
      const { jti: _j, kind: _k, iat: _i, exp: _e, returnTo: _r, session, ...contents } = payload
      const { accountId, uid } = (session ?? {}) as { accountId?: string; uid?: string }
      const expiresAt = new Date(shop.clock.now().getTime() + expiresIn * 1000)
      return shop.db.transaction(async (tx) =>
        store.saveInteraction(tx, {
          hash: sha256(id),
          contents: { ...contents, ...(accountId && { session: { accountId, uid } }) },
          expiresAt,
        }),
      )
    },
    find: async (id) => {
      const found = await store.findInteraction(shop.db.read(), sha256(id))
      if (!found) return undefined
      const returnTo = `/oauth/authorize/${id}`
      return {
        ...found.contents,
        jti: id,
        returnTo,
        ...lifetime(shop, { createdAt: shop.clock.now(), expiresAt: found.expiresAt }),
      }
    },
    destroy: (id) => shop.db.transaction(async (tx) => store.deleteInteraction(tx, sha256(id))),
  }
}

/** Seconds of the machine clock. A token that is still valid must also expire in the future there. */
function lifetime(shop: Shop, { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }) {
  const ends = (expiresAt.getTime() - shop.clock.offsetMs) / 1000
  return {
    iat: machineSeconds(shop, createdAt),
    exp: expiresAt > shop.clock.now() ? Math.ceil(ends) : Math.floor(ends),
  }
}

const machineSeconds = (shop: Shop, at: Date): number =>
  Math.floor((at.getTime() - shop.clock.offsetMs) / 1000)

function contextOf(): Context {
  const context = Provider.ctx
  if (!context) throw new Error('no request is being answered')
  return context
}

/**
 * An application as OAuth client metadata (RFC 7591). Secrets are stored as hashes, so `client_secret` is a
 * placeholder.
 */
export async function findMetadata(read: Reader, clientId: string): Promise<Payload | undefined> {
  if (environmentOfApplicationId(clientId) !== read.environment) return undefined
  const application = await findApplication(read, clientId)
  if (!application) return undefined
  const { name, type, scopes, redirectUrls } = application
  const isPublic = type === 'mobile'
  const mayRedirect = redirectUrls.length > 0
  return {
    client_id: clientId,
    client_name: name,
    application_type: type === 'mobile' ? 'native' : 'web',
    scope: scopes.join(' '),
    redirect_uris: redirectUrls,
    response_types: mayRedirect ? ['code'] : [],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    ...(!isPublic && { client_secret: 'is kept as a hash' }),
  }
}
