// Exchanges a code or a refresh token for new tokens in one transaction: the old one is consumed and the new ones are
// written, or nothing happens. The row lock lets one of several concurrent requests through. A refresh token that is
// used again revokes its chain, because it may have been copied. But clients also refresh twice at the same time. A
// request that arrived before the first reply was sent cannot have learnt anything from it, so it gets the same reply.
// The first reply is held for a moment so that concurrent requests have arrived; once one was seen, later ones get the
// same reply for a few seconds, as long as the new token is unused (ADR 0010).

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Context, errors } from 'oidc-provider'
import { elapsedMs } from '../../base/clock.ts'
import { secretBytes, sha256 } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import { revokeAuthorization } from './grants.ts'
import { EarlyReply, receivedAtOf } from './provider-call.ts'
import { jsonReply } from './replies.ts'
import * as store from './store.ts'
import { lifetimeSeconds, type TokenKind } from './token.ts'

type NewToken = Omit<store.StoredToken, 'parent' | 'createdAt'> & { text: string }

interface ConsumedToken {
  text: string
  hash: Buffer
  kind: TokenKind
}

interface Exchange {
  consume(text: string, kind: TokenKind): Promise<void>
  /** Adds a token. Written at once when nothing was consumed, else together with its pair. */
  add(token: NewToken): Promise<void>
}

interface StoredReply {
  /** The `scope` parameter as received. */
  scope: string | undefined
  reply: object
}

const tokensPerExchange = 2
/** How long the reply to a refresh is held; longer when the server is slow. */
const holdMs = { least: 200, most: 1_500 }
const holdsPerExchange = 3
/** How long concurrent requests wait for the first reply; after that its process is assumed dead. */
const firstReplyTimeoutMs = 4_000
const pollEveryMs = 50
/** How long late requests get the same reply, and how long an unsent reply is kept. */
const graceMs = 5_000
const unsentReplyMs = 60_000
const idleTurns = 3
const idleTurnMs = 2
const maxTurns = 100

export class Exchanges {
  readonly #shop: Shop
  readonly #inProgress = new WeakMap<Context, Exchange>()

  constructor(shop: Shop) {
    this.#shop = shop
  }

  of(context: Context): Exchange {
    const known = this.#inProgress.get(context)
    if (known) return known
    let consumed: ConsumedToken | undefined
    const tokens: NewToken[] = []
    const exchange: Exchange = {
      consume: async (text, kind) => {
        consumed = { text, hash: sha256(text), kind }
      },
      add: async (token) => {
        tokens.push(token)
        if (!consumed) return void (await this.#write(tokens))
        if (tokens.length < tokensPerExchange) return
        await (consumed.kind === 'code'
          ? this.#exchangeCode(consumed.hash, tokens)
          : this.#refresh(consumed, tokens, context))
      },
    }
    this.#inProgress.set(context, exchange)
    return exchange
  }

  /** Repeats the reply for a used refresh token when that is harmless; returns when it is reuse. */
  async replyAgain(text: string, used: store.FoundToken, context: Context): Promise<void> {
    if (used.applicationId !== context.oidc.client.clientId) return
    if (await this.#isHarmless(used, receivedAtOf(context.req)))
      await this.#sameReply(text, used.hash, context)
  }

  async #isHarmless(used: store.FoundToken, receivedAt: Date): Promise<boolean> {
    const ageMs = receivedAt.getTime() - used.consumedAt!.getTime()
    if (!used.reply) return false
    if (!used.repliedAt) return ageMs < unsentReplyMs
    if (receivedAt <= used.repliedAt) return true
    if (!used.requestedAgainAt || ageMs > graceMs) return false
    return !(await store.isSuccessorUsed(this.#shop.db.read(), used.grantId!, used.hash))
  }

  async #exchangeCode(hash: Buffer, tokens: NewToken[]): Promise<void> {
    if (await this.#write(tokens, { hash, reply: null })) return
    // A code used twice was stolen by one of the two: what was issued for it is revoked.
    await this.#shop.db.transaction((tx) => revokeAuthorization(tx, tokens[0]!.grantId!, 'code_reused'))
    throw new errors.InvalidGrant('the code was used before')
  }

  async #refresh({ text, hash }: ConsumedToken, tokens: NewToken[], context: Context): Promise<void> {
    const given: StoredReply = { scope: context.oidc.params['scope'], reply: replyBodyOf(tokens) }
    const isFirst = await this.#write(tokens, { hash, reply: seal(given, text) })
    if (!isFirst) return await this.#sameReply(text, hash, context)
    const tookMs = this.#shop.clock.now().getTime() - receivedAtOf(context.req).getTime()
    await pause(Math.min(Math.max(holdMs.least, holdsPerExchange * tookMs), holdMs.most))
    await waitUntilIdle()
    await this.#markSent(hash)
  }

  /** Consumes the parent and writes the tokens; false when the parent was consumed before. */
  #write(tokens: NewToken[], parent?: { hash: Buffer; reply: Buffer | null }): Promise<boolean> {
    return this.#shop.db.transaction(async (tx) => {
      if (parent && !(await store.consumeToken(tx, parent.hash, parent.reply))) return false
      for (const it of tokens)
        store.insertToken(tx, { ...it, parent: parent?.hash ?? null, createdAt: tx.now })
      return true
    })
  }

