// Who calls. A key that was seen is known for a while, so most calls ask no database; a fact that concerns keys or
// applications empties what is known, on every process within a second.

import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { sha256 } from '../base/random.ts'
import { rateOf } from '../base/rate.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Event } from '../events.ts'
import type { Authenticate } from '../http/admission.ts'
import type { Principal } from '../http/route.ts'
import { environmentOfKey } from './key.ts'
import * as store from './store.ts'

const maxKnown = 10_000
const knownForMs = 60_000
const noteUseEveryMs = 5_000

interface Known {
  principal: Principal
  keyId: string
  hash: Buffer
  expiresAt: Date | null
  forgetAtMs: number
}

export interface Authenticator {
  authenticate: Authenticate
  close(): Promise<void>
}

export function openAuthenticator(shops: Record<Environment, Shop>, log: Log): Authenticator {
  const desks = { live: new Desk(shops.live), test: new Desk(shops.test) }
  const noteUse = () => Promise.all([desks.live.noteUse(), desks.test.noteUse()])
  const timer = setInterval(() => {
    noteUse().catch((error: unknown) => log.warn('the last use of keys could not be noted', { error }))
  }, noteUseEveryMs).unref()
  return {
    authenticate: ({ authorization }) => {
      if (authorization === undefined) return null
      const key = /^bearer +([^\s]+)$/i.exec(authorization)?.[1]
      const environment = key && environmentOfKey(key)
      if (!environment) throw refuse('unauthorized', { reason: 'malformed' })
      return desks[environment].principalOf(key)
    },
    close: async () => {
      clearInterval(timer)
      await noteUse().catch(() => {})
    },
  }
}

/** The keys of one environment. */
class Desk {
  readonly #shop: Shop
  readonly #known = new Map<string, Known>()
  readonly #uses = new Map<string, Date>()
  #generation = 0

  constructor(shop: Shop) {
    this.#shop = shop
    shop.relay.listen((event) => this.#hear(event))
  }

  principalOf(key: string): Principal | Promise<Principal> {
    const hash = sha256(key)
    const name = hash.toString('base64')
    const known = this.#known.get(name)
    const now = this.#shop.clock.now()
    if (known && known.forgetAtMs > now.getTime() && timingSafeEqual(known.hash, hash))
      return this.#admitted(known, now)
    return this.#lookUp(name, hash)
  }

  async noteUse(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = new Map([...this.#uses].toSorted())
    this.#uses.clear()
    await this.#shop.db.transaction((tx) => store.noteUse(tx, uses))
  }

  async #lookUp(name: string, hash: Buffer): Promise<Principal> {
    const generation = this.#generation
    const now = this.#shop.clock.now()
    const found = await store.findKeyByHash(this.#shop.db.read(), hash)
    if (!found || !timingSafeEqual(found.hash, hash)) throw refuse('unauthorized', { reason: 'unknown' })
    if (found.revokedAt) throw refuse('unauthorized', { reason: 'revoked' })
    const known: Known = {
      principal: {
        id: found.keyId,
        environment: this.#shop.environment,
        actor: { kind: 'application' },
        application: { id: found.clientId, type: found.type },
        scopes: new Set(found.scopes),
        rate: found.rateLimit === null ? undefined : rateOf(found.rateLimit),
      },
      keyId: found.keyId,
      hash,
      expiresAt: found.expiresAt,
      forgetAtMs: now.getTime() + knownForMs,
    }
    // What was looked up before a fact arrived may be older than the fact.
    if (generation === this.#generation) {
      if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!)
      this.#known.set(name, known)
    }
    return this.#admitted(known, now)
  }

  #admitted(known: Known, now: Date): Principal {
    if (known.expiresAt && known.expiresAt <= now)
      throw refuse('unauthorized', { reason: 'token_expired', expires_at: known.expiresAt.toISOString() })
    this.#uses.set(known.keyId, now)
    return known.principal
  }

  #hear(event: Event): void {
    if (!event.type.startsWith('ApiKey') && !event.type.startsWith('Application')) return
    this.#generation++
    this.#known.clear()
  }
}
