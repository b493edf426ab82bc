// What this process remembers of an environment so as not to ask the database again. An entry says what it was made
// from, as the subjects of facts: `offer/12`, `partner/3`. A fact about one of them makes it forgotten, on every
// process within a second. It is for showing; whoever sells reads afresh.

import { type Event, subjectOf } from '../events.ts'

export interface MemoryKind<V> {
  /** How many are remembered at most; the longest unused go first, nearly. */
  max: number
  /** What an entry was made from. */
  subjects(value: V): string[]
  /** Subjects that a fact touches beside its own: a new offer touches its product. */
  touches?(event: Event): string[]
  /** Whether a fact can change any entry at all; each may, unless said. A transaction that told none of these recalls. */
  heeds?(event: Event): boolean
}

export type Key = number | string

export type Load<K extends Key, V> = (keys: K[]) => Promise<Map<K, V>>

/** All that one environment remembers. */
export class Memory {
  readonly #shelves = new Map<MemoryKind<never>, Shelf<unknown>>()

  /** The values of keys, remembered or loaded; keys that stand for nothing are left out. */
  async recall<K extends Key, V>(
    kind: MemoryKind<V>,
    keys: readonly K[],
    load: Load<K, V>,
  ): Promise<Map<K, V>> {
    return this.#shelf(kind).recall(keys, load)
  }

  hear(event: Event): void {
    for (const shelf of this.#shelves.values()) shelf.hear(event)
  }

  /** Forgets everything: when facts may have been missed. */
  clear(): void {
    for (const shelf of this.#shelves.values()) shelf.clear()
  }

  #shelf<V>(kind: MemoryKind<V>): Shelf<V> {
    const known = this.#shelves.get(kind as MemoryKind<never>)
    if (known) return known as Shelf<V>
    const opened = new Shelf(kind)
    this.#shelves.set(kind as MemoryKind<never>, opened as Shelf<unknown>)
    return opened
  }
}

interface Entry<V> {
  value: V
  /** Since somebody last looked for one to forget. */
  isUsed: boolean
}

class Shelf<V> {
  readonly #kind: MemoryKind<V>
  readonly #entries = new Map<Key, Entry<V>>()
  readonly #madeFrom = new Map<string, Set<Key>>()
  /** Of every load under way, the subjects that were touched since it began. */
  readonly #loading = new Set<Set<string>>()

  constructor(kind: MemoryKind<V>) {
    this.#kind = kind
  }

  async recall<K extends Key>(keys: readonly K[], load: Load<K, V>): Promise<Map<K, V>> {
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

  hear(event: Event): void {
    for (const subject of [subjectOf(event), ...(this.#kind.touches?.(event) ?? [])]) {
      for (const touched of this.#loading) touched.add(subject)
      for (const key of this.#madeFrom.get(subject) ?? []) this.#forget(key)
    }
  }

  clear(): void {
    for (const touched of this.#loading) touched.add(everything)
    this.#entries.clear()
    this.#madeFrom.clear()
  }

  async #load<K extends Key>(keys: K[], load: Load<K, V>): Promise<Map<K, V>> {
    const touched = new Set<string>()
    this.#loading.add(touched)
    try {
      const loaded = await load(keys)
      for (const [key, value] of loaded) this.#keep(key, value, touched)
      return loaded
    } finally {
      this.#loading.delete(touched)
    }
  }

  /** What was read before a fact arrived may be older than the fact. */
  #keep(key: Key, value: V, touched: ReadonlySet<string>): void {
    const subjects = this.#kind.subjects(value)
    if (touched.has(everything) || subjects.some((it) => touched.has(it))) return
    this.#forget(key)
    if (this.#entries.size >= this.#kind.max) this.#forgetOne()
    this.#entries.set(key, { value, isUsed: false })
    for (const subject of subjects) {
      const keys = this.#madeFrom.get(subject)
      if (keys) keys.add(key)
      else this.#madeFrom.set(subject, new Set([key]))
    }
  }

  /** The first that was not used since it was last passed over. Whoever reads only leaves a mark, which costs next to nothing. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.isUsed) return this.#forget(key)
      entry.isUsed = false
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
  }

  #forget(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    for (const subject of this.#kind.subjects(entry.value)) {
      const keys = this.#madeFrom.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.#madeFrom.delete(subject)
    }
  }
}

const everything = '*'
