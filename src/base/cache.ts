// The cache of one environment in this process. An entry lists what it was made from as subjects of events: `offer/12`,
// `partner/3`. An event about one of them evicts it, in every process within a second. Use it for display only: writes
// must read from the database.

import { type Event, subjectOf } from '../events.ts'

export interface CacheKind<V> {
  /** Maximum number of entries; eviction is approximately least recently used. */
  max: number
  /** What an entry was made from, as subjects of events. */
  subjects(value: V): string[]
  /** Subjects that an event affects beside its own: a new offer affects its product. */
  alsoAffects?(event: Event): string[]
  /** Whether an event can change any entry; default: every event. A transaction that published none of these uses the cache. */
  dependsOn?(event: Event): boolean
}

export type CacheKey = number | string

export type CacheLoad<K extends CacheKey, V> = (keys: K[]) => Promise<Map<K, V>>

/** All cached values of one environment. */
export class Cache {
  readonly #segments = new Map<CacheKind<never>, CacheSegment<unknown>>()

  /** The values of keys, cached or loaded; keys without a value are left out. */
  getOrLoad<K extends CacheKey, V>(
    kind: CacheKind<V>,
    keys: readonly K[],
    load: CacheLoad<K, V>,
  ): Promise<Map<K, V>> {
    return this.#segment(kind).getOrLoad(keys, load)
  }

  invalidate(event: Event): void {
    for (const segment of this.#segments.values()) segment.invalidate(event)
  }

  /** Evicts everything: when events may have been missed. */
  clear(): void {
    for (const segment of this.#segments.values()) segment.clear()
  }

  #segment<V>(kind: CacheKind<V>): CacheSegment<V> {
    const known = this.#segments.get(kind as CacheKind<never>)
    if (known) return known as CacheSegment<V>
    const opened = new CacheSegment(kind)
    this.#segments.set(kind as CacheKind<never>, opened as CacheSegment<unknown>)
    return opened
  }
}

interface Entry<V> {
  value: V
  /** Since the last search for an entry to evict. */
  isUsed: boolean
  /** Of its key in the ring. */
  place: number
}

class CacheSegment<V> {
  readonly #kind: CacheKind<V>
  readonly #entries = new Map<CacheKey, Entry<V>>()
  /** A ring of the keys, in which evictions go round. A new entry takes a place that became free. */
  readonly #ring: (CacheKey | undefined)[] = []
  readonly #freePlaces: number[] = []
  /** The place where the next eviction continues. */
  #hand = 0
  readonly #keysBySubject = new Map<string, Set<CacheKey>>()
  /** For every load in progress, the subjects of events that arrived since it began. */
  readonly #loading = new Set<Set<string>>()

  constructor(kind: CacheKind<V>) {
    this.#kind = kind
  }

  async getOrLoad<K extends CacheKey>(keys: readonly K[], load: CacheLoad<K, V>): Promise<Map<K, V>> {
    const found = new Map<K, V>()
    const missing: K[] = []
    for (const key of keys) {
      const entry = this.#entries.get(key)
      if (entry === undefined) missing.push(key)
      else {
        entry.isUsed = true
        found.set(key, entry.value)
      }
    }
    if (missing.length > 0) for (const [key, value] of await this.#load(missing, load)) found.set(key, value)
    return found
  }

  invalidate(event: Event): void {
    for (const subject of [subjectOf(event), ...(this.#kind.alsoAffects?.(event) ?? [])]) {
      for (const changed of this.#loading) changed.add(subject)
      for (const key of this.#keysBySubject.get(subject) ?? []) this.#evict(key)
    }
  }

  clear(): void {
    for (const changed of this.#loading) changed.add(everything)
    this.#entries.clear()
    this.#keysBySubject.clear()
    this.#ring.length = this.#freePlaces.length = this.#hand = 0
  }

  async #load<K extends CacheKey>(keys: K[], load: CacheLoad<K, V>): Promise<Map<K, V>> {
    const changed = new Set<string>()
    this.#loading.add(changed)
    try {
      const loaded = await load(keys)
      for (const [key, value] of loaded) this.#put(key, value, changed)
      return loaded
    } finally {
      this.#loading.delete(changed)
    }
  }

  /** A value that was read before an event arrived may be older than the event. */
  #put(key: CacheKey, value: V, changed: ReadonlySet<string>): void {
    const subjects = this.#kind.subjects(value)
    if (changed.has(everything) || subjects.some((it) => changed.has(it))) return
    this.#evict(key)
    if (this.#entries.size >= this.#kind.max) this.#evictOne()
    const place = this.#freePlaces.pop() ?? this.#ring.length
    this.#ring[place] = key
    this.#entries.set(key, { value, isUsed: false, place })
    for (const subject of subjects) {
      const keys = this.#keysBySubject.get(subject)
      if (keys) keys.add(key)
      else this.#keysBySubject.set(subject, new Set([key]))
    }
  }

  /** The clock algorithm: the next entry that was not used since the last pass. Reads only set a flag. */
  #evictOne(): void {
    while (this.#entries.size > 0) {
      const key = this.#ring[this.#hand]
      this.#hand = (this.#hand + 1) % this.#ring.length
      if (key === undefined) continue
      const entry = this.#entries.get(key)!
      if (!entry.isUsed) return this.#evict(key)
      entry.isUsed = false
    }
  }

  #evict(key: CacheKey): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#ring[entry.place] = undefined
    this.#freePlaces.push(entry.place)
    for (const subject of this.#kind.subjects(entry.value)) {
      const keys = this.#keysBySubject.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysBySubject.delete(subject)
    }
  }
}

const everything = '*'
