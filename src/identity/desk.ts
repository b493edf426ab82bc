// The credentials of one environment that were seen lately. Most calls ask no database; a fact about what a
// credential stands on makes the desk forget it, on every process within a second.

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { type Event, events, subjectOf } from '../events.ts'
import type { Principal } from '../http/route.ts'
import type { CredentialKind, Found } from './credential.ts'

const maxKnown = 20_000
const knownForMs = 60_000

interface Known extends Found {
  name: string
  kind: CredentialKind
  forgetAtMs: number
}

export class Desk {
  readonly #shop: Shop
  readonly #turnedAway: (principal: Principal) => void
  readonly #known = new Map<string, Known>()
  readonly #bySubject = new Map<string, Set<Known>>()
  readonly #uses = new Map<CredentialKind, Map<string, Date>>()
  #generation = 0

  /** `turnedAway` hears of calls with a credential that was good once. */
  constructor(shop: Shop, turnedAway: (principal: Principal) => void = () => {}) {
    this.#shop = shop
    this.#turnedAway = turnedAway
    shop.relay.listen((event) => this.#hear(event))
  }

  /** Who is behind a credential; refuses one that is unknown or no longer good. */
  principalOf(kind: CredentialKind, text: string): Principal | Promise<Principal> {
    const hash = sha256(text)
    const name = hash.toString('base64')
    const known = this.#known.get(name)
    const now = this.#shop.clock.now()
    if (known && known.forgetAtMs > now.getTime() && timingSafeEqual(known.hash, hash))
      return this.#admitted(known, now)
    return this.#lookUp(kind, name, hash)
  }

  /** Writes down when credentials were last used. */
  async noteUse(): Promise<void> {
    for (const [kind, uses] of this.#uses) {
      const noted = new Map([...uses].toSorted())
      if (noted.size > 0) await this.#shop.db.transaction((tx) => kind.noteUse!(tx, noted))
      for (const [id, at] of noted) if (uses.get(id) === at) uses.delete(id)
    }
  }

  async #lookUp(kind: CredentialKind, name: string, hash: Buffer): Promise<Principal> {
    const generation = this.#generation
    const now = this.#shop.clock.now()
    const found = await kind.find(this.#shop.db.read(), hash)
    if (!found || !timingSafeEqual(found.hash, hash)) throw refuse('unauthorized', { reason: 'unknown' })
    if (found.revokedAt) {
      this.#turnedAway(found.principal)
      throw refuse('unauthorized', { reason: 'revoked' })
    }
    this.#refuseIdle(kind, found, now)
    const known: Known = { ...found, name, kind, forgetAtMs: now.getTime() + knownForMs }
    // What was looked up before a fact arrived may be older than the fact.
    if (generation === this.#generation) this.#keep(known)
    return this.#admitted(known, now)
  }

  /** A use that is not written down yet counts too. */
  #refuseIdle(kind: CredentialKind, { idle, principal }: Found, now: Date): void {
    if (!idle) return
    const lastUsedMs = Math.max(
      idle.lastUsedAt.getTime(),
      this.#uses.get(kind)?.get(principal.id)?.getTime() ?? 0,
    )
    if (now.getTime() >= lastUsedMs + idle.lifetimeMs) throw expired(new Date(lastUsedMs + idle.lifetimeMs))
  }

  #admitted({ kind, principal, expiresAt }: Known, now: Date): Principal {
    if (expiresAt && expiresAt <= now) {
      this.#turnedAway(principal)
      throw expired(expiresAt)
    }
    if (kind.noteUse) {
      const uses = this.#uses.get(kind) ?? new Map<string, Date>()
      this.#uses.set(kind, uses.set(principal.id, now))
    }
    return principal
  }

  #keep(known: Known): void {
    this.#forget(this.#known.get(known.name))
    if (this.#known.size >= maxKnown) this.#forget(this.#known.values().next().value)
    this.#known.set(known.name, known)
    for (const subject of known.standsOn)
      this.#bySubject.set(subject, (this.#bySubject.get(subject) ?? new Set()).add(known))
  }

  #forget(known: Known | undefined): void {
    if (!known) return
    this.#known.delete(known.name)
    for (const subject of known.standsOn) {
      const others = this.#bySubject.get(subject)
      others?.delete(known)
      if (others?.size === 0) this.#bySubject.delete(subject)
    }
  }

  #hear(event: Event): void {
    if (events[event.type].module !== 'identity') return
    this.#generation++
    for (const known of this.#bySubject.get(subjectOf(event)) ?? []) this.#forget(known)
  }
}

const expired = (at: Date) =>
  refuse('unauthorized', { reason: 'token_expired', expires_at: at.toISOString() })
