// Recently used credentials of one environment. Most requests need no database lookup; an event about a credential's
// subject evicts it, in every process within a second.

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Environment, Reader, Tx } from '../base/database.ts'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { type Event, events, subjectOf } from '../events.ts'
import type { Principal } from '../http/route.ts'

/** A kind of credential. It is recognised by its format, without a database lookup. */
export interface CredentialKind {
  /** The header that carries it. */
  carrier: 'bearer' | 'cookie'
  /** The cookie's name on plain HTTP; on HTTPS it has the prefix `__Host-`. */
  cookie?: string
  /** The environment of a well-formed credential; undefined for other text. */
  environmentOf(text: string, headers: IncomingHttpHeaders): Environment | undefined
  /** Whether the request asks for this kind, when a browser sends several cookies. */
  isRequested?(headers: IncomingHttpHeaders): boolean
  /** The environment of the request, for members, who may act in both. */
  environmentOfRequest?(text: string, headers: IncomingHttpHeaders): Environment
  /** Finds a credential by the SHA-256 of its text. */
  find(read: Reader, hash: Buffer): Promise<FoundCredential | undefined>
  /** Saves when credentials were last used, by principal id. Called every few seconds. */
  recordUse?(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void>
}

export interface FoundCredential {
  principal: Principal
  hash: Buffer
  /**
   * Event subjects, such as `key/…` or `client/…`. An event about one of them may end the credential or change its
   * scopes.
   */
  dependsOn: readonly string[]
  revokedAt: Date | null
  expiresAt: Date | null
  /** How long it stays valid without use; undefined when use does not matter. */
  idle?: { lastUsedAt: Date; lifetimeMs: number }
}

const maxCached = 20_000
const cacheForMs = 60_000

interface CachedCredential extends FoundCredential {
  name: string
  kind: CredentialKind
  evictAtMs: number
}

export class CredentialCache {
  readonly #shop: Shop
  readonly #onRejected: (principal: Principal) => void
  readonly #cached = new Map<string, CachedCredential>()
  readonly #bySubject = new Map<string, Set<CachedCredential>>()
  readonly #uses = new Map<CredentialKind, Map<string, Date>>()
  #generation = 0

  /** `onRejected` is called for requests with a revoked or expired credential. */
  constructor(shop: Shop, onRejected: (principal: Principal) => void = () => {}) {
    this.#shop = shop
    this.#onRejected = onRejected
    shop.relay.subscribe((event) => this.#invalidate(event))
  }

  /** The principal of a credential; refuses unknown, revoked and expired ones. */
  principalOf(kind: CredentialKind, text: string): Principal | Promise<Principal> {
    const hash = sha256(text)
    const name = hash.toString('base64')
    const cached = this.#cached.get(name)
    const now = this.#shop.clock.now()
    if (cached && cached.evictAtMs > now.getTime() && timingSafeEqual(cached.hash, hash))
      return this.#admitted(cached, now)
    return this.#load(kind, name, hash)
  }

  /** Saves when credentials were last used. */
  async recordUse(): Promise<void> {
    for (const [kind, uses] of this.#uses) {
      const saved = new Map([...uses].toSorted())
      if (saved.size > 0) await this.#shop.db.transaction((tx) => kind.recordUse!(tx, saved))
      for (const [id, at] of saved) if (uses.get(id) === at) uses.delete(id)
    }
  }

  async #load(kind: CredentialKind, name: string, hash: Buffer): Promise<Principal> {
    const generation = this.#generation
    const now = this.#shop.clock.now()
    const found = await kind.find(this.#shop.db.read(), hash)
    if (!found || !timingSafeEqual(found.hash, hash)) throw refuse('unauthorized', { reason: 'unknown' })
    if (found.revokedAt) {
      this.#onRejected(found.principal)
      throw refuse('unauthorized', { reason: 'revoked' })
    }
    this.#refuseIdle(kind, found, now)
    const cached: CachedCredential = { ...found, name, kind, evictAtMs: now.getTime() + cacheForMs }
    // A row that was read before an event arrived may be older than the event.
    if (generation === this.#generation) this.#add(cached)
    return this.#admitted(cached, now)
  }

  /** Uses that are not saved yet count too. */
  #refuseIdle(kind: CredentialKind, { idle, principal }: FoundCredential, now: Date): void {
    if (!idle) return
    const lastUsedMs = Math.max(
      idle.lastUsedAt.getTime(),
      this.#uses.get(kind)?.get(principal.id)?.getTime() ?? 0,
    )
    if (now.getTime() >= lastUsedMs + idle.lifetimeMs) throw expired(new Date(lastUsedMs + idle.lifetimeMs))
  }

  #admitted({ kind, principal, expiresAt }: CachedCredential, now: Date): Principal {
    if (expiresAt && expiresAt <= now) {
      this.#onRejected(principal)
      throw expired(expiresAt)
    }
    if (kind.recordUse) {
      const uses = this.#uses.get(kind) ?? new Map<string, Date>()
      this.#uses.set(kind, uses.set(principal.id, now))
    }
    return principal
  }

  #add(cached: CachedCredential): void {
    this.#evict(this.#cached.get(cached.name))
    if (this.#cached.size >= maxCached) this.#evict(this.#cached.values().next().value)
    this.#cached.set(cached.name, cached)
    for (const subject of cached.dependsOn)
      this.#bySubject.set(subject, (this.#bySubject.get(subject) ?? new Set()).add(cached))
  }

  #evict(cached: CachedCredential | undefined): void {
    if (!cached) return
    this.#cached.delete(cached.name)
    for (const subject of cached.dependsOn) {
      const others = this.#bySubject.get(subject)
      others?.delete(cached)
      if (others?.size === 0) this.#bySubject.delete(subject)
    }
  }

  #invalidate(event: Event): void {
    if (events[event.type].module !== 'identity') return
    this.#generation++
    for (const cached of this.#bySubject.get(subjectOf(event)) ?? []) this.#evict(cached)
  }
}

const expired = (at: Date) =>
  refuse('unauthorized', { reason: 'token_expired', expires_at: at.toISOString() })
