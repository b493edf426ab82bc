// Words and rows of the text index in OpenSearch: one index of words and one of rows, each behind an alias. A rebuild
// fills new indices and then moves the aliases, so that searches never see a half-filled index.

import type { API, Client, Types } from '@opensearch-project/opensearch'
import { secretUuid } from '../../base/random.ts'
import {
  analysed,
  type FoundRows,
  type FoundWord,
  hashOf,
  maxNearWords,
  maxPrefixWords,
  type RowTexts,
  type StoredWord,
  type TextStore,
  type WantedWords,
} from '../../search/index.ts'
import { mappingVersion, rowMapping, type StoredRow, wordMapping } from './opensearch-mappings.ts'

/** Rows are read in pages; what matches more rows than all pages hold is cut. */
const pageSize = 5_000
const maxPages = 60
const maxWords = 10_000
const maxConflicts = 5

type Kind = 'words' | 'rows'
type Query = Types.Common_QueryDsl.QueryContainer
type Operations = API.Bulk_RequestBody

export class OpenSearchTexts implements TextStore {
  readonly #open: () => Promise<Client>
  readonly #aliases: Record<Kind, string>
  /** Where writes go: the aliases, or new indices while a rebuild fills them. */
  #targets: Record<Kind, string>
  #isLoading = false
  readonly #seen = new Set<number>()

  /** `name` is the beginning of the names of all indices. */
  constructor(open: () => Promise<Client>, name: string) {
    this.#open = open
    this.#aliases = { words: `${name}-words`, rows: `${name}-rows` }
    this.#targets = this.#aliases
  }

  async words(wanted: WantedWords): Promise<FoundWord[]> {
    const { query, size, sort } = wordQuery(wanted)
    const client = await this.#open()
    const { body } = await client.search({
      index: this.#aliases.words,
      body: { query: { bool: { filter: [query] } }, size, ...(sort && { sort }) },
    })
    const words = body.hits.hits.map((it) => it._source as StoredWord)
    const rows = await this.#countRows(words.map((it) => it.key))
    const found = words.map(({ deletes: _deletes, ...it }) => ({ ...it, rows: rows.get(it.key) ?? 0 }))
    const used = found.filter((it) => it.rows > 0)
    if (wanted.by !== 'prefix') return used
    return used.toSorted((a, b) => b.rows - a.rows || (a.key < b.key ? -1 : 1)).slice(0, maxPrefixWords)
  }