  async #sameReply(text: string, hash: Buffer, context: Context): Promise<never> {
    await this.#shop.db.transaction(async (tx) => store.markRequestedAgain(tx, hash))
    const reply = await this.#sentReply(hash)
    const given = reply && unseal<StoredReply>(reply, text)
    if (!given || given.scope !== context.oidc.params['scope'])
      throw new errors.InvalidGrant('another request is using this refresh token')
    throw new EarlyReply(jsonReply(200, given.reply))
  }

  /** Waits until the first reply was sent: otherwise late requests could not be distinguished from concurrent ones. */
  async #sentReply(hash: Buffer): Promise<Buffer | null> {
    for (const began = elapsedMs(); ; await pause(pollEveryMs)) {
      const used = await store.findToken(this.#shop.db.read(), hash)
      if (!used?.reply || used.revokedAt) return null
      if (used.repliedAt) return used.reply
      if (elapsedMs() - began > firstReplyTimeoutMs) await this.#markSent(hash)
    }
  }

  #markSent(hash: Buffer): Promise<unknown> {
    return this.#shop.db.transaction(async (tx) => store.markReplied(tx, hash))
  }
}

/** Returns when the event loop has had a few idle turns, so that requests already received have been read. */
async function waitUntilIdle(): Promise<void> {
  for (let [turn, idle] = [0, 0]; turn < maxTurns && idle < idleTurns; turn++) {
    const began = elapsedMs()
    await nextTurn()
    idle = elapsedMs() - began < idleTurnMs ? idle + 1 : 0
  }
}

/** In the order in which the provider writes the fields. */
const replyBodyOf = (tokens: NewToken[]) => {
  const of = (kind: TokenKind) => tokens.find((it) => it.kind === kind)!
  return {
    access_token: of('access').text,
    expires_in: lifetimeSeconds.access,
    refresh_token: of('refresh').text,
    scope: of('access').scopes.join(' '),
    token_type: 'Bearer',
  }
}

// The stored reply is encrypted with a key derived from the refresh token, of which only the hash is stored.

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

function seal(reply: object, token: string): Buffer {
  const iv = secretBytes(ivBytes)
  const sealing = createCipheriv(cipher, keyOf(token), iv)
  const text = Buffer.concat([sealing.update(JSON.stringify(reply)), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), text])
}

function unseal<T>(reply: Buffer, token: string): T {
  const opening = createDecipheriv(cipher, keyOf(token), reply.subarray(0, ivBytes))
  opening.setAuthTag(reply.subarray(ivBytes, ivBytes + tagBytes))
  const text = Buffer.concat([opening.update(reply.subarray(ivBytes + tagBytes)), opening.final()])
  return JSON.parse(text.toString()) as T
}

const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', 'answer to a refresh', 32))
