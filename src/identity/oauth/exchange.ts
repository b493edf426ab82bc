// One code or refresh token becomes one set of tokens, in one transaction: taken, and its successors written, or nothing.
// Of many who bring the same, the row's lock lets one through.

import { type Context, errors } from 'oidc-provider'
import type { Shop } from '../../base/shop.ts'
import * as store from '../store/oauth.ts'
import { revokeAuthorization } from './grant.ts'
import { arrivalOf } from './request.ts'
import type { TokenKind } from './token.ts'

type NewToken = Omit<store.StoredToken, 'parent' | 'createdAt'>

interface Exchange {
  consume(hash: Buffer, kind: TokenKind): Promise<void>
  /** Writes a token: at once when it stands alone, else together with its twin. */
  add(token: NewToken): Promise<void>
}

/** An access token and a refresh token. */
const tokensOfOneExchange = 2

const underWay = Symbol('exchange')

/** The exchange of a request. */
export function exchange(shop: Shop, context: Context): Exchange {
  const holder = context as Context & { [underWay]?: Exchange }
  return (holder[underWay] ??= open(shop))
}

function open(shop: Shop): Exchange {
  let taken: { hash: Buffer; kind: TokenKind } | undefined
  const tokens: NewToken[] = []
  return {
    consume: async (hash, kind) => {
      taken = { hash, kind }
    },
    add: async (token) => {
      tokens.push(token)
      if (taken && tokens.length < tokensOfOneExchange) return
      const isFirst = await shop.db.transaction(async (tx) => {
        if (taken && !(await store.consumeToken(tx, taken.hash))) {
          // A code that comes twice was stolen by one of the two: what the other got must not live on.
          if (taken.kind === 'code') await revokeAuthorization(tx, token.grantId!, 'code_reused')
          return false
        }
        for (const it of tokens)
          store.insertToken(tx, { ...it, parent: taken?.hash ?? null, createdAt: tx.now })
        return true
      })
      if (!isFirst) throw new errors.InvalidGrant('it was used before')
    },
  }
}

/**
 * Whether a request that brings a used refresh token came before the answer to the one that used it could have left.
 * Then nothing has leaked: the client asked twice at once, and the tokens that it got live on.
 */
export async function isParallel(shop: Shop, used: store.FoundToken, context: Context): Promise<boolean> {
  const answeredAt = await store.exchangedAt(shop.db.read(), used.grantId!, used.hash)
  return answeredAt === null || arrivalOf(context.req) <= answeredAt
}
