// One code or refresh token becomes one set of tokens, in one transaction: taken, and its successors written, or nothing.
// Of many who bring the same, the row's lock lets one through.
//
// A refresh token that comes again ends its chain, because somebody has a copy. But clients also ask twice at once. Who
// asked before the first answer left cannot have learnt anything from it, so he is no thief: he is given the same
// answer. The answer waits a moment, so that those who asked together have all arrived (ADR 0010).

import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import { type Context, errors } from 'oidc-provider'
import { elapsedMs } from '../../base/clock.ts'
import type { Shop } from '../../base/shop.ts'
import * as store from '../store/oauth.ts'
import { revokeAuthorization } from './grant.ts'
import { Answered, arrivalOf } from './request.ts'
import { jsonReply } from './refused.ts'
import { lifetimeSeconds, type TokenKind } from './token.ts'

type NewToken = Omit<store.StoredToken, 'parent' | 'createdAt'> & { text: string }

/** The exchange of one request. */
interface Exchange {
  consume(hash: Buffer, kind: TokenKind): Promise<void>
  /** Writes a token: at once when it stands alone, else together with its twin. */
  add(token: NewToken): Promise<void>
}

interface Given {
  clientId: string
  /** What was asked for, as it was written. */
  scope: string | undefined
  answer: object
  /** When it left; undefined as long as it waits. */
  leftAt: Date | undefined
  left: Promise<void>
}

/** An access token and a refresh token. */
const tokensOfOneExchange = 2
/** How long the answer to a refresh waits, and how long it is known to those who asked meanwhile and are slow. */
const holdMs = 200
const knownForMs = 10_000
const idleRounds = 3
const idleRoundMs = 2
const mostRounds = 100

/** The exchanges of one environment. */
export class Exchanges {
  readonly #shop: Shop
  readonly #underWay = new WeakMap<Context, Exchange>()
  /** Answers that left a moment ago or are about to, by the refresh token that they are for. */
  readonly #given = new Map<string, Given>()

  constructor(shop: Shop) {
    this.#shop = shop
  }

  of(context: Context): Exchange {
    const known = this.#underWay.get(context)
    if (known) return known
    let taken: { hash: Buffer; kind: TokenKind } | undefined
    const tokens: NewToken[] = []
    const exchange: Exchange = {
      consume: async (hash, kind) => {
        taken = { hash, kind }
      },
      add: async (token) => {
        tokens.push(token)
        if (!taken) return void (await this.#write(tokens, null))
        if (tokens.length < tokensOfOneExchange) return
        await (taken.kind === 'code'
          ? this.#exchangeCode(taken.hash, tokens)
          : this.#refresh(taken.hash, tokens, context))
      },
    }
    this.#underWay.set(context, exchange)
    return exchange
  }

  /** Answers a used refresh token that came before the first answer left; returns when it came later. */
  async refuseParallel(used: store.FoundToken, context: Context): Promise<void> {
    const leftAt = await this.#leftAt(used)
    if (leftAt === undefined || arrivalOf(context.req) <= leftAt) await this.#sameAnswer(used.hash, context)
  }

  /** When the first answer left: here to the millisecond, from another process not before this. */
  async #leftAt(used: store.FoundToken): Promise<Date | undefined> {
    const given = this.#given.get(used.hash.toString('base64'))
    if (given) return given.leftAt
    const writtenAt = await store.exchangedAt(this.#shop.db.read(), used.grantId!, used.hash)
    return writtenAt ? new Date(writtenAt.getTime() + holdMs) : undefined
  }

  async #exchangeCode(hash: Buffer, tokens: NewToken[]): Promise<void> {
    if (await this.#write(tokens, hash)) return
    // A code that comes twice was stolen by one of the two: what the other got must not live on.
    await this.#shop.db.transaction((tx) => revokeAuthorization(tx, tokens[0]!.grantId!, 'code_reused'))
    throw new errors.InvalidGrant('the code was used before')
  }

  async #refresh(hash: Buffer, tokens: NewToken[], context: Context): Promise<void> {
    const name = hash.toString('base64')
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const given: Given = {
      clientId: context.oidc.client.clientId,
      scope: context.oidc.params['scope'],
      answer: answerOf(tokens),
      leftAt: undefined,
      left,
    }
    try {
      const isFirst = await this.#write(tokens, hash, () => this.#given.set(name, given))
      if (!isFirst) return await this.#sameAnswer(hash, context)
    } catch (error) {
      // What could not be written is nobody's answer.
      if (this.#given.get(name) === given) this.#given.delete(name)
      throw error
    }
    await pause(holdMs)
    await untilIdle()
    given.leftAt = this.#shop.clock.now()
    leave()
    setTimeout(() => this.#given.delete(name), knownForMs).unref()
  }

  /** Takes the parent and writes the tokens; false when the parent was taken before. */
  #write(tokens: NewToken[], parent: Buffer | null, first?: () => void): Promise<boolean> {
    return this.#shop.db.transaction(async (tx) => {
      if (parent && !(await store.consumeToken(tx, parent))) return false
      // Before others can see that the parent was taken, so that they find what they are given.
      first?.()
      for (const it of tokens) store.insertToken(tx, { ...it, parent, createdAt: tx.now })
      return true
    })
  }

  /** On another process than the first one's the answer is not known; nothing ends there, and nothing is given. */
  async #sameAnswer(hash: Buffer, context: Context): Promise<never> {
    const given = this.#given.get(hash.toString('base64'))
    const { client, params } = context.oidc
    if (given?.clientId !== client.clientId || given.scope !== params['scope'])
      throw new errors.InvalidGrant('another request is using this refresh token')
    await given.left
    throw new Answered(jsonReply(200, given.answer))
  }
}

/** Returns when whatever has reached this process is read: a few rounds have passed with little to do in them. */
async function untilIdle(): Promise<void> {
  for (let [round, idle] = [0, 0]; round < mostRounds && idle < idleRounds; round++) {
    const began = elapsedMs()
    await nextRound()
    idle = elapsedMs() - began < idleRoundMs ? idle + 1 : 0
  }
}

/** The answer in the order in which the provider writes it. */
const answerOf = (tokens: NewToken[]) => {
  const of = (kind: TokenKind) => tokens.find((it) => it.kind === kind)!
  return {
    access_token: of('access').text,
    expires_in: lifetimeSeconds.access,
    refresh_token: of('refresh').text,
    scope: of('access').scopes.join(' '),
    token_type: 'Bearer',
  }
}
