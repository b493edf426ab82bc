// How oidc-provider reaches the database. Its own time is the machine's; ours is the shop's clock, which in test may
// be ahead: instants are translated here, and here alone is judged whether something has expired.

import { type Adapter, type Context, type Payload, Provider } from 'oidc-provider'
import { sha256 } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import * as store from '../store/oauth.ts'
import { Exchanges } from './exchange.ts'
import { findMetadata } from './client-metadata.ts'
import { grantAuthorization, revokeAuthorization, revokeOneToken } from './grant.ts'
import { scopesOf } from './scope.ts'
import { environmentOfToken, type TokenKind } from './token.ts'

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

/** The storage of one environment. What no model needs is refused, so that nothing is lost in silence. */
export function adapterOf(shop: Shop): (model: string) => Adapter {
  const exchanges = new Exchanges(shop)
  return (model) => ({ ...nothing(model), ...models[model]?.(shop, exchanges) })
}

function nothing(model: string): Adapter {
  const unused = () => Promise.reject(new Error(`nothing is kept of ${model}`))
  return {
    upsert: unused,
    find: unused,
    findByUid: unused,
    findByUserCode: unused,
    consume: unused,
    destroy: unused,
    // Tokens end with their grant, whose own end is asked for in the same breath.
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
        clientId: clientId!,
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
      // Whoever only looks at it or gives it back is told the truth.
      if (kind === 'refresh' && found.consumedAt && contextOf().oidc.route === 'token')
        await exchanges.answerAgain(id, found, contextOf())
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
    clientId: it.clientId,
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
          clientId: payload.clientId!,
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
          clientId: found.clientId,
          accountId: String(found.buyerId),
          openid: { scope: found.scopes.join(' ') },
        }
      )
    },
    destroy: (id) => {
      const isReuse = contextOf().oidc.params['grant_type'] === 'refresh_token'
      return shop.db.transaction((tx) =>
        revokeAuthorization(tx, id, isReuse ? 'refresh_token_reused' : 'asked'),
      )
    },
  }
}

/** Its id is a cookie of the browser, so neither it nor the address that holds it is kept. */
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

/** Seconds of the machine's clock. What has not expired ends in the future there too, to the second. */
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
