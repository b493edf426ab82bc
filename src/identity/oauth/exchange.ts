// One code or refresh token becomes one set of tokens, in one transaction: taken, and its successors written, or nothing.
// Of many who bring the same, the row's lock lets one through.
//
// A refresh token that comes again ends its chain, because somebody has a copy. But clients also ask twice at once. Who
// asked before the first answer left cannot have learnt anything from it, so he is no thief: he is given the same
// answer. The answer waits a moment, so that those who asked together have arrived; once one of them was seen, the
// others may straggle in for some seconds, as long as nobody has used what was given (ADR 0010).

import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import { type Context, errors } from 'oidc-provider'
import { elapsedMs } from '../../base/clock.ts'
import { sha256 } from '../../base/random.ts'
import type { Shop } from '../../base/shop.ts'
import * as store from '../store/oauth.ts'
import { revokeAuthorization } from './grant.ts'
import { Answered, arrivalOf } from './request.ts'
import { jsonReply } from './refused.ts'
import { sealed, unsealed } from './sealed-answer.ts'
import { lifetimeSeconds, type TokenKind } from './token.ts'

type NewToken = Omit<store.StoredToken, 'parent' | 'createdAt'> & { text: string }

/** What was brought to be exchanged. */
interface Taken {
  text: string
  hash: Buffer
  kind: TokenKind
}

/** The exchange of one request. */
interface Exchange {
  consume(text: string, kind: TokenKind): Promise<void>
  /** Writes a token: at once when it stands alone, else together with its twin. */
  add(token: NewToken): Promise<void>
}

interface Given {
  /** What was asked for, as it was written. */
  scope: string | undefined
  answer: object
}

/** An access token and a refresh token. */
const tokensOfOneExchange = 2
/** How long the answer to a refresh waits: where all is slow, as many times what it took to get there. */
const holdMs = { least: 200, most: 1_500 }
const holdsPerExchange = 3
/** How long others wait for the first to answer; by then its process has died. */
const patienceMs = 4_000
const lookEveryMs = 50
/** How long stragglers are given the same, and how long an answer that never left is kept for its owner. */
const graceMs = 5_000
const undeliveredMs = 60_000
const idleRounds = 3
const idleRoundMs = 2
const mostRounds = 100

/** The exchanges of one environment. */
export class Exchanges {
  readonly #shop: Shop
  readonly #underWay = new WeakMap<Context, Exchange>()

  constructor(shop: Shop) {
    this.#shop = shop
  }

  of(context: Context): Exchange {
    const known = this.#underWay.get(context)
    if (known) return known
    let taken: Taken | undefined
    const tokens: NewToken[] = []
    const exchange: Exchange = {
      consume: async (text, kind) => {
        taken = { text, hash: sha256(text), kind }
      },
      add: async (token) => {
        tokens.push(token)
        if (!taken) return void (await this.#write(tokens))
        if (tokens.length < tokensOfOneExchange) return
        await (taken.kind === 'code'
          ? this.#exchangeCode(taken.hash, tokens)
          : this.#refresh(taken, tokens, context))
      },
    }
    this.#underWay.set(context, exchange)
    return exchange
  }

  /** Answers a used refresh token like the first time where that is harmless; returns where it is a theft. */
  async answerAgain(text: string, used: store.FoundToken, context: Context): Promise<void> {
    if (used.clientId !== context.oidc.client.clientId) return
    if (await this.#isHarmless(used, arrivalOf(context.req))) await this.#sameAnswer(text, used.hash, context)
  }

  async #isHarmless(used: store.FoundToken, arrivedAt: Date): Promise<boolean> {
    const ageMs = arrivedAt.getTime() - used.consumedAt!.getTime()
    if (!used.answer) return false
    if (!used.answeredAt) return ageMs < undeliveredMs
    if (arrivedAt <= used.answeredAt) return true
    if (!used.askedAgainAt || ageMs > graceMs) return false
    return !(await store.isSuccessorUsed(this.#shop.db.read(), used.grantId!, used.hash))
  }

  async #exchangeCode(hash: Buffer, tokens: NewToken[]): Promise<void> {
    if (await this.#write(tokens, { hash, answer: null })) return
    // A code that comes twice was stolen by one of the two: what the other got must not live on.
    await this.#shop.db.transaction((tx) => revokeAuthorization(tx, tokens[0]!.grantId!, 'code_reused'))
    throw new errors.InvalidGrant('the code was used before')
  }

  async #refresh({ text, hash }: Taken, tokens: NewToken[], context: Context): Promise<void> {
    const given: Given = { scope: context.oidc.params['scope'], answer: answerOf(tokens) }
    const isFirst = await this.#write(tokens, { hash, answer: sealed(given, text) })
    if (!isFirst) return await this.#sameAnswer(text, hash, context)
    const tookMs = this.#shop.clock.now().getTime() - arrivalOf(context.req).getTime()
    await pause(Math.min(Math.max(holdMs.least, holdsPerExchange * tookMs), holdMs.most))
    await untilIdle()
    await this.#leave(hash)
  }

  /** Takes the parent and writes the tokens; false when the parent was taken before. */
  #write(tokens: NewToken[], parent?: { hash: Buffer; answer: Buffer | null }): Promise<boolean> {
    return this.#shop.db.transaction(async (tx) => {
      if (parent && !(await store.consumeToken(tx, parent.hash, parent.answer))) return false
      for (const it of tokens)
        store.insertToken(tx, { ...it, parent: parent?.hash ?? null, createdAt: tx.now })
      return true
    })
  }

  async #sameAnswer(text: string, hash: Buffer, context: Context): Promise<never> {
    await this.#shop.db.transaction(async (tx) => store.noteAskedAgain(tx, hash))
    const answer = await this.#answerThatLeft(hash)
    const given = answer && unsealed<Given>(answer, text)
    if (!given || given.scope !== context.oidc.params['scope'])
      throw new errors.InvalidGrant('another request is using this refresh token')
    throw new Answered(jsonReply(200, given.answer))
  }

  /** Nobody is answered before the first, or those who only come later could not be told from those who came together. */
  async #answerThatLeft(hash: Buffer): Promise<Buffer | null> {
    for (const began = elapsedMs(); ; await pause(lookEveryMs)) {
      const used = await store.findToken(this.#shop.db.read(), hash)
      if (!used?.answer || used.revokedAt) return null
      if (used.answeredAt) return used.answer
      if (elapsedMs() - began > patienceMs) await this.#leave(hash)
    }
  }

  #leave(hash: Buffer): Promise<unknown> {
    return this.#shop.db.transaction(async (tx) => store.noteAnswered(tx, hash))
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