  async #countRows(keys: string[]): Promise<Map<string, number>> {
    if (keys.length === 0) return new Map()
    const client = await this.#open()
    // The client's types lack `field`, which every terms aggregation has.
    const terms = { field: 'words', include: keys, size: keys.length }
    const { body } = await client.search({
      index: this.#aliases.rows,
      body: { size: 0, aggs: { rows: { terms } } },
    })
    const { buckets } = body.aggregations!['rows'] as { buckets: { key: string; doc_count: number }[] }
    return new Map(buckets.map((it) => [it.key, it.doc_count]))
  }

  async rows(groups: readonly (readonly FoundWord[])[]): Promise<FoundRows> {
    const keys = new Set(groups.flat().map((it) => it.key))
    const found = new Map<string, number[]>(Array.from(keys, (it) => [it, []]))
    const having = groups.map((group): Query => ({ terms: { words: group.map((it) => it.key) } }))
    await this.#eachRow({ bool: { filter: having } }, ['words', 'fields'], (id, { words, fields }) => {
      for (const [at, key] of words.entries()) found.get(key)?.push(id * 256 + fields[at]!)
    })
    return found
  }

  async write(rows: readonly RowTexts[]): Promise<void> {
    if (rows.length === 0) return
    if (this.#isLoading) for (const { id } of rows) this.#seen.add(id)
    const stored = await this.#stored<StoredRow>(
      'rows',
      rows.map((it) => String(it.id)),
      ['hash'],
    )
    const changed = rows.filter((it) => stored.get(String(it.id))?.source.hash !== hashOf(it.texts))
    if (changed.length === 0) return
    const { words, postings } = analysed(changed)
    await this.#writeWords(words)
    const byRow = Map.groupBy(postings, (it) => it.rowId)
    const operations = changed.flatMap(({ id, texts }): Operations => {
      const own = byRow.get(id) ?? []
      const row: StoredRow = {
        product_id: id,
        hash: hashOf(texts),
        words: own.map((it) => it.key),
        fields: own.map((it) => it.fields),
      }
      return [{ index: { _index: this.#targets.rows, _id: String(id) } }, row]
    })
    await this.#bulk(operations)
  }

  /** Adds to what the words have. A word that another process has just written is read and written again. */
  async #writeWords(given: readonly StoredWord[]): Promise<void> {
    let left = given
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt === maxConflicts)
        throw new Error(`${left.length} words of the search index are in conflict`)
      const stored = await this.#stored<StoredWord>(
        'words',
        left.map((it) => it.key),
      )
      const changed = left.flatMap((word) => {
        const known = stored.get(word.key)
        const merged = known ? mergedWord(known.source, word) : word
        return known && isSameWord(known.source, merged) ? [] : [{ merged, known }]
      })
      const operations = changed.flatMap(({ merged, known }): Operations => {
        const place = { _index: this.#targets.words, _id: merged.key }
        if (!known) return [{ create: place }, merged]
        return [{ index: { ...place, if_seq_no: known.seqNo, if_primary_term: known.primaryTerm } }, merged]
      })
      const conflicts = operations.length > 0 ? await this.#bulk(operations) : new Set<string>()
      left = left.filter((it) => conflicts.has(it.key))
    }
  }

  async remove(rowIds: readonly number[]): Promise<void> {
    if (rowIds.length === 0) return
    await this.#bulk(rowIds.map((id) => ({ delete: { _index: this.#targets.rows, _id: String(id) } })))
  }

  /** Indices of another version, or none, are built again; else only what has changed is written. */
  async beginLoad(): Promise<void> {
    const client = await this.#open()
    this.#isLoading = true
    this.#seen.clear()
    this.#targets = this.#aliases
    if (await this.#isCurrent(client)) return
    const suffix = secretUuid()
    this.#targets = { words: `${this.#aliases.words}-${suffix}`, rows: `${this.#aliases.rows}-${suffix}` }
    await client.indices.create({ index: this.#targets.words, body: { mappings: wordMapping } })
    await client.indices.create({ index: this.#targets.rows, body: { mappings: rowMapping } })
  }

  async endLoad(): Promise<void> {
    const client = await this.#open()
    const targets = this.#targets
    await client.indices.refresh({ index: [targets.words, targets.rows] })
    this.#isLoading = false
    if (targets !== this.#aliases) await this.#swap(client)
    this.#targets = this.#aliases
    const gone: number[] = []
    await this.#eachRow({ match_all: {} }, false, (id) => {
      if (!this.#seen.has(id)) gone.push(id)
    })
    this.#seen.clear()
    for (let at = 0; at < gone.length; at += pageSize) await this.remove(gone.slice(at, at + pageSize))
  }

  async close(): Promise<void> {
    await (await this.#open()).close()
  }

  async #isCurrent(client: Client): Promise<boolean> {
    for (const name of Object.values(this.#aliases)) {
      const { body: exists } = await client.indices.existsAlias({ name })
      if (!exists) return false
      const { body } = await client.indices.getMapping({ index: name })
      if (Object.values(body).some((it) => it.mappings._meta?.['version'] !== mappingVersion)) return false
    }
    return true
  }

  /** Both aliases move at one instant; what they pointed to is deleted after that. */
  async #swap(client: Client): Promise<void> {
    const old: string[] = []
    for (const name of Object.values(this.#aliases)) {
      const { body: exists } = await client.indices.existsAlias({ name })
      if (exists) old.push(...Object.keys((await client.indices.getAlias({ name })).body))
    }
    const kinds = ['words', 'rows'] as const
    await client.indices.updateAliases({
      body: {
        actions: [
          ...old.map((index) => ({ remove: { index, aliases: Object.values(this.#aliases) } })),
          ...kinds.map((kind) => ({ add: { index: this.#targets[kind], alias: this.#aliases[kind] } })),
        ],
      },
    })
    if (old.length > 0) await client.indices.delete({ index: old })
  }

  async #stored<T>(kind: Kind, ids: string[], only?: string[]) {
    const client = await this.#open()
    const { body } = await client.mget({
      index: this.#targets[kind],
      body: { ids },
      ...(only && { _source_includes: only }),
    })
    const found = new Map<string, { source: T; seqNo: number; primaryTerm: number }>()
    for (const it of body.docs)
      if ('found' in it && it.found)
        found.set(it._id, { source: it._source as T, seqNo: it._seq_no!, primaryTerm: it._primary_term! })
    return found
  }

  /** The ids of documents that another process has changed meanwhile; any other failure is an error. */
  async #bulk(operations: Operations): Promise<Set<string>> {
    const client = await this.#open()
    // Callers of a search wait for their own changes, so these wait until they are visible.
    const { body } = await client.bulk({ body: operations, refresh: this.#isLoading ? false : 'wait_for' })
    const conflicts = new Set<string>()
    for (const item of body.items)
      for (const { _id, status, error } of Object.values(item)) {
        if (status === 409) conflicts.add(String(_id))
        else if (error) throw new Error(`OpenSearch refused a document: ${error.type}: ${error.reason}`)
      }
    return conflicts
  }

  async #eachRow(
    query: Query,
    source: string[] | false,
    visit: (id: number, row: StoredRow) => void,
  ): Promise<void> {
    const client = await this.#open()
    let after: number | undefined
    for (let page = 0; page < maxPages; page++) {
      const { body } = await client.search({
        index: this.#aliases.rows,
        body: {
          query,
          _source: source,
          size: pageSize,
          sort: [{ product_id: 'asc' }],
          track_total_hits: false,
          ...(after !== undefined && { search_after: [after] }),
        },
      })
      const { hits } = body.hits
      for (const it of hits) visit(Number(it._id), it._source as StoredRow)
      if (hits.length < pageSize) return
      after = Number(hits.at(-1)!.sort![0])
    }
  }
}

function wordQuery(wanted: WantedWords): { query: Query; size: number; sort?: Types.Common.Sort } {
  if (wanted.by === 'key') {
    const should: Query[] = [{ terms: { key: wanted.keys } }, { terms: { stems: wanted.stems } }]
    return { query: { bool: { should, minimum_should_match: 1 } }, size: maxWords }
  }
  if (wanted.by === 'sound') return { query: { terms: { sounds: wanted.sounds } }, size: maxNearWords }
  if (wanted.by === 'deletes') return { query: { terms: { deletes: wanted.deletes } }, size: maxNearWords }
  const { prefix, limit } = wanted
  const query: Query = {
    bool: {
      filter: [{ prefix: { key: { value: prefix } } }],
      must_not: [{ term: { key: { value: prefix } } }],
    },
  }
  return { query, size: limit, sort: [{ key: 'asc' }] }
}

const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])]

const mergedWord = (known: StoredWord, given: StoredWord): StoredWord => ({
  key: known.key,
  fields: known.fields | given.fields,
  stems: union(known.stems, given.stems),
  deletes: known.deletes,
  sounds: union(known.sounds, given.sounds),
  soundKey: known.soundKey ?? given.soundKey,
  latin: known.latin ?? given.latin,
  cyrillic: known.cyrillic ?? given.cyrillic,
})

const isSameWord = (one: StoredWord, other: StoredWord): boolean =>
  one.fields === other.fields &&
  one.stems.length === other.stems.length &&
  one.sounds.length === other.sounds.length &&
  one.latin === other.latin &&
  one.cyrillic === other.cyrillic
